/** All faults, and how they are run: people talk, something breaks and is mended, and then everything is judged. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RoomKind } from '@tunemate/protocol';
import { crowdFaults } from './crowd-faults.ts';
import { cast, openScenario } from './scenario.ts';
import type { Fault } from './fault.ts';
import { judge, type Judgement } from './judge.ts';
import { lineFaults } from './line-faults.ts';
import { inShort } from './logged.ts';
import { processFaults } from './process-faults.ts';
import { rowFaults } from './row-faults.ts';
import { serviceFaults } from './service-faults.ts';
import type { SetUp } from './set-ups.ts';
import { storageFaults } from './storage-faults.ts';
import { timeFaults } from './time-faults.ts';

export const faults: readonly Fault[] = [
  ...processFaults,
  ...rowFaults,
  ...lineFaults,
  ...serviceFaults,
  ...storageFaults,
  ...timeFaults,
  ...crowdFaults,
];

/** People beside the cast that some fault wants. */
export const crowd = 241;

export interface RunOptions {
  readonly isLong?: boolean;
  readonly kind?: RoomKind;
}

/** How long people talk before something breaks, and after it was mended. */
const talkMs = 300;

/** One scenario in which these faults happen one after the other. */
export async function runFaults(setUp: SetUp, some: readonly Fault[], options: RunOptions = {}): Promise<Judgement> {
  const { isLong = false, kind = 'video' } = options;
  const { random } = setUp;
  const scenario = await openScenario({
    people: setUp.people.slice(0, cast),
    endpointOf: setUp.endpointOf,
    kind,
    random,
  });
  const scene = { setUp, scenario, isLong, random };
  const problems: string[] = [];
  const logged = setUp.servers.map((server) => server.log().length);
  const traffic = scenario.startTraffic();
  try {
    for (const fault of some) {
      await pause(talkMs * random());
      problems.push(...((await fault.run(scene)) ?? []).map((problem) => `${fault.id}: ${problem}`));
    }
    await pause(talkMs);
  } finally {
    await traffic.stop();
  }
  const mayShowOffline = some.some((fault) => fault.mayShowOffline === true);
  const mayFail = some.some((fault) => fault.mayFail === true);
  const judged = await judge(scenario, setUp.databaseUrl, { mayShowOffline, mayFail });
  problems.push(...judged.problems);
  const [last] = some.flatMap((fault) => fault.last ?? []);
  problems.push(...(last ? await last(scene) : await scenario.end()));
  scenario.close();
  problems.push(...setUp.servers.flatMap((server, index) => bugsIn(server.log().slice(logged[index]))));
  return { ...judged, problems };
}

/** Nothing of what happened may look like a bug to the operator. */
function bugsIn(log: string): string[] {
  const [line] = /^.*"level":50.*$/m.exec(log) ?? [];
  return line === undefined ? [] : [`a server logged: ${inShort(line)}`];
}

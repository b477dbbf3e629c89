/** What a message costs on a disk that is not slow, in this version and in another, in turns. */
import { join } from 'node:path';
import { newClientId } from '@tunemate/testkit/answers';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import type { Member } from '@tunemate/testkit/worlds/crowd';
import type { Person } from '@tunemate/testkit/worlds/people';
import { cpuSeconds } from '../load/process-cost.ts';

/** Of this version, divided by the other's. */
interface Ratios {
  cpu: number;
  perSecond: number;
}

export interface Quiet {
  rounds: { one: Ratios; many: Ratios }[];
}

const [pairsOfPeople, roundsRun, messagesOfOne, messagesOfEach] = [20, 11, 300, 25];

interface Running {
  pid: number;
  members: readonly (readonly [Member, Member])[];
  end(): Promise<void>;
}

/** `other` is the folder of the other version, with its packages. */
export async function compareQuiet(other: string): Promise<Quiet> {
  const [ours, theirs] = [await start(join(import.meta.dirname, '../..')), await start(other)];
  const rounds: Quiet['rounds'] = [];
  // The first round warms both up.
  for (let round = 0; round <= roundsRun; round += 1) {
    const [one, many] = [await both(ours, theirs, oneAfterTheOther), await both(ours, theirs, allAtOnce)];
    console.log(JSON.stringify({ one, many }));
    if (round > 0) rounds.push({ one, many });
  }
  await Promise.all([ours.end(), theirs.end()]);
  return { rounds };
}

/** Of each version its own database and its own requests. */
async function start(version: string): Promise<Running> {
  const { connect, makePeople } = (await import(
    join(version, 'testkit/src/worlds/crowd.ts')
  )) as typeof import('@tunemate/testkit/worlds/crowd');
  const { makeTunemates } = (await import(
    join(version, 'testkit/src/worlds/durability.ts')
  )) as typeof import('@tunemate/testkit/worlds/durability');
  const program = [join(version, 'server/src/main.ts')];
  const data = await makeTempDir('quiet-disk');
  const url = `sqlite:${join(data.path, 'tunemate.sqlite')}`;
  const people = await makePeople(url, pairsOfPeople * 2);
  const pairs = Array.from({ length: pairsOfPeople }, (_, n) => [people[2 * n], people[2 * n + 1]] as [Person, Person]);
  await makeTunemates(url, pairs);
  const env = { RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'warn' };
  const server = await startServerProcess({ dataDir: data.path, env, program });
  const members = await Promise.all(
    pairs.map(async ([a, b]) => [await connect(server.url, a), await connect(server.url, b)] as const),
  );
  return {
    pid: server.pid,
    members,
    async end() {
      for (const { line } of members.flat()) line.cut();
      await server.dispose();
      await data.remove();
    },
  };
}

const send = (from: Member, to: Member) =>
  from.ask('chats/send', { clientId: newClientId(), uid: to.person.uid, text: 'on a quiet disk' });

async function oneAfterTheOther({ members: [pair] }: Running): Promise<number> {
  for (let n = 0; pair && n < messagesOfOne; n += 1) await send(pair[n % 2 === 0 ? 0 : 1], pair[n % 2 === 0 ? 1 : 0]);
  return messagesOfOne;
}

async function allAtOnce({ members }: Running): Promise<number> {
  await Promise.all(
    members.flatMap(([a, b]) =>
      [
        [a, b],
        [b, a],
      ].map(async ([from, to]) => {
        for (let n = 0; from && to && n < messagesOfEach; n += 1) await send(from, to);
      }),
    ),
  );
  return members.length * 2 * messagesOfEach;
}

let isOursFirst = false;

async function both(ours: Running, theirs: Running, work: (running: Running) => Promise<number>): Promise<Ratios> {
  const cost = async (running: Running) => {
    const [cpu, startMs] = [cpuSeconds(running.pid), performance.now()];
    const messages = await work(running);
    return { cpu: (cpuSeconds(running.pid) - cpu) / messages, perSecond: messages / (performance.now() - startMs) };
  };
  // Each goes first in every second round.
  isOursFirst = !isOursFirst;
  const first = await cost(isOursFirst ? ours : theirs);
  const second = await cost(isOursFirst ? theirs : ours);
  const [one, other] = isOursFirst ? [first, second] : [second, first];
  return { cpu: one.cpu / other.cpu, perSecond: one.perSecond / other.perSecond };
}

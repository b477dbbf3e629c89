/**
 * What an audience costs. So many people in one room come in, hear their host, join by the link and leave; frames are
 * written from this process, the server is another.
 * Usage: npm run bench -- audience [PEOPLE]   (10,000 unless said; fewer write no results)
 */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { commitOf } from '@tunemate/testkit/commits';
import { inWaves } from '@tunemate/testkit/worlds/crowd';
import type { Person } from '@tunemate/testkit/worlds/people';
import { actions, startOurs } from './load/load-figures.ts';
import { comeIn, type Here, measure, must, width } from './load/load-parts.ts';
import { residentMb } from './load/process-cost.ts';

const whole = 10_000;
const people = Number(process.argv[2] ?? whole);
/** So many of them come by the link, and as many leave. */
const moving = people / 20;
const idleMs = 20_000;
const loadBefore = loadavg();

const rows: [figure: string, measured: string, goal: string][] = [];
const n = (value: number, digits = 3) => String(Number(value.toPrecision(digits)));
function note(...row: (typeof rows)[number]): void {
  rows.push(row);
  process.stdout.write(`${JSON.stringify(row)}\n`);
}

const ours = await startOurs({
  ...{ count: people, rooms: 1, perRoom: people - moving },
  env: { PEOPLE_PER_ROOM: String(whole) },
});
const { server, crowd } = ours;
const [filled] = crowd.rooms;
if (!filled) throw new Error('no room');
const room = { kind: filled.kind, code: filled.code };
const emptyMb = residentMb(server.pid);

let inside: Here[] = [];
const coming = await measure([server.pid], async () => {
  inside = await inWaves(filled.members, width, (person) => enter(person));
});
async function enter(person: Person): Promise<Here> {
  const here = await comeIn(server.url, person);
  await must(here.wire.ask('rooms/enter', room));
  return here;
}
note(
  `${String(inside.length)} come in with a seat: connect, hello, enter`,
  `${n(coming.seconds)} s, ${n(inside.length / coming.seconds)} a second, ${n((coming.cpu * 1000) / inside.length)} CPU ms each`,
  '10,000 within 20 s',
);
await pause(5000);
const heldMb = residentMb(server.pid) - emptyMb;
note('memory over the empty server', `${n(heldMb)} MB, ${n((heldMb * 1024) / inside.length)} KiB each`, '<= 230 MB');
const idle = await measure([server.pid], () => pause(idleMs));
note('idle, pings only', `${n((idle.cpu / idle.seconds) * 100, 2)} % of a core`, '<= 3 %');

const reached = await actions(inside, room, { count: 20, perSecond: 1 }, server);
note(
  `host's action, one a second, to ${String(inside.length)}`,
  `p50 ${n(reached.p50)}, p99 ${n(reached.p99)} ms, lost ${String(reached.missing)}, ${n(reached.cpuMsPer1000)} CPU ms per 1,000 deliveries`,
  'p99 <= 250 ms',
);

const [host] = inside as [Here];
await must(host.wire.ask('rooms/setAdmission', { ...room, admits: 'everybody' }));
const late = await inWaves(crowd.people.slice(people - moving), width, (person) => comeIn(server.url, person));
const heard = framesOf(inside.at(-1));
const joined = await measure([server.pid], () =>
  inWaves(late, width, async ({ wire }) => {
    await must(wire.ask('rooms/askToJoin', room));
    await must(wire.ask('rooms/enter', room));
  }),
);
await pause(1500);
note(
  `${String(moving)} more come in by the link`,
  `${n(joined.seconds)} s, ${n(moving / joined.seconds)} a second, ${n((joined.cpu * 1000) / moving)} CPU ms each; ${String(heard())} frames to each of the others`,
  'at most 1 frame a second',
);
const leaving = framesOf(inside.at(-1));
const left = await measure([server.pid], () => inWaves(late, width, ({ wire }) => must(wire.ask('rooms/leave', room))));
await pause(1500);
note(
  `${String(moving)} leave`,
  `${n(left.seconds)} s, ${n((left.cpu * 1000) / moving)} CPU ms each; ${String(leaving())} frames to each of the others`,
  'at most 1 frame a second',
);

function framesOf(here: Here | undefined): () => number {
  let frames = 0;
  if (here) here.onEvent = () => void (frames += 1);
  return () => frames;
}

const load = (values: readonly number[]) => values.map((each) => each.toFixed(1)).join(', ');
const commit = commitOf('HEAD');
const report = `# An audience, measured

\`npm run bench -- audience\`, at ${commit} on ${new Date().toISOString().slice(0, 10)}.

${String(people)} verified people in one room of one server over SQLite, whose limits are lifted; the load is a process of
its own on the same ${String(cpus().length)} cores. Load averages (1, 5, 15 minutes) were ${load(loadBefore)} before and ${load(loadavg())}
after: other work on the machine makes seconds and p99 much worse, and CPU figures somewhat.

| figure | measured | goal |
|---|---|---|
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}
`;
if (people === whole) writeFileSync(join(import.meta.dirname, 'results/audience.md'), report);
await ours.stop();
process.exit(0);

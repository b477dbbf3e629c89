/**
 * What many people cost, beside bare ws in the same run: joining, telling, chat, ten thousand connections, a crash, two
 * processes. Frames are written from this process; each server is another.
 * Usage: npm run bench -- load [--quick] [FIGURE …]   (figures: joins fan-out crowd rooms chat private crash cluster start)
 * `--once` measures everything once, `--quick` once and with a tenth of the people, without writing the results.
 */
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { inWaves } from '@tunemate/testkit/worlds/crowd';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { cluster } from './load-cluster.ts';
import { crash, idle, manyRooms } from './load-crowds.ts';
import {
  bareChat,
  bareFanOut,
  type Chat,
  fanOut,
  joins,
  openRoom,
  privateChat,
  roomChat,
  seatAll,
  startOurs,
} from './load-figures.ts';
import { comeIn, type Here, width } from './load-parts.ts';
import { loadReport, type Row } from './load-report.ts';
import { median } from './process-cost.ts';

const words = process.argv.slice(2);
const isQuick = words.includes('--quick');
const wanted = words.filter((word) => !word.startsWith('--'));
const runs = isQuick || words.includes('--once') ? 1 : 3;
const size = (full: number) => (isQuick ? full / 10 : full);

const rows: Row[] = [];
const n = (value: number, digits = 3) => String(Number(value.toPrecision(digits)));
const times = (ours: number, theirs: number) => `${n(ours / theirs, 2)}x`;

function note(row: Row): void {
  rows.push(row);
  process.stdout.write(`${JSON.stringify(row)}\n`);
}

/** Each of the runs, one after the other. */
async function several<T>(work: () => Promise<T>, most = runs): Promise<T[]> {
  const results: T[] = [];
  for (let run = 0; run < most; run += 1) results.push(await work());
  return results;
}
const middle = <T>(results: readonly T[], of: (result: T) => number) => median(results.map(of));

async function joining(): Promise<void> {
  const count = size(1000);
  const results = await several(() => joins(count));
  const of = (pick: (result: (typeof results)[number]) => number) => middle(results, pick);
  const bareCpu = of(({ bare }) => bare.cpu);
  const bareSeconds = of(({ bare }) => bare.seconds);
  for (const name of ['approved', 'returning'] as const) {
    const [seconds, cpu] = [of((each) => each[name].seconds), of((each) => each[name].cpu)];
    note({
      figure: `${String(count)} people join one room, ${name}`,
      ours: `${n(seconds)} s, ${n(cpu)} CPU s, ${n(of((each) => each[name].megabytes))} MB`,
      bare: `ws, connecting: ${n(bareSeconds)} s, ${n(bareCpu)} CPU s`,
      ratio: `${times(cpu, bareCpu)} CPU`,
      goal: '<= 2 s, <= 2 CPU s, <= 10 MB',
      runs,
    });
  }
  const ms = (of(({ returning }) => returning.cpu) * 1000) / count;
  note({
    figure: 'connect, hello and enter with a seat, one person',
    ours: `${n(ms)} CPU ms (connect and hello ${n((of(({ connect }) => connect.cpu) * 1000) / count)})`,
    bare: `ws, connect and join: ${n((bareCpu * 1000) / count)} CPU ms`,
    ratio: times(ms, (bareCpu * 1000) / count),
    goal: '<= 0.7 CPU ms (2x)',
    runs,
  });
}

async function telling(): Promise<void> {
  for (const [members, tabs, rate, most, goal] of [
    [size(1000), 1, { count: 40, perSecond: 5 }, runs, '<= 1.4x'],
    [size(1000), 5, { count: 20, perSecond: 2 }, 1, '<= 1.4x'],
  ] as const) {
    const sockets = members * tabs;
    const ours = await several(() => fanOut(members, tabs, rate), most);
    const bare = await several(() => bareFanOut(sockets, rate), most);
    const cpu = (results: typeof ours) => middle(results, ({ cpuMsPer1000 }) => cpuMsPer1000);
    const late = (results: typeof ours) => middle(results, ({ p99 }) => p99);
    note({
      figure: `host's action to ${String(sockets)} in one room, CPU ms per 1,000 deliveries`,
      ours: `${n(cpu(ours))} (p99 ${n(late(ours))} ms, lost ${String(Math.max(...ours.map(({ missing }) => missing)))})`,
      bare: `ws ${n(cpu(bare))} (p99 ${n(late(bare))} ms)`,
      ratio: times(cpu(ours), cpu(bare)),
      goal,
      runs: most,
    });
  }
}

async function crowd(): Promise<void> {
  const result = await idle(size(10_000));
  const { sockets, entering, bareEntering } = result;
  note({
    figure: `${String(sockets)} live verified sockets in rooms of 10, a million stored messages`,
    ours: `${n(result.residentMb)} MB, ${n(sockets / entering.seconds)} a second, ${n((entering.cpu * 1000) / sockets)} CPU ms each`,
    bare: `ws ${n(result.bareMb)} MB, ${n(sockets / bareEntering.seconds)} a second`,
    ratio: `${times(result.residentMb, result.bareMb)} memory`,
    goal: '<= 400 MB, >= 1,500 a second',
    runs: 1,
  });
  note({
    figure: `idle cost of ${String(sockets)}: pings only / with clock probes`,
    ours: `${n(result.pings, 2)} / ${n(result.probes, 2)} % of a core`,
    bare: `ws, an echo for a probe: ${n(result.bareProbes, 2)} %`,
    ratio: times(result.probes, result.bareProbes),
    goal: '<= 3 / 8 %',
    runs: 1,
  });
}

async function rooms(): Promise<void> {
  for (const each of await manyRooms(size(500), 20, isQuick ? [50] : [300, 400, 500])) {
    note({
      figure: `${String(size(500))} rooms x 20, ${String(each.perSecond)} actions a second`,
      ours: `p50 ${n(each.p50)}, p99 ${n(each.p99)} ms, lost ${String(each.missing)}, ${n(each.cpuMsEach)} CPU ms an action`,
      bare: '',
      ratio: '',
      goal: '500 held, p99 <= 100 ms, <= 0.9 CPU ms',
      runs: 1,
    });
  }
}

const isHeld = (chat: Chat, lateMs: number) => chat.missing === 0 && chat.p99 < lateMs;

async function chat(): Promise<void> {
  const { server, crowd: people, stop } = await startOurs({ count: 200 });
  const there = await inWaves(people.people, width, (person) => comeIn(server.url, person));
  const [host, ...guests] = there as [Here, ...Here[]];
  const room = await openRoom(host, 'audio');
  await seatAll(host, guests, room);
  for (const perSecond of [300, 400, 500]) {
    const ours = await several(() => roomChat(there, room, perSecond, [server.pid]));
    const bare = await several(() => bareChat(perSecond));
    const held = ours.filter((each) => isHeld(each, 250)).length;
    note({
      figure: `room of 200, ${String(perSecond)} durable messages a second`,
      ours: `p99 to all ${n(middle(ours, ({ p99 }) => p99))} ms, held in ${String(held)} of ${String(runs)}, ack p99 ${n(middle(ours, ({ ackP99 }) => ackP99))} ms, ${n(middle(ours, ({ cpuMsEach }) => cpuMsEach))} CPU ms each`,
      bare: `ws, not durable: p99 ${n(middle(bare, ({ p99 }) => p99))} ms, ${n(middle(bare, ({ cpuMsEach }) => cpuMsEach))} CPU ms each`,
      ratio: `${times(
        middle(ours, ({ cpuMsEach }) => cpuMsEach),
        middle(bare, ({ cpuMsEach }) => cpuMsEach),
      )} CPU`,
      goal: '500 with p99 < 250 ms',
      runs,
    });
  }
  for (const { wire } of there) wire.close();
  await stop();
}

async function pairs(): Promise<void> {
  const { server, crowd: people, stop } = await startOurs({ count: 400, messages: isQuick ? 0 : 1_000_000 });
  const there = await inWaves(people.people, width, (person) => comeIn(server.url, person));
  const both = Array.from({ length: 200 }, (_, at) => [there[2 * at] as Here, there[2 * at + 1] as Here] as const);
  for (const perSecond of [400, 700, 1000]) {
    const ours = await several(() => privateChat(both, perSecond, server.pid));
    note({
      figure: `200 pairs, ${String(perSecond)} durable private messages a second`,
      ours: `ack p99 ${n(middle(ours, ({ ackP99 }) => ackP99))} ms, ${n(middle(ours, ({ cpuMsEach }) => cpuMsEach))} CPU ms each`,
      bare: '',
      ratio: '',
      goal: '1,000 with ack p99 <= 100 ms',
      runs,
    });
  }
  for (const { wire } of there) wire.close();
  await stop();
}

async function killed(): Promise<void> {
  for (const [sockets, goal] of [
    [size(5000), '10, 15 s'],
    [size(10_000), '15, 25 s'],
  ] as const) {
    const result = await crash(sockets);
    note({
      figure: `kill -9, ${String(sockets)} back in their rooms (95 %, all)`,
      ours: `${n(result.p95)}, ${n(result.all)} s; ready after ${n(result.readyMs / 1000)} s; ${n(result.residentMb)} MB`,
      bare: '',
      ratio: '',
      goal,
      runs: 1,
    });
  }
}

async function two(): Promise<void> {
  const count = size(1000);
  const result = await cluster(count, [200, 300]);
  const bare = await bareFanOut(count, { count: 40, perSecond: 5 });
  const { join: joined, fanOut: sent } = result;
  note({
    figure: `two processes, PostgreSQL and Redis: ${String(count)} join, approved`,
    ours: `${n(joined.seconds)} s, ${n(joined.cpu)} CPU s of the servers, ${n(joined.megabytes)} MB`,
    bare: '',
    ratio: '',
    goal: '<= 4 s',
    runs: 1,
  });
  note({
    figure: `… host's action to ${String(count)}, CPU ms of the servers per 1,000 deliveries`,
    ours: `${n(sent.cpuMsPer1000)} (p99 ${n(sent.p99)} ms, lost ${String(sent.missing)})`,
    bare: `ws ${n(bare.cpuMsPer1000)}`,
    ratio: times(sent.cpuMsPer1000, bare.cpuMsPer1000),
    goal: '<= 1.4x',
    runs: 1,
  });
  for (const each of result.chats) {
    note({
      figure: `… room of 200, ${String(each.perSecond)} messages a second`,
      ours: `p99 ${n(each.p99)} ms, lost ${String(each.missing)}, ${n(each.cpuMsEach)} CPU ms each`,
      bare: '',
      ratio: '',
      goal: '>= 300 a second',
      runs: 1,
    });
  }
}

async function start(): Promise<void> {
  const took = await several(async () => {
    const cache = await makeTempDir('bench-cache');
    // As `npm start` runs it.
    const program = ['server/dist/main.js'];
    const server = await startServerProcess({ program, env: { LOG_LEVEL: 'warn', NODE_COMPILE_CACHE: cache.path } });
    await server.stop();
    const startMs = performance.now();
    await server.restart();
    const ms = performance.now() - startMs;
    await server.dispose();
    await cache.remove();
    return ms;
  }, 5);
  note({
    figure: 'start to ready, as built, the second time',
    ours: `${n(median(took))} ms`,
    bare: '',
    ratio: '',
    goal: '<= 500 ms',
    runs: 5,
  });
}

/** Those that need most people come last. */
const figures = {
  joins: joining,
  'fan-out': telling,
  chat,
  private: pairs,
  start,
  cluster: two,
  crowd,
  rooms,
  crash: killed,
};
const loadBefore = loadavg();

/** After each figure, so that a run that is cut short is not lost. */
function write(): void {
  const command = `npm run bench -- load${words.length > 0 ? ` ${words.join(' ')}` : ''}`;
  const report = loadReport(rows, { command, loadBefore });
  if (!isQuick) writeFileSync(join(import.meta.dirname, '../results/load.md'), report);
}

for (const [name, measureIt] of Object.entries(figures)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  try {
    await measureIt();
  } catch (error) {
    note({ figure: name, ours: `could not be measured: ${String(error)}`, bare: '', ratio: '', goal: '', runs: 0 });
  }
  write();
}
process.exit(0);

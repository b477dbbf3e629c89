/**
 * What many people cost, beside bare ws in the same run: joining, telling, chat, ten thousand connections, a crash, two
 * processes. Frames are written from this process; each server is another.
 * Usage: npm run bench -- load [--quick] [FIGURE …]   (figures: joins slow-disk lived-in fan-out chat
 * private start cluster three crowd rooms crash)
 * `--once` measures everything once, `--quick` once and with a tenth of the people, without writing the results.
 */
import { loadavg } from 'node:os';
import { limits } from '@tunemate/protocol';
import { median } from '@tunemate/testkit/percentile';
import { inWaves } from '@tunemate/testkit/worlds/crowd';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { shimDisk } from '@tunemate/testkit/services/disks/disk-shim';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { cluster, oneOfThreeGone, separateRooms } from './load-cluster.ts';
import { crash, idle, manyRooms } from './load-crowds.ts';
import {
  bareChat,
  bareFanOut,
  bareJoins,
  connecting,
  type Chat,
  fanOut,
  type Joins,
  joins,
  openRoom,
  privateChat,
  roomChat,
  seatAll,
  startOurs,
} from './load-figures.ts';
import { comeIn, type Cost, type Here, width } from './load-parts.ts';
import { loadReport, type Row } from './load-report.ts';
import { writePage } from '../report/write-page.ts';

const words = process.argv.slice(2);
const isQuick = words.includes('--quick');
const wanted = words.filter((word) => !word.startsWith('--'));
const runs = isQuick || words.includes('--once') ? 1 : 3;
const size = (full: number) => (isQuick ? full / 10 : full);

const rows: Row[] = [];
const n = (value: number, digits = 3) => String(Number(value.toPrecision(digits)));
const times = (ours: number, theirs: number) => `${n(ours / theirs, 2)}x`;

/** What has nothing beside it, no goal, or was measured once, does not say so. */
function note(measured: Pick<Row, 'figure' | 'ours'> & Partial<Row>): void {
  const row: Row = { bare: '', ratio: '', goal: '', runs: 1, ...measured };
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

const perSecond = (cost: Cost, count: number) => count / cost.seconds;

async function joining(): Promise<void> {
  const count = size(1000);
  const results = await several(() => joins(count));
  const bare = await several(() => bareJoins(count));
  const bareCpu = middle(bare, ({ cpu }) => cpu);
  const of = (pick: (result: Joins) => number) => middle(results, pick);
  for (const [way, words, goal] of [
    ['approved', 'join one room, approved', '<= 1.5 s; <= 3x'],
    ['allAtOnce', 'join one room, accepted all at once', '<= 1.5 s; <= 3x'],
    ['returning', 'join one room, returning', '<= 1.2 s; <= 2.5x'],
  ] as const) {
    // Who returns connects as well, and so do all on bare ws.
    const connects = way === 'returning' ? 0 : of(({ connect }) => connect.cpu);
    const cpu = of((each) => each[way].cpu);
    note({
      figure: `${String(count)} people ${words}`,
      ours: `${n(of((each) => each[way].seconds))} s, ${n(cpu)} CPU s, ${n(of((each) => each[way].megabytes))} MB`,
      bare: `ws, connect and join: ${n(middle(bare, ({ seconds }) => seconds))} s, ${n(bareCpu)} CPU s`,
      ratio: `${times(cpu + connects, bareCpu)} CPU, connecting included`,
      goal,
      runs,
    });
  }
  note({
    figure: 'connect, hello and enter with a seat, one person',
    ours: `${n((of(({ returning }) => returning.cpu) * 1000) / count)} CPU ms (connect and hello ${n((of(({ connect }) => connect.cpu) * 1000) / count)})`,
    bare: `ws, connect and join: ${n((bareCpu * 1000) / count)} CPU ms`,
    ratio: times(
      of(({ returning }) => returning.cpu),
      bareCpu,
    ),
    goal: '<= 2.5x',
    runs,
  });
}

async function onSlowDisk(): Promise<void> {
  const count = size(1000);
  const folder = await makeTempDir('bench-slow-disk');
  const disk = shimDisk(folder.path);
  disk.set({ syncMs: 20 });
  const { approved, allAtOnce, returning } = await joins(count, disk.env);
  await folder.remove();
  note({
    figure: `the same on a disk with 20 ms a sync: approved; all at once; returning`,
    ours: [approved, allAtOnce, returning].map(({ seconds }) => `${n(seconds)} s`).join('; '),
    goal: '<= 4; <= 3; <= 3 s',
  });
}

async function livedIn(): Promise<void> {
  const count = size(1000);
  const [notifications, sessions] = [size(100_000), size(10_000)];
  // Of each account the newest notifications are kept: so many accounts have as many as there can be.
  const accounts = notifications / limits.notifications;
  const pairs = await several(async () => ({
    empty: await connecting(count, accounts, {}),
    used: await connecting(count, accounts, { notifications, sessions }),
  }));
  const of = (pick: (pair: (typeof pairs)[number]) => number) => middle(pairs, pick);
  const [empty, used] = [of((pair) => pair.empty.perSecond), of((pair) => pair.used.perSecond)];
  note({
    figure: `${String(accounts)} accounts with ${String(notifications)} notifications and ${String(sessions)} sessions: connects a second`,
    ours: `${n(used)}, ${n(of((pair) => pair.used.cpuMsEach))} CPU ms each (empty ${n(empty)}, ${n(of((pair) => pair.empty.cpuMsEach))} CPU ms)`,
    ratio: `${times(empty, used)} of the empty one`,
    goal: '<= 1.1x',
    runs,
  });
}

async function telling(): Promise<void> {
  for (const [members, tabs, rate, most, goal] of [
    [size(1000), 1, { count: 40, perSecond: 5 }, runs, '<= 1.2x'],
    [size(1000), 5, { count: 20, perSecond: 2 }, 1, '<= 1.2x'],
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
    ours: `${n(result.addedMb)} MB over the empty process, ${n(perSecond(entering, sockets))} a second, ${n((entering.cpu * 1000) / sockets)} CPU ms each`,
    bare: `ws ${n(result.bareMb)} MB, ${n(perSecond(bareEntering, sockets))} a second`,
    ratio: `${times(result.addedMb, result.bareMb)} memory`,
    goal: '<= 230 MB, >= 1,200 a second',
  });
  note({
    figure: `idle cost of ${String(sockets)}: pings only / with clock probes, settled`,
    ours: `${n(result.pings, 2)} / ${n(result.probes, 2)} % of a core`,
    bare: `ws, an echo for a probe: ${n(result.bareProbes, 2)} %`,
    ratio: times(result.probes, result.bareProbes),
    goal: '<= 3 / 6 %',
  });
}

async function rooms(): Promise<void> {
  for (const each of await manyRooms(size(500), 20, isQuick ? [50] : [300, 400, 500])) {
    note({
      figure: `${String(size(500))} rooms x 20, ${String(each.perSecond)} actions a second`,
      ours: `p50 ${n(each.p50)}, p99 ${n(each.p99)} ms, lost ${String(each.missing)}, ${n(each.cpuMsEach)} CPU ms an action`,
      goal: '500 held, p99 <= 100 ms, <= 0.9 CPU ms',
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
      goal: '1,000 with ack p99 <= 100 ms',
      runs,
    });
  }
  for (const { wire } of there) wire.close();
  await stop();
}

async function killed(): Promise<void> {
  for (const [sockets, goal] of [
    [size(5000), ''],
    [size(10_000), '10, 14 s; <= 400 MB'],
  ] as const) {
    const result = await crash(sockets);
    note({
      figure: `kill -9, ${String(sockets)} back in their rooms (95 %, all)`,
      ours: `${n(result.p95)}, ${n(result.all)} s; ready after ${n(result.readyMs / 1000)} s; ${n(result.residentMb)} MB`,
      goal,
    });
  }
}

async function two(): Promise<void> {
  const count = size(1000);
  const result = await cluster(count, [200, 300]);
  const bare = await bareFanOut(count, { count: 40, perSecond: 5 });
  const { approved: alone } = await joins(count);
  const { join: joined, fanOut: sent } = result;
  note({
    figure: `two processes, PostgreSQL and Redis: ${String(count)} join, approved`,
    ours: `${n(joined.seconds)} s, ${n(joined.cpu)} CPU s of the servers, ${n(joined.megabytes)} MB`,
    bare: `one process over SQLite: ${n(alone.seconds)} s, ${n(alone.cpu)} CPU s`,
    ratio: `${times(joined.cpu, alone.cpu)} CPU of one process`,
    goal: '<= 3 s; <= 1.3x',
  });
  note({
    figure: `… host's action to ${String(count)}, CPU ms of the servers per 1,000 deliveries`,
    ours: `${n(sent.cpuMsPer1000)} (p99 ${n(sent.p99)} ms, lost ${String(sent.missing)})`,
    bare: `ws ${n(bare.cpuMsPer1000)}`,
    ratio: times(sent.cpuMsPer1000, bare.cpuMsPer1000),
  });
  for (const each of result.chats) {
    note({
      figure: `… room of 200, ${String(each.perSecond)} messages a second`,
      ours: `p99 ${n(each.p99)} ms, lost ${String(each.missing)}, ${n(each.cpuMsEach)} CPU ms each`,
    });
  }
}

async function three(): Promise<void> {
  const pairs = await several(async () => ({ one: await separateRooms(1), three: await separateRooms(3) }));
  const [one, all] = [middle(pairs, (pair) => pair.one), middle(pairs, (pair) => pair.three)];
  note({
    figure: 'three processes, a room of 100 on each: a durable message, CPU ms of the servers',
    ours: `${n(all)} (one process with one room ${n(one)})`,
    ratio: `three carry ${n((3 * one) / all, 2)}x of one`,
    goal: '>= 2.7x',
    runs,
  });
  const gone = await several(oneOfThreeGone);
  const [before, after] = [middle(gone, ({ p99Before }) => p99Before), middle(gone, ({ p99After }) => p99After)];
  note({
    figure: 'one of three killed: its 100 people back in their room (95 %); p99 of a message in the other rooms',
    ours: `${n(middle(gone, ({ backP95 }) => backP95))} s; ${n(after)} ms (before ${n(before)}), lost ${String(Math.max(...gone.map(({ missing }) => missing)))}`,
    ratio: times(after, before),
    goal: '<= 5 s; <= 1.2x',
    runs,
  });
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
    goal: '<= 500 ms',
    runs: 5,
  });
}

/** Those that need most people come last. */
const figures = {
  joins: joining,
  'slow-disk': onSlowDisk,
  'lived-in': livedIn,
  'fan-out': telling,
  chat,
  private: pairs,
  start,
  cluster: two,
  three,
  crowd,
  rooms,
  crash: killed,
};
const loadBefore = loadavg();

/** After each figure, so that a run that is cut short is not lost. */
function write(): void {
  const command = `npm run bench -- load${words.length > 0 ? ` ${words.join(' ')}` : ''}`;
  const report = loadReport(rows, { command, loadBefore });
  if (!isQuick) writePage('load', report);
}

for (const [name, measureIt] of Object.entries(figures)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  try {
    await measureIt();
  } catch (error) {
    note({ figure: name, ours: `could not be measured: ${String(error)}`, runs: 0 });
  }
  write();
}
process.exit(0);

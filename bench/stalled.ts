/**
 * Two hundred people who stop reading in a busy room with the largest allowed queue, and the same room with two hundred
 * who read: the server's memory and the delays of everybody else, in turns of the same run. Writes results/stalled.md
 * and ends with 1 when a goal is missed.
 * Usage: npm run bench -- stalled
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { roomStream } from '@tunemate/protocol';
import { newClientId } from '@tunemate/testkit/answers';
import { connect, inWaves, makePeople, type Member } from '@tunemate/testkit/worlds/crowd';
import type { Person } from '@tunemate/testkit/worlds/people';
import { percentile } from '@tunemate/testkit/percentile';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { moves, openFullRoom, type Room, letIn, write } from './rooms/largest-queue.ts';
import { median, residentMb } from './load/process-cost.ts';
import type { ReadersOrder } from './rude/stalled-readers.ts';

const readers = 200;
const others = 20;
const rounds = 3;
const busyMs = 15_000;
const messageEveryMs = 200;
/** The host seeks, pauses and goes on. */
const moveEveryMs = 2000;
const lookEveryMs = 100;
const mostExtraMb = 100;
const mostDelay = 1.2;

const kinds = ['reading', 'stalled'] as const;
type Kind = (typeof kinds)[number];

interface Measured {
  /** Peak above what the server took when all had entered. */
  grownMb: number;
  peakMb: number;
  deliveries: number[];
}

/** How long after it was sent each message reached each of the others. */
function watchDeliveries(members: readonly Member[], stream: string) {
  const sentAtMs = new Map<string, number>();
  const took: number[] = [];
  for (const { line } of members) {
    line.on('entries', (batch) => {
      if (batch.stream !== stream) return;
      for (const change of batch.changes) {
        const sentMs = change.type === 'rooms/messageSent' ? sentAtMs.get(change.message.text) : undefined;
        if (sentMs !== undefined) took.push(performance.now() - sentMs);
      }
    });
  }
  return { took, sent: (text: string) => void sentAtMs.set(text, performance.now()) };
}

/** A busy room: a chat message every 200 ms and a command of the host every 2 s. Returns the peak of memory. */
async function beBusy(host: Member, members: readonly Member[], room: Room, pid: number, sent: (text: string) => void) {
  const started = performance.now();
  let peakMb = 0;
  let n = 0;
  const waiting: Promise<unknown>[] = [];
  for (let atMs = 0; atMs < busyMs; atMs += lookEveryMs) {
    await pause(Math.max(0, started + atMs - performance.now()));
    peakMb = Math.max(peakMb, residentMb(pid));
    if (atMs % moveEveryMs === 0) {
      waiting.push(write(host, room, moves(n % 500)[(atMs / moveEveryMs) % 3] ?? { type: 'play' }));
    }
    const member = members[n % members.length];
    if (atMs % messageEveryMs !== 0 || !member) continue;
    n += 1;
    const text = randomUUID();
    sent(text);
    waiting.push(member.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text }));
  }
  await Promise.all(waiting);
  return peakMb;
}

async function measure(kind: Kind): Promise<Measured> {
  const data = await makeTempDir('bench-stalled');
  const people = await makePeople(`sqlite:${join(data.path, 'tunemate.sqlite')}`, readers + others + 1);
  const server = await startServerProcess({ dataDir: data.path, env: { RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'error' } });
  const { url, pid } = server;
  const host = await connect(url, people[0] as Person);
  const room = await openFullRoom(host, 0);
  const members = await inWaves(people.slice(1, others + 1), 10, (person) => connect(url, person));
  for (const member of members) {
    await letIn(host, member, room);
    await member.ask('rooms/enter', room);
  }
  const crowd = fork(join(import.meta.dirname, 'rude/stalled-readers.ts'));
  const tell = async (order: ReadersOrder) => {
    crowd.send(order);
    await once(crowd, 'message');
  };
  const crowdPeople = people.slice(others + 1);
  await tell({ type: 'ask', url, room, people: crowdPeople });
  for (const { uid } of crowdPeople) await host.ask('rooms/acceptRequest', { ...room, uid });
  await tell({ type: 'enter', room });
  const { room: document } = await host.ask('rooms/enter', room);
  const deliveries = watchDeliveries(members, roomStream(document.roomId));
  await pause(2000);
  const beforeMb = residentMb(pid);
  if (kind === 'stalled') await tell({ type: 'stall' });
  const peakMb = await beBusy(host, members, room, pid, deliveries.sent);
  await pause(1000);
  crowd.kill();
  [host, ...members].forEach(({ line }) => line.disconnect());
  await server.dispose();
  await data.remove();
  return { grownMb: peakMb - beforeMb, peakMb, deliveries: deliveries.took };
}

const figures = { reading: [] as Measured[], stalled: [] as Measured[] };
for (let round = 0; round < rounds; round += 1) {
  // Each goes first in turn.
  for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) figures[kind].push(await measure(kind));
}

const of = (kind: Kind, read: (each: Measured) => number): number => median(figures[kind].map(read));
const p99 = ({ deliveries }: Measured): number => percentile(deliveries, 0.99);
const extraMb = of('stalled', ({ peakMb }) => peakMb) - of('reading', ({ peakMb }) => peakMb);
const delay = of('stalled', p99) / of('reading', p99);
const row = (kind: Kind): string => {
  const [peak, grown, slow] = [of(kind, (each) => each.peakMb), of(kind, (each) => each.grownMb), of(kind, p99)];
  const count = figures[kind].reduce((sum, each) => sum + each.deliveries.length, 0);
  return `| ${kind} | ${peak.toFixed(0)} | ${grown.toFixed(0)} | ${slow.toFixed(1)} | ${String(count)} |`;
};
const report = `# Readers that stall, measured

\`npm run bench -- stalled\`

A room of ${String(readers + others + 1)} with ${String(200)} queue items of the longest titles: a message every ${String(messageEveryMs)} ms, the host moves every
${String(moveEveryMs / 1000)} s, for ${String(busyMs / 1000)} s. ${String(readers)} of them read, or have stopped reading; the other ${String(others)} are measured. Medians of ${String(rounds)} rounds
in turns, each on a fresh server; server and clients share ${String(cpus().length)} cores.

| ${String(readers)} are | memory peak MB | grown MB | others' delivery p99 ms | deliveries |
|---|---|---|---|---|
${kinds.map(row).join('\n')}

| figure | measured | goal |
|---|---|---|
| memory of stalled over reading, MB | ${extraMb.toFixed(0)} | ${String(mostExtraMb)} |
| memory grown with stalled, MB | ${of('stalled', ({ grownMb }) => grownMb).toFixed(0)} | ${String(mostExtraMb)} |
| others' p99, stalled over reading | ${delay.toFixed(2)} | ${String(mostDelay)} |
`;
await writeFile(join(import.meta.dirname, 'results', 'stalled.md'), report);
console.log(report);
const isMet = extraMb <= mostExtraMb && of('stalled', ({ grownMb }) => grownMb) <= mostExtraMb && delay <= mostDelay;
process.exit(isMet ? 0 : 1);

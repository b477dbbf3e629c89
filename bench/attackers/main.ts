/**
 * What one signed-in attacker does to all others: how long others wait for the answer to a message in their room and
 * for /api/session, without and with the attacker, in turns of the same run. Writes results/attackers.md and ends with
 * 1 when the p95 of one more than doubles.
 * Usage: npm run bench -- attackers [postgresql] [name of an attack …]
 * (default: all, on SQLite; `npm run bench -- attackers --list` names them)
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, cpus, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { newClientId } from '@tunemate/testkit/answers';
import { connect, type Member } from '@tunemate/testkit/worlds/crowd';
import { percentile } from '@tunemate/testkit/percentile';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import type { Order } from './attacker.ts';
import { attackKinds } from './attack-kinds.ts';
import { addressOf, type AttackWorld, makeAttackWorld } from './attack-world.ts';
import { openFullRoom, type Room, letIn } from '../load/largest-queue.ts';
import { openStorage } from '../load/load-parts.ts';
import { cpuSeconds } from '../load/process-cost.ts';
import { writePage } from '../report/write-page.ts';

const talkers = 20;
/** An odd number: the ratio is that of the turn in the middle. */
const turns = 3;
const turnMs = 2000;
const chatEveryMs = 1100;
const sessionEveryMs = 500;
const mostRatio = 2;
/** Attacks on a room with the largest queue. */
const ofLargestRoom = new Set(['queue', 'non-reading tabs that enter rooms']);
/** The playback limit, with a little to spare. */
const enqueueEveryMs = 55;

interface Samples {
  chat: number[];
  session: number[];
}
/** A turn without the attacker and the one with them right after it. */
interface Pair {
  without: Samples;
  with: Samples;
}
interface Row {
  kind: string;
  pairs: Pair[];
  /** Processor time of the server for the attacker alone. */
  cpuMs: number;
}

/** What each of the others asks for during one turn; resolves when all of it was answered. */
async function turn(people: readonly Member[], room: Room, url: string, into: Samples): Promise<void> {
  const waiting: Promise<void>[] = [];
  const take = (list: number[], work: () => Promise<unknown>) => {
    const sinceMs = performance.now();
    waiting.push(work().then(() => void list.push(performance.now() - sinceMs)));
  };
  const every = (ms: number, index: number, work: () => void) => {
    const timers: NodeJS.Timeout[] = [];
    for (let atMs = (ms * index) / people.length; atMs < turnMs; atMs += ms) timers.push(setTimeout(work, atMs));
    return timers;
  };
  people.forEach((member, index) => {
    const { cookie } = member.person;
    every(chatEveryMs, index, () =>
      take(into.chat, () => member.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: 'hello there' })),
    );
    every(sessionEveryMs, index, () =>
      take(into.session, async () => {
        const answer = await fetch(`${url}/api/session`, { headers: { ...addressOf(member.person), cookie } });
        if (!answer.ok) throw new Error(`/api/session: ${String(answer.status)}`);
        await answer.arrayBuffer();
      }),
    );
  });
  await pause(turnMs + 50);
  await Promise.all(waiting);
}

/** Work that an attack left behind must not be counted in the quiet turn. */
async function untilIdle(pid: number): Promise<void> {
  for (let looks = 0; looks < 300; looks += 1) {
    const before = cpuSeconds(pid);
    await pause(300);
    if (cpuSeconds(pid) - before < 0.06) return;
  }
}

async function measure(kind: string, world: AttackWorld, people: readonly Member[], room: Room, pid: number) {
  const attacker = fork(join(import.meta.dirname, 'attacker.ts'));
  // An attacker has a machine of their own: what is measured is the server, not who gets the processors of this one.
  setPriority(attacker.pid ?? 0, constants.priority.PRIORITY_LOW);
  const tell = async (order: Order) => {
    attacker.send(order);
    const [said] = (await once(attacker, 'message')) as [string];
    if (said !== 'done') throw new Error(said);
  };
  const row: Row = { kind, pairs: [], cpuMs: 0 };
  const empty = (): Samples => ({ chat: [], session: [] });
  for (let n = 0; n < turns; n += 1) {
    const pair: Pair = { without: empty(), with: empty() };
    row.pairs.push(pair);
    await untilIdle(pid);
    const began = cpuSeconds(pid);
    await turn(people, room, world.url, pair.without);
    const quiet = cpuSeconds(pid) - began;
    // Its tabs may find no place while the last ones are closed.
    await tell({ type: 'start', kind, world }).catch(async () => {
      await pause(3000);
      await tell({ type: 'start', kind, world });
    });
    await pause(300);
    const attacked = cpuSeconds(pid);
    await turn(people, room, world.url, pair.with);
    row.cpuMs += (cpuSeconds(pid) - attacked - quiet) * 1000;
    await tell({ type: 'stop' });
  }
  attacker.kill();
  return row;
}

const middle = (numbers: readonly number[]): number => percentile(numbers, 0.5);
const p95Of = ({ pairs }: Row, which: keyof Pair, of: keyof Samples): number =>
  middle(pairs.map((pair) => percentile(pair[which][of], 0.95)));
/** Of turns that follow each other, because other work on the machine comes and goes. */
const ratioOf = ({ pairs }: Row, of: keyof Samples): number =>
  middle(pairs.map((pair) => percentile(pair.with[of], 0.95) / percentile(pair.without[of], 0.95)));
const worstRatio = (row: Row): number => Math.max(ratioOf(row, 'chat'), ratioOf(row, 'session'));

function report(rows: readonly Row[]): string {
  const seconds = (turns * (turnMs + 50)) / 1000;
  const lines = rows.map((row) => {
    const cells = (['chat', 'session'] as const).flatMap((of) =>
      (['without', 'with'] as const).map((which) => p95Of(row, which, of).toFixed(1)),
    );
    const ratios = [ratioOf(row, 'chat').toFixed(2), ratioOf(row, 'session').toFixed(2)];
    const cpu = (row.cpuMs / 10 / seconds).toFixed(1);
    return `| ${[row.kind, ...cells, ...ratios, cpu].join(' | ')} |`;
  });
  const samples = (of: keyof Samples) => String(rows[0]?.pairs[0]?.with[of].length ?? 0);
  return `# One attacker, measured

\`npm run bench -- attackers${isPostgres ? ' postgresql' : ''}\`

One signed-in person attacks within the limits, from a process of their own; ${String(talkers)} others talk in a room and load
\`/api/session\`. Turns of ${String(turnMs / 1000)} s without and with the attacker alternate ${String(turns)} times, each with ${samples('chat')} messages and ${samples('session')} sessions. A p95 is
that of the turn in the middle; a ratio is that of two turns that follow each other, again the one in the middle. The goal is ${String(mostRatio)}.
Server, attacker and the others share ${String(cpus().length)} cores, on which other work ran beside the measurement; the attacker has a low priority, because in truth they have a machine of their own.

| attack | message p95 ms, without | with | session p95 ms, without | with | ratio of messages | of sessions | % of a core |
|---|---|---|---|---|---|---|---|
${lines.join('\n')}
`;
}

/** Where the server stores, and what ends it. A database of PostgreSQL writes to the disk as a real one does. */
async function run(kinds: readonly string[]): Promise<Row[]> {
  const data = await makeTempDir('bench-attackers');
  const storage = await openStorage(data.path, isPostgres);
  const made = await makeAttackWorld(storage.url, talkers);
  const env = { ...storage.env, TRUST_PROXY: 'true', RATE_LIMIT_SCALE: '1', LOG_LEVEL: 'error' };
  const server = await startServerProcess({ dataDir: data.path, env });
  const { url, pid } = server;
  const arrive = (person: Member['person']) => connect(url, person, addressOf(person));
  const people = await Promise.all(made.people.map(arrive));
  const [host, ...guests] = people as [Member, ...Member[]];
  const { code } = await host.ask('rooms/create', { clientId: newClientId(), kind: 'video', name: 'The others' });
  const room: Room = { kind: 'video', code };
  for (const guest of guests) await letIn(host, guest, room);
  for (const member of people) await member.ask('rooms/enter', room);
  const villain = await arrive(made.attacker);
  // Filling a queue takes minutes.
  const isLarge = kinds.some((kind) => ofLargestRoom.has(kind));
  const full = isLarge ? await openFullRoom(villain, enqueueEveryMs) : room;
  for (const mate of isLarge ? made.mates : []) {
    const member = await arrive(mate);
    await letIn(villain, member, full);
    member.line.disconnect();
  }
  villain.line.disconnect();
  const { attacker, mates, watched, writer } = made;
  const world: AttackWorld = { url, attacker, mates, room: full, watched, writer };
  const rows: Row[] = [];
  for (const kind of kinds) {
    const row = await measure(kind, world, people, room, pid);
    console.log(`${kind}: ${worstRatio(row).toFixed(2)}`);
    rows.push(row);
  }
  people.forEach(({ line }) => line.disconnect());
  await server.dispose();
  await storage.end();
  await data.remove();
  return rows;
}

const isPostgres = process.argv[2] === 'postgresql';
const asked = process.argv.slice(isPostgres ? 3 : 2);
const known = attackKinds.map(({ name }) => name);
if (asked.some((name) => !known.includes(name))) {
  console.log(`Attacks: ${known.join(', ')}`);
  process.exit(asked[0] === '--list' ? 0 : 2);
}
const rows = await run(asked.length > 0 ? asked : known);
writePage(isPostgres ? 'attackers-postgresql' : 'attackers', report(rows));
console.log(report(rows));
process.exit(rows.every((row) => worstRatio(row) <= mostRatio) ? 0 : 1);

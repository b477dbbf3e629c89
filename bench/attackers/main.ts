/**
 * What signed-in attackers of one address do to all others: how long others wait for the answer to a message in their
 * room and for /api/session, without and with one attacker, in turns of the same run, and with several accounts at once;
 * and what the server holds meanwhile. Writes results/attackers.md and ends with 1 when a goal is missed: the p95 of one
 * more than doubles, a p99 is above 100 ms, or the server grows by over 100 MB more than without an attack.
 * Usage: npm run bench -- attackers [postgresql] [name of an attack …]
 * (default: all, on SQLite; `npm run bench -- attackers --list` names them)
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, cpus, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { newClientId } from '@tunemate/testkit/answers';
import { connect, type Member, type Room, roomOf } from '@tunemate/testkit/worlds/crowd';
import { median, percentile } from '@tunemate/testkit/percentile';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import type { Order } from './attacker.ts';
import { attackKinds, noAttack } from './attack-kinds.ts';
import { addressOf, type Attack, crowds, fillLibrary, makeAttackWorld } from './attack-world.ts';
import { openStorage } from '../load/load-parts.ts';
import { cpuSeconds, residentMb } from '../load/process-cost.ts';
import { writePage } from '../report/write-page.ts';

const talkers = 20;
/** An odd number: a figure is that of the turn in the middle, since other work on the machine comes and goes. */
const turns = 3;
const turnMs = 2000;
/** Of a p99 with several accounts. */
const crowdTurnMs = 6000;
const chatEveryMs = 1000;
const sessionEveryMs = 250;
const goals = { ratio: 2, p99Ms: 100, megabytes: 100 };
const lookEveryMs = 50;

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
  /** The turns of 5 and those of 20 accounts, each with what the attackers were answered in a second. */
  crowds: { samples: Samples; answersPerSecond: number }[][];
  /** Processor time of the server for the attacker alone. */
  cpuMs: number;
  /** The most that the server held while it was attacked, over what it held before. */
  addedMb: number;
}

const noSamples = (): Samples => ({ chat: [], session: [] });

/** What each of the others asks for during one turn; resolves when all of it was answered. */
async function turn(people: readonly Member[], room: Room, url: string, lastsMs: number): Promise<Samples> {
  const into = noSamples();
  const waiting: Promise<void>[] = [];
  const take = (list: number[], work: () => Promise<unknown>) => {
    const sinceMs = performance.now();
    waiting.push(work().then(() => void list.push(performance.now() - sinceMs)));
  };
  const every = (ms: number, index: number, work: () => void) => {
    for (let atMs = (ms * index) / people.length; atMs < lastsMs; atMs += ms) setTimeout(work, atMs);
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
  await pause(lastsMs + 50);
  await Promise.all(waiting);
  return into;
}

/** Work that an attack left behind must not be counted in the quiet turn. */
async function untilIdle(pid: number): Promise<void> {
  for (let looks = 0; looks < 300; looks += 1) {
    const before = cpuSeconds(pid);
    await pause(300);
    if (cpuSeconds(pid) - before < 0.06) return;
  }
}

interface World extends Pick<Attack, 'url' | 'mates' | 'attackers'> {
  pid: number;
  people: readonly Member[];
  room: Room;
}

/** The process of the attackers, who have a machine of their own: what is measured is the server, not who gets a processor. */
function startAttackers() {
  const attackers = fork(join(import.meta.dirname, 'attacker.ts'));
  setPriority(attackers.pid ?? 0, constants.priority.PRIORITY_LOW);
  const tell = async (order: Order): Promise<number> => {
    attackers.send(order);
    const [said] = (await once(attackers, 'message')) as [string];
    if (!said.startsWith('done')) throw new Error(said);
    return Number(said.split(' ')[1]);
  };
  return { tell, end: () => attackers.kill() };
}

/** Each turn has accounts and an address of its own, so that none begins with limits that an earlier one used up. */
async function measure(kind: string, { url, pid, people, room, attackers, mates }: World): Promise<Row> {
  const { tell, end } = startAttackers();
  const row: Row = { kind, pairs: [], crowds: [], cpuMs: 0, addedMb: 0 };
  const left = attackers.slice();
  let heldMb: number | null = null;
  const attacked = async (count: number, lastsMs: number) => {
    heldMb ??= residentMb(pid);
    const before = heldMb;
    const look = () => (row.addedMb = Math.max(row.addedMb, residentMb(pid) - before));
    const looking = setInterval(look, lookEveryMs);
    const address = { 'x-forwarded-for': `10.255.255.${String(left.length)}` };
    const order = { type: 'start' as const, kind, attack: { url, mates, address, attackers: left.splice(0, count) } };
    // Its tabs may find no place while the last ones are closed.
    await tell(order).catch(async () => {
      await pause(3000);
      await tell(order);
    });
    await pause(300);
    const cpuMs = cpuSeconds(pid) * 1000;
    const samples = await turn(people, room, url, lastsMs);
    const usedMs = cpuSeconds(pid) * 1000 - cpuMs;
    const answers = await tell({ type: 'stop' });
    clearInterval(looking);
    return { samples, usedMs, answersPerSecond: answers / ((lastsMs + 350) / 1000) };
  };
  for (let n = 0; n < turns; n += 1) {
    await untilIdle(pid);
    const began = cpuSeconds(pid);
    const without = await turn(people, room, url, turnMs);
    const quietMs = (cpuSeconds(pid) - began) * 1000;
    const { samples, usedMs } = await attacked(1, turnMs);
    row.pairs.push({ without, with: samples });
    row.cpuMs += usedMs - quietMs;
  }
  for (const count of crowds) {
    const ofCount: Row['crowds'][number] = [];
    for (let n = 0; n < turns; n += 1) {
      await untilIdle(pid);
      ofCount.push(await attacked(count, crowdTurnMs));
    }
    row.crowds.push(ofCount);
  }
  end();
  return row;
}

const p95Of = ({ pairs }: Row, which: keyof Pair, of: keyof Samples): number =>
  median(pairs.map((pair) => percentile(pair[which][of], 0.95)));
/** Of turns that follow each other. */
const ratioOf = ({ pairs }: Row, of: keyof Samples): number =>
  median(pairs.map((pair) => percentile(pair.with[of], 0.95) / percentile(pair.without[of], 0.95)));
const worstRatio = (row: Row): number => Math.max(ratioOf(row, 'chat'), ratioOf(row, 'session'));
/** Of the messages or of the sessions, which of them is longer. */
const p99Of = (some: readonly Samples[]): number =>
  median(some.map(({ chat, session }) => Math.max(percentile(chat, 0.99), percentile(session, 0.99))));
/** Without an attack, with one account, and with several. */
const p99sOf = ({ pairs, crowds: several }: Row): [quiet: number, ...attacked: number[]] => [
  p99Of(pairs.map((pair) => pair.without)),
  p99Of(pairs.map((pair) => pair.with)),
  ...several.map((ofCount) => p99Of(ofCount.map(({ samples }) => samples))),
];
/** What is left of the growth without that of the row in which no account attacks. */
const attackMb = (row: Row, control: Row): number => row.addedMb - control.addedMb;
const isMet = (row: Row, control: Row): boolean =>
  worstRatio(row) <= goals.ratio &&
  p99sOf(row)
    .slice(1)
    .every((ms) => ms <= goals.p99Ms) &&
  attackMb(row, control) <= goals.megabytes;

function lineOf(row: Row, control: Row): string {
  const seconds = (turns * (turnMs + 50)) / 1000;
  const cells = (['chat', 'session'] as const).flatMap((of) =>
    (['without', 'with'] as const).map((which) => p95Of(row, which, of).toFixed(1)),
  );
  const ratios = [ratioOf(row, 'chat').toFixed(2), ratioOf(row, 'session').toFixed(2)];
  const cpu = (row.cpuMs / 10 / seconds).toFixed(1);
  const answers = median((row.crowds.at(-1) ?? []).map(({ answersPerSecond }) => answersPerSecond));
  const last = [
    row.addedMb.toFixed(0),
    attackMb(row, control).toFixed(0),
    cpu,
    answers === 0 ? '' : answers.toFixed(0),
  ];
  return `| ${[row.kind, ...cells, ...ratios, ...p99sOf(row).map((ms) => ms.toFixed(0)), ...last].join(' | ')} |`;
}

function report(rows: readonly [control: Row, ...attacks: Row[]]): string {
  const samples = (of: keyof Samples) => String(rows[0].pairs[0]?.with[of].length ?? 0);
  const ofCrowd = (of: keyof Samples) => String(rows[0].crowds[0]?.[0]?.samples[of].length ?? 0);
  return `# Attackers of one address, measured

\`npm run bench -- attackers${isPostgres ? ' postgresql' : ''}\`

Signed-in people behind one address attack within the limits, from a process of their own; ${String(talkers)} others, each elsewhere, talk in a room and
load \`/api/session\`. Turns of ${String(turnMs / 1000)} s without and with one attacker alternate ${String(turns)} times, each with ${samples('chat')} messages and ${samples('session')} sessions. A p95
is that of the turn in the middle; a ratio is that of two turns that follow each other, again the one in the middle. The goal is ${String(goals.ratio)}.
Then ${crowds.join(' and ')} accounts of one address attack, ${String(turns)} times ${String(crowdTurnMs / 1000)} s each (${ofCrowd('chat')} messages, ${ofCrowd('session')} sessions); a p99 is the longer of that of the messages and
that of the sessions, of the turn in the middle. Its goal is ${String(goals.p99Ms)} ms. Each row begins with a server just started, each turn with
accounts and an address that no other turn had. '+ MB' is the most that the server held over what it held before the first attack; since a
server that was just started grows with its first visitors, the first row is of the others alone, and 'of the attack' is what is left
without its growth: the goal is ${String(goals.megabytes)} MB. A row that names a request is that question at full pace
from up to nine tabs of each account: a room with a full queue of long titles, a library of 5,000 files, a hundred chats, one
of them with a page of the longest messages. Server, attackers and the others share ${String(cpus().length)} cores; the attackers have a low priority, because in truth they have machines of their own.

| attack | message p95 ms, without | with | session p95 ms, without | with | ratio of messages | of sessions | p99 ms of the others, quiet | 1 account | ${crowds.map((count) => `${String(count)} accounts`).join(' | ')} | + MB | of the attack, MB | % of a core, 1 account | answers a second, ${String(crowds.at(-1))} accounts |
|${'---|'.repeat(13 + crowds.length)}
${rows.map((row) => lineOf(row, rows[0])).join('\n')}
`;
}

/** Where the server stores, and what ends it. A database of PostgreSQL writes to the disk as a real one does. */
async function run(kinds: readonly string[]): Promise<[control: Row, ...attacks: Row[]]> {
  const data = await makeTempDir('bench-attackers');
  const storage = await openStorage(data.path, isPostgres);
  const made = await makeAttackWorld(storage.url, talkers, turns);
  const library = join(data.path, 'library');
  await fillLibrary(library);
  const env = { ...storage.env, TRUST_PROXY: 'true', RATE_LIMIT_SCALE: '1', LOG_LEVEL: 'error', MEDIA_DIR: library };
  const server = await startServerProcess({ dataDir: data.path, env });
  const { url } = server;
  const arrive = async () => await Promise.all(made.people.map((person) => connect(url, person, addressOf(person))));
  const [host, ...guests] = (await arrive()) as [Member, ...Member[]];
  const room = await roomOf(host, 'video', ...guests);
  const rowOf = async (kind: string): Promise<Row> => {
    await server.stop();
    await server.restart();
    const people = await arrive();
    for (const member of people) await member.ask('rooms/enter', room);
    const row = await measure(kind, { ...made, url, pid: server.pid, people, room });
    people.forEach(({ line }) => line.disconnect());
    return row;
  };
  const control = await rowOf(noAttack.name);
  const rows: [Row, ...Row[]] = [control];
  console.log(lineOf(control, control));
  for (const kind of kinds) {
    const row = await rowOf(kind);
    console.log(lineOf(row, control));
    rows.push(row);
  }
  await server.dispose();
  await storage.end();
  await data.remove();
  return rows;
}

const isPostgres = process.argv[2] === 'postgresql';
const asked = process.argv.slice(isPostgres ? 3 : 2);
const known = attackKinds.filter((kind) => kind !== noAttack).map(({ name }) => name);
if (asked.some((name) => !known.includes(name))) {
  console.log(`Attacks: ${known.join(', ')}`);
  process.exit(asked[0] === '--list' ? 0 : 2);
}
const rows = await run(asked.length > 0 ? asked : known);
writePage(isPostgres ? 'attackers-postgresql' : 'attackers', report(rows));
console.log(report(rows));
process.exit(rows.every((row) => isMet(row, rows[0])) ? 0 : 1);

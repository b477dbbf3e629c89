/**
 * Thousands of rude connections against a server on which people talk: does every process live, does memory return, and
 * do people notice? Writes results/rude.md; ends with 1 when a goal is missed.
 * Usage: npm run bench -- rude [visits [one | two]]   (default 10000, first one process on SQLite, then two over
 * PostgreSQL and Redis)
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePeople } from '@tunemate/testkit/worlds/crowd';
import type { Person } from '@tunemate/testkit/worlds/people';
import { makeTunemates } from '@tunemate/testkit/worlds/durability';
import { percentile } from '@tunemate/testkit/percentile';
import { startPostgres } from '@tunemate/testkit/services/postgres';
import { type ServerProcess, startServerProcess } from '@tunemate/testkit/services/process';
import { startRedis } from '@tunemate/testkit/services/redis';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { residentMb } from '../load/process-cost.ts';
import { startTalk } from './rude-people.ts';
import type { VisitAnswer, VisitOrder } from './rude-visitors.ts';

const visits = Number(process.argv[2] ?? 10_000);
const only = process.argv[3];
const perSecond = 60;
const people = 20;
/** The accounts whose tabs misbehave: so many that none loses more connections than the server's limits allow. */
const rudePeople = 300;
/** Shorter in a short run, which only shows that all of this works. */
const quietMs = Math.min(12_000, visits * 20);
/** Longer than the server waits for the rest of an incomplete request. */
const settleMs = Math.min(25_000, visits * 40);
const warmUpVisits = Math.min(400, visits);
const goals = { grownMb: 20, ratio: 1.5 };
const resultsPath = join(import.meta.dirname, '../results', 'rude.md');

interface Setting {
  readonly title: string;
  readonly servers: ServerProcess[];
  readonly accounts: Person[];
  close(): Promise<void>;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const env = { RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'warn' };
/** A debugger's port, over which memory can be collected; nothing of the product needs it. */
const nodeFlags = ['--inspect=127.0.0.1:0'];

async function accountsIn(databaseUrl: string): Promise<Person[]> {
  const accounts = await makePeople(databaseUrl, people + rudePeople);
  const pairs = accounts.flatMap((one, n) => (n % 2 === 0 ? [[one, accounts[n + 1] ?? one] as const] : []));
  await makeTunemates(databaseUrl, pairs);
  return accounts;
}

async function oneProcess(): Promise<Setting> {
  const data = await makeTempDir('bench-rude');
  const accounts = await accountsIn(`sqlite:${join(data.path, 'tunemate.sqlite')}`);
  const servers = [await startServerProcess({ dataDir: data.path, env, nodeFlags })];
  return { title: 'one process on SQLite', servers, accounts, close: () => data.remove() };
}

async function twoProcesses(): Promise<Setting> {
  const [postgres, redis, data] = [await startPostgres(), await startRedis(), await makeTempDir('bench-rude')];
  const database = await postgres.createDatabase();
  const accounts = await accountsIn(database.url);
  const shared = { ...env, DATABASE_URL: database.url, REDIS_URL: redis.url };
  const start = () => startServerProcess({ dataDir: data.path, env: shared, nodeFlags });
  const servers = [await start(), await start()];
  return {
    title: 'two processes over PostgreSQL and Redis',
    servers,
    accounts,
    async close() {
      await redis.stop();
      await postgres.stop();
      await data.remove();
    },
  };
}

/** Collects garbage twice: the first round can release objects that only the second one frees. */
async function collect(server: ServerProcess): Promise<void> {
  const address = /Debugger listening on (ws:\S+)/.exec(server.log())?.[1] ?? '';
  const inspector = new WebSocket(address);
  await new Promise((resolve) => inspector.addEventListener('open', resolve, { once: true }));
  for (const id of [1, 2]) {
    const answered = new Promise((resolve) => inspector.addEventListener('message', resolve, { once: true }));
    inspector.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }));
    await answered;
  }
  inspector.close();
  await pause(1000);
}

const openFiles = ({ pid }: ServerProcess): number => readdirSync(`/proc/${String(pid)}/fd`).length;

async function stateOf(servers: readonly ServerProcess[]) {
  for (const server of servers) await collect(server);
  return servers.map((server) => ({ mb: residentMb(server.pid), files: openFiles(server) }));
}

/** `onBegin` is called when the visitors' process runs, so that its start is not measured. */
async function visit(
  { servers, accounts }: Setting,
  firstSeed: number,
  count: number,
  onBegin: () => unknown = () => undefined,
): Promise<VisitAnswer> {
  const targets = accounts.slice(people).map(({ cookie }, n) => {
    const url = servers[n % servers.length]?.url ?? '';
    return { port: Number(new URL(url).port), origin: url, cookie };
  });
  const visitors = fork(join(import.meta.dirname, 'rude-visitors.ts'));
  await once(visitors, 'message');
  onBegin();
  visitors.send({ targets, firstSeed, visits: count, perSecond } satisfies VisitOrder);
  const [answer] = (await once(visitors, 'message')) as [VisitAnswer];
  return answer;
}

async function isAlive({ url, pid }: ServerProcess, pidBefore: number): Promise<boolean> {
  const answers = await fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
  return answers && pid === pidBefore;
}

async function measure(setting: Setting) {
  const { servers, accounts } = setting;
  const pids = servers.map(({ pid }) => pid);
  const talk = await startTalk(
    servers.map(({ url }) => url),
    accounts.slice(0, people),
  );
  // The first of everything is slow and stays in memory: code, caches, connections to the database.
  await visit(setting, 1_000_000, warmUpVisits);
  await pause(settleMs);
  const before = await stateOf(servers);
  talk.take();
  await pause(quietMs);
  const quiet = talk.take();
  const { reached } = await visit(setting, 1, visits, () => talk.take());
  const rude = talk.take();
  const peakMb = servers.map(({ pid }) => residentMb(pid));
  await pause(quietMs);
  quiet.push(...talk.take());
  await pause(Math.max(0, settleMs - quietMs));
  const after = await stateOf(servers);
  await talk.stop();
  const alive = await Promise.all(servers.map((server, n) => isAlive(server, pids[n] ?? 0)));
  const errors = servers.flatMap((server) => server.log().match(/^.*"level":(?:50|60).*$/gm) ?? []);
  return { reached, before, peakMb, after, alive, errors, failures: talk.failures(), quiet, rude };
}

const round = (value: number, digits = 1): number => Number(value.toFixed(digits));

function report(title: string, run: Awaited<ReturnType<typeof measure>>) {
  const p95 = { quiet: percentile(run.quiet, 0.95), rude: percentile(run.rude, 0.95) };
  const ratio = p95.rude / p95.quiet;
  const grownMb = Math.max(...run.after.map(({ mb }, n) => mb - (run.before[n]?.mb ?? 0)));
  const list = (values: readonly number[]): string => values.map((value) => round(value)).join(', ');
  const rows: [string, string | number, string, boolean][] = [
    ['visits, of which reached their stage', `${String(visits)}, ${String(run.reached)}`, '', true],
    [
      'processes alive',
      `${String(run.alive.filter(Boolean).length)} of ${String(run.alive.length)}`,
      'all',
      !run.alive.includes(false),
    ],
    ['lines of level error in the log', run.errors.length, '0', run.errors.length === 0],
    ['requests of people that failed', run.failures, '0', run.failures === 0],
    ['memory before, MB', list(run.before.map(({ mb }) => mb)), '', true],
    ['memory at the end of the visits, MB', list(run.peakMb), '', true],
    ['memory after, MB', list(run.after.map(({ mb }) => mb)), '', true],
    ['grown by at most, MB', round(grownMb), `<= ${String(goals.grownMb)}`, grownMb <= goals.grownMb],
    [
      'open files before and after',
      `${list(run.before.map(({ files }) => files))}; ${list(run.after.map(({ files }) => files))}`,
      '',
      true,
    ],
    [
      'acknowledged without visits, p50 and p95, ms',
      `${String(round(percentile(run.quiet, 0.5)))}, ${String(round(p95.quiet))} (${String(run.quiet.length)})`,
      '',
      true,
    ],
    [
      'acknowledged during visits, p50 and p95, ms',
      `${String(round(percentile(run.rude, 0.5)))}, ${String(round(p95.rude))} (${String(run.rude.length)})`,
      '',
      true,
    ],
    ['p95 during visits to p95 without', round(ratio, 2), `<= ${String(goals.ratio)}`, ratio <= goals.ratio],
  ];
  console.log(`\n${title}`);
  console.table(Object.fromEntries(rows.map(([figure, value, goal, isMet]) => [figure, { value, goal, isMet }])));
  for (const line of run.errors.slice(0, 5)) console.log(line);
  const missed = rows.filter(([, , , isMet]) => !isMet).map(([figure]) => figure);
  const table = [
    '| figure | value | goal |',
    '| --- | --- | --- |',
    ...rows.map(([figure, value, goal]) => `| ${figure} | ${String(value)} | ${goal} |`),
  ].join('\n');
  const verdict = missed.length === 0 ? 'Every goal is met.' : `Missed: ${missed.join('; ')}.`;
  return { section: `## ${title}\n\n${table}\n\n${verdict}`, isMet: missed.length === 0 };
}

const header = `# Rude connections

\`npm run bench -- rude\`

Seeded visitors come at ${String(perSecond)} a second, and each breaks off at some stage of HTTP, of an upgrade or of the socket:
reset, half-closed, cut, stalled, trickled, or in another protocol altogether. ${String(people)} people write to each other
meanwhile, privately and in a room. Memory is measured after a first ${String(warmUpVisits)} visits and again ${String(settleMs / 1000)} s after the last one,
each time after a garbage collection. Visitors, people and servers share one machine.`;

/** Keeps the section of the other setting when only one was run. */
async function save(sections: ReadonlyMap<string, string>): Promise<void> {
  const known = await readFile(resultsPath, 'utf8').catch(() => '');
  const kept = new Map(
    known
      .split(/^(?=## )/m)
      .flatMap((text) => (text.startsWith('## ') ? [[text.split('\n', 1)[0] ?? '', text.trim()]] : [])),
  );
  for (const text of sections.values()) kept.set(text.split('\n', 1)[0] ?? '', text);
  await writeFile(resultsPath, `${[header, ...kept.values()].join('\n\n')}\n`);
}

const sections = new Map<string, string>();
for (const [name, open] of [
  ['one', oneProcess],
  ['two', twoProcesses],
] as const) {
  if (only !== undefined && only !== name) continue;
  const setting = await open();
  try {
    const { section, isMet } = report(setting.title, await measure(setting));
    sections.set(name, section);
    if (!isMet) process.exitCode = 1;
  } finally {
    for (const server of setting.servers) await server.dispose();
    await setting.close();
  }
}
await save(sections);
process.exit(process.exitCode ?? 0);

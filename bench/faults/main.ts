/**
 * Breaks everything that can break while people listen and talk, on one process and on three behind a balancer, and
 * holds what they wrote and saw against the database. Writes results/faults.md after each round, so that a long run may
 * be broken off.
 * Usage: npm run faults [-- runs] [--long] [--only=disk-full,redis-killed] [--on=one]   (default 20 runs of the short
 * form; `--long` has the times of the table of faults)
 */
import { loadavg } from 'node:os';
import { roomKinds } from '@tunemate/protocol';
import type { Fault } from './fault.ts';
import { withoutPaths } from './logged.ts';
import { crowd, faults, runFaults } from './run-faults.ts';
import { openSetUp, type SetUp, setUps, type SetUpName } from './set-ups.ts';
import { writePage } from '../report/write-page.ts';

interface Row {
  fault: Fault;
  on: SetUpName;
  runs: number;
  failed: number;
  acknowledged: number;
  longestMs: number;
  /** Why it was not run. */
  why: string;
}

const given = process.argv.slice(2);
const option = (name: string) => given.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3);
const isLong = given.includes('--long');
const runs = Number(given.find((each) => /^\d+$/.test(each)) ?? (isLong ? 2 : 20));
const only = option('only')?.split(',');
const on = setUps.filter((name) => (option('on') ?? name) === name);
const chosen = faults.filter(({ id }) => only?.includes(id) ?? true);
const problemsSeen: string[] = [];
const startedMs = Date.now();

const rows = new Map<string, Row>();
for (const name of on) {
  for (const onSmallDisk of [false, true]) await runAllOn(name, onSmallDisk);
}
const failed = [...rows.values()].reduce((total, row) => total + row.failed, 0);
process.exit(failed === 0 ? 0 : 1);

/**
 * Round after round, each fault once. A set-up in which something went wrong, or whose clocks moved, is not used again.
 */
async function runAllOn(name: SetUpName, onSmallDisk: boolean): Promise<void> {
  const here = chosen.filter((fault) => (fault.onSmallDisk ?? false) === onSmallDisk);
  let setUp: SetUp | null = null;
  for (const fault of here) rows.set(`${fault.id} ${name}`, emptyRow(fault, name));
  for (let run = 0; run < runs; run += 1) {
    for (const fault of here) {
      const row = rows.get(`${fault.id} ${name}`);
      if (!row || row.why !== '') continue;
      setUp ??= await openSetUp(name, { seed: run + 1, more: crowd, onSmallDisk });
      const isWell = await runOne(setUp, row, run);
      if (isWell && !fault.movesClocks) continue;
      await setUp.stop();
      setUp = null;
    }
    report();
  }
  await setUp?.stop();
}

async function runOne(setUp: SetUp, row: Row, run: number): Promise<boolean> {
  const startMs = performance.now();
  const kind = roomKinds[run % roomKinds.length] ?? 'video';
  const judged = await runFaults(setUp, [row.fault], { isLong, kind }).catch((error: unknown) => ({
    acknowledged: 0,
    failed: 0,
    problems: [String(error)],
  }));
  row.runs += 1;
  row.acknowledged += judged.acknowledged;
  row.longestMs = Math.max(row.longestMs, performance.now() - startMs);
  const isWell = judged.problems.length === 0;
  if (!isWell) row.failed += 1;
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(`${isWell ? 'ok  ' : 'FAIL'} ${row.fault.id} on ${row.on}, run ${String(run + 1)}, ${seconds} s`);
  for (const problem of judged.problems) console.log(`     ${problem.slice(0, 1600)}`);
  problemsSeen.push(
    ...judged.problems.map((problem) => `${row.fault.id} on ${row.on}: ${withoutPaths(problem).slice(0, 300)}`),
  );
  return isWell;
}

function emptyRow(fault: Fault, name: SetUpName): Row {
  return { fault, on: name, runs: 0, failed: 0, acknowledged: 0, longestMs: 0, why: fault.not?.[name] ?? '' };
}

function report(): void {
  const sorted = [...rows.values()].toSorted((a, b) => faults.indexOf(a.fault) - faults.indexOf(b.fault));
  const lines = sorted.map((row) => {
    const result = row.why === '' ? `${String(row.runs - row.failed)} of ${String(row.runs)}` : `not run: ${row.why}`;
    const took = row.why === '' ? (row.longestMs / 1000).toFixed(1) : '';
    return `| ${row.fault.id} | ${row.fault.what} | ${row.on} | ${result} | ${row.why === '' ? String(row.acknowledged) : ''} | ${took} |`;
  });
  const minutes = Math.round((Date.now() - startedMs) / 60_000);
  const text = `# What breaks while people listen and talk

\`npm run faults -- ${given.join(' ')}\`

A host plays, three guests talk to the room and to each other, one person has left, a stranger tries to get in; their
pages are the models of the web application over real sockets, some with clocks twelve hours off. Something breaks and is
mended. Then nothing acknowledged may be lost, doubled or out of order; all in the room see the same room, chat and queue,
and these are what the database has; no page saw a word that was not for its user; no person was shown as offline who was away for
less than 40 s. "One" is one process on SQLite; "three" are three processes behind a balancer on PostgreSQL and Redis.
${isLong ? 'Times are those of the table of faults.' : 'Times are short: a second or less where the table of faults has minutes.'} ${String(minutes)} minutes in all, on a shared machine with 2 cores and a load average of ${loadavg()[2]?.toFixed(0) ?? ''}.

| fault | what | set-up | went well | acknowledged | longest run s |
| --- | --- | --- | --- | --- | --- |
${lines.join('\n')}
${problemsSeen.length === 0 ? '' : `\nWhat went wrong:\n\n${[...new Set(problemsSeen)].map((problem) => `- ${problem}`).join('\n')}\n`}`;
  writePage('faults', text);
}

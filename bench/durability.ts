/**
 * People write to each other while the server is killed under them, again and again; a fresh server and database for
 * every 50 kills. Writes results/durability.md after each 50; ends with 1 when something was lost, doubled or out of
 * order.
 * Usage: npm run bench -- durability [kills]   (default 50; the long form is 1000)
 */
import { loadavg } from 'node:os';
import { type DurabilityReport, runDurability } from '@tunemate/testkit/worlds/durability';
import { percentile } from '@tunemate/testkit/percentile';
import { writePage } from './report/write-page.ts';

const wanted = Number(process.argv[2] ?? 50);
const killsAtOnce = 50;
const secondsPerKill = 3;
const reports: DurabilityReport[] = [];

for (let done = 0; done < wanted; done += killsAtOnce) {
  const kills = Math.min(killsAtOnce, wanted - done);
  const seconds = Math.max(20, kills * secondsPerKill);
  const report = await runDurability({
    pairs: 20,
    seconds,
    sendsPerSecond: 200,
    kills,
    cuts: kills,
    closings: kills,
    seed: 2026 + done,
  });
  reports.push(report);
  const { readyMs: _, ...counts } = report;
  console.log(JSON.stringify(counts));
  writeReport();
}
process.exit(faultsOf(reports) === 0 ? 0 : 1);

function faultsOf(some: readonly DurabilityReport[]): number {
  return some.reduce(
    (total, each) => total + each.lost + each.doubled + each.outOfOrder + each.actsLost + each.ticksBack,
    0,
  );
}

function writeReport(): void {
  const sum = (read: (report: DurabilityReport) => number) =>
    String(reports.reduce((total, report) => total + read(report), 0));
  const ready = reports.flatMap(({ readyMs }) => readyMs);
  const ms = (share: number) => String(Math.round(percentile(ready, share)));
  writePage(
    'durability',
    `# kill -9, again and again

\`npm run bench -- durability ${String(wanted)}\`

Forty people write to each other, each in two tabs at a time, in which the page's own outbox runs, up to 200 messages a second;
they edit, react to, delete and hide what they wrote, pin, mute and archive their chat, and clear it for themselves, each request
until it is acknowledged. The server, one process on SQLite, is killed (SIGKILL) at random moments and started again, single
connections are cut, and tabs are closed while messages wait in them. Afterwards the history of every client
is held against the database. Server and clients share 2 cores.

| figure | measured | goal |
| --- | --- | --- |
| kills | ${sum((report) => report.kills)} | 1000 |
| connections cut | ${sum((report) => report.cuts)} | |
| tabs closed | ${sum((report) => report.tabsClosed)} | |
| messages acknowledged | ${sum((report) => report.acknowledged)} | |
| acknowledged and lost | ${sum((report) => report.lost)} | 0 |
| stored twice | ${sum((report) => report.doubled)} | 0 |
| out of order, or a hole in the numbers | ${sum((report) => report.outOfOrder)} | 0 |
| edits, reactions, deletions, hidden messages, arranged and cleared chats acknowledged | ${sum((report) => report.acts)} | |
| messages and chats that are not as these left them | ${sum((report) => report.actsLost)} | 0 |
| ticks that went back | ${sum((report) => report.ticksBack)} | 0 |
| from the start of the process to ready, median | ${ms(0.5)} ms | 1000 ms |
| the same, p95 | ${ms(0.95)} ms | |
| the same, longest | ${ms(1)} ms | |
| load average of the machine (15 min) | ${loadavg()[2]?.toFixed(0) ?? ''} | |
`,
  );
}

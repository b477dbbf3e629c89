/**
 * Many requests made from the schemas and broken in places, on SQLite, a fresh server for each 10,000; and files and
 * answers of other servers, changed in places, for all that reads them. Writes results/fuzz.md after each part, so that a
 * long run may be broken off; ends with 1 when the server failed.
 * Usage: npm run bench -- fuzz [requests [seed [files]]]   (default 100000 from seed 1 on, and 100000 of the quickest
 * reader; an hour: 200000 1 1000000)
 */
import { join } from 'node:path';
import { fuzz, type FuzzReport } from '@tunemate/testkit/fuzz/fuzz';
import { fuzzReaders, readerNames, type ReaderReport } from '@tunemate/testkit/fuzz/reader-fuzz';
import type { ReaderName } from '@tunemate/testkit/fuzz/readers';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { writePage } from './report/write-page.ts';

const requests = Number(process.argv[2] ?? 100_000);
const firstSeed = Number(process.argv[3] ?? 1);
const files = Number(process.argv[4] ?? 100_000);
const perServer = 10_000;
const perRound = 20_000;

/** The server runs in this process: what it leaves unhandled arrives here. */
let unhandled = 0;
process.on('unhandledRejection', (reason) => {
  unhandled += 1;
  console.log('unhandled rejection', reason);
});

const reports: FuzzReport[] = [];
const rounds: ReaderReport[] = [];
for (let done = 0; done < requests; done += perServer) {
  await using dir = await makeTempDir('fuzz');
  const seed = firstSeed + reports.length;
  const databaseUrl = `sqlite:${join(dir.path, 'tunemate.sqlite')}`;
  const report = await fuzz({ databaseUrl, requests: Math.min(perServer, requests - done), seed });
  reports.push(report);
  console.log(`seed ${String(seed)}: ${String(report.accepted)} accepted, ${String(report.failures.length)} failures`);
  for (const failure of report.failures) console.log(JSON.stringify(failure));
  writeReport();
}
for (let done = 0; done < files; done += perRound) {
  const round = await fuzzReaders({ cases: Math.min(perRound, files - done), seed: firstSeed + rounds.length });
  rounds.push(round);
  console.log(
    `seed ${String(firstSeed + rounds.length - 1)}: ${JSON.stringify({ ...round, faults: round.faults.length })}`,
  );
  for (const { reader, number, fault } of round.faults) console.log(reader, number, fault);
  writeReport();
}
const isWell =
  reports.every(({ failures }) => failures.length === 0) && rounds.every(({ faults }) => faults.length === 0);
process.exitCode = isWell && unhandled === 0 ? 0 : 1;

function rowOfReader(name: ReaderName): string {
  const read = rounds.reduce((sum, round) => sum + round.read[name], 0);
  const faults = rounds.flatMap((round) => round.faults.filter(({ reader }) => reader === name)).length;
  const longestMs = Math.max(0, ...rounds.map((round) => round.longestMs[name]));
  return `| ${name} | ${String(read)} | ${String(Math.round(longestMs))} ms | ${String(faults)} |`;
}

/** The most frequent first. */
function rowsOf(read: (report: FuzzReport) => Readonly<Record<string, number>>): string {
  const times = new Map<string, number>();
  for (const report of reports)
    for (const [what, count] of Object.entries(read(report))) times.set(what, (times.get(what) ?? 0) + count);
  const sorted = [...times].toSorted(([, a], [, b]) => b - a);
  return sorted.map(([what, count]) => `| \`${what}\` | ${String(count)} |`).join('\n');
}

function writeReport(): void {
  const sum = (read: (report: FuzzReport) => number): string =>
    String(reports.reduce((total, report) => total + read(report), 0));
  const failed = sum(({ failures }) => failures.length);
  writePage(
    'fuzz',
    `# Requests made from the schemas, and files changed in places

\`npm run bench -- fuzz ${String(requests)} ${String(firstSeed)} ${String(files)}\`

Five people, who share rooms, send requests made from the protocol's own schemas: two in five as they should be, the
rest with one or many places broken, mostly with ids that exist; requests to the addresses of files; and frames below
the requests. Seeds ${String(firstSeed)} to ${String(firstSeed + reports.length - 1)}, a fresh server on SQLite for each.

| figure | value | goal |
| --- | --- | --- |
| requests over the socket | ${sum((report) => report.socketRequests)} | |
| requests over HTTP | ${sum((report) => report.httpRequests)} | |
| requests to files, with ranges, conditions and uploads | ${sum((report) => report.fileRequests)} | |
| frames, most of them broken | ${sum((report) => report.frames)} | |
| all together | ${sum((report) => report.socketRequests + report.httpRequests + report.fileRequests + report.frames)} | 1000000 in the long form |
| accepted | ${sum((report) => report.accepted)} | |
| kinds of requests that were accepted, at least | ${String(Math.min(...reports.map(({ kindsAccepted }) => kindsAccepted)))} of ${String(reports[0]?.kinds)} | |
| longest processor time of a request | ${String(Math.max(...reports.map(({ longestMs }) => longestMs)))} ms | 2000 ms |
| crashes, \`server/\` codes, 5xx, errors in the log, requests that held up others for longer | ${failed} | 0 |
| unhandled rejections | ${String(unhandled)} | 0 |

| refused with | times |
| --- | --- |
${rowsOf(({ refused }) => refused)}

| the server ended the connection on: with | times |
| --- | --- |
${rowsOf(({ ended }) => ended)}

Real files of each kind (made by ffmpeg and sharp, or written by hand) and answers of a music server, cut, repeated,
overwritten and mixed in one to eight places. A fault is an error, a thread that ended, or more than two seconds of
processor time. Lists of HLS are read by hls.js on the page.

| reader | files | longest | faults (goal 0) |
| --- | --- | --- | --- |
${readerNames.map(rowOfReader).join('\n')}
`,
  );
}

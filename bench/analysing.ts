/**
 * How long the server takes to measure loudness, peaks and tempo of a library in the background, how much of the
 * processor that is, and that a killed server goes on where it was. Writes results/analysing.md; ends with 1 when it takes
 * more than one core or measures a track again.
 * Usage: npm run bench -- analysing [tracks]
 */
import { link, mkdir, readdir, readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '@tunemate/testkit/percentile';
import { startServerProcess, type ServerProcess } from '@tunemate/testkit/services/process';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { goalsTable, writePage } from './report/write-page.ts';

const tracks = Number(process.argv[2] ?? 10_000);
const goalCores = 1;
/** Four recordings of 101 to 109 s. */
const bundled = join(import.meta.dirname, '../library/media');
const meanSeconds = 106;
const ticksPerSecond = 100;

const folder = await makeTempDir('bench-analysing');
const music = join(folder.path, 'music');
await mkdir(music);
const sources = (await readdir(bundled)).filter((name) => name.endsWith('.m4a')).sort();
for (let n = 0; n < tracks; n += 1) {
  const source = sources[n % sources.length] ?? '';
  await link(join(bundled, source), join(music, `${String(n).padStart(6, '0')} ${source}`));
}

/** What the server logged of an event, or undefined. */
const logged = (server: ServerProcess, event: string): Record<string, number> | undefined =>
  server
    .log()
    .split('\n')
    .filter((line) => line.includes(`"${event}"`))
    .map((line) => JSON.parse(line) as Record<string, number>)
    .at(-1);

/** Of the process and of the programs that it has started and that ended, in seconds. */
async function processorOf(pid: number): Promise<{ own: number; programs: number }> {
  const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, ofUser = 0, ofSystem = 0] = fields.slice(11, 15);
  return { own: (user + system) / ticksPerSecond, programs: (ofUser + ofSystem) / ticksPerSecond };
}

const answersMs: number[] = [];
/** Waits for the state, and asks the server meanwhile how long it takes to answer. */
async function until(server: ServerProcess, isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    const from = performance.now();
    await (await fetch(`${server.url}/healthz`)).text();
    answersMs.push(performance.now() - from);
    await pause(50);
  }
}

const server = await startServerProcess({ env: { MEDIA_DIR: music }, dataDir: join(folder.path, 'data') });
await until(server, () => logged(server, 'catalogue.loudness-begun') !== undefined);
const [fromMs, from] = [performance.now(), await processorOf(server.pid)];
const killAtMs = fromMs + (tracks / 8) * 1000;
await until(server, () => performance.now() > killAtMs || logged(server, 'catalogue.loudness-measured') !== undefined);
const [toMs, to] = [performance.now(), await processorOf(server.pid)];
await server.kill();
const beforeLines = server.log().length;
await server.restart();
const sinceStart = (event: string) => server.log().slice(beforeLines).includes(`"${event}"`);
await until(server, () => sinceStart('catalogue.loudness-begun'));
const left = logged(server, 'catalogue.loudness-begun')?.['files'] ?? 0;
await until(server, () => sinceStart('catalogue.loudness-measured'));
const measured = logged(server, 'catalogue.loudness-measured')?.['measured'] ?? 0;
await server.dispose();
await folder.remove();

const first = tracks - left;
const seconds = (toMs - fromMs) / 1000;
const cores = (to.own + to.programs - from.own - from.programs) / seconds;
const perTrack = seconds / first;
const hours = (count: number, lasts: number): string => ((count * perTrack * lasts) / meanSeconds / 3600).toFixed(1);
const met = {
  'at most one core': cores <= goalCores,
  'each track is measured once, over a kill': measured === left && left < tracks,
};
const problems = Object.values(met).filter((isMet) => !isMet).length;
writePage(
  'analysing',
  `# Analysing a library

\`npm run bench -- analysing ${String(tracks)}\`

${String(tracks)} files of four recordings of about ${String(meanSeconds)} s (AAC), while the server answers others; load of the machine ${loadavg()[0]?.toFixed(1) ?? ''}.

| figure | value |
| --- | --- |
| tracks measured before the server was killed | ${String(first)} in ${seconds.toFixed(0)} s |
| left after its next start, and measured then | ${String(left)}, ${String(measured)} |
| a track | ${perTrack.toFixed(2)} s |
| so 10,000 tracks of four minutes | ${hours(10_000, 240)} hours |
| cores: the server, ffmpeg | ${((to.own - from.own) / seconds).toFixed(2)}, ${((to.programs - from.programs) / seconds).toFixed(2)} |
| \`/healthz\` meanwhile, half within; 99 % within | ${percentile(answersMs, 0.5).toFixed(1)}; ${percentile(answersMs, 0.99).toFixed(1)} ms |

${goalsTable(met)}
`,
);
process.exitCode = problems > 0 ? 1 : 0;

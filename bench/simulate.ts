/**
 * Runs many seeds of the playback simulation, prints what they add up to with the worst seed of each figure, and writes
 * results/simulation.md. Ends with 1 when a worst seed is outside a goal (SYNC-31 to SYNC-34).
 * Usage: npm run bench -- simulate [seeds [first seed]]   (default 10000 1)
 */
import { runClockHour, type SimulationReport, runSimulation } from '@tunemate/playback/simulation';
import { percentile } from '@tunemate/testkit/percentile';
import { writePage } from './report/write-page.ts';

const convergences = 13;
const ownMedia = { drift: 8, spread: 8, converged: 1500, joined: 2000 };
const coarse = { drift: 150, spread: null, converged: null, joined: null };
const steps = { ...coarse, drift: 60 };
const worlds = [
  { title: 'own media', players: 'media', isDisturbed: false, goals: ownMedia },
  { title: 'own media, disturbed', players: 'media', isDisturbed: true, goals: ownMedia },
  { title: 'own media, clocks in steps', players: 'stepped', isDisturbed: false, goals: ownMedia },
  { title: 'own media, every change of rate shifts the sound', players: 'costly', isDisturbed: false, goals: coarse },
  { title: 'the same without any rates', players: 'fixed', isDisturbed: false, goals: coarse },
  { title: 'coarse rates', players: 'coarse', isDisturbed: false, goals: steps },
  { title: 'coarse rates and two near 1', players: 'near', isDisturbed: false, goals: steps },
  { title: 'coarse rates, disturbed', players: 'coarse', isDisturbed: true, goals: steps },
] as const;
type World = (typeof worlds)[number];
type Summary = ReturnType<typeof summarise>;
interface Row {
  figure: string;
  p50: number;
  p95: number;
  p99: number;
  worst: number;
  goal: number | null;
  seed: number;
}

const seeds = Number(process.argv[2] ?? 10_000);
const firstSeed = Number(process.argv[3] ?? 1);

function summarise(report: SimulationReport) {
  const worstOf = (cause: string): number =>
    Math.max(0, ...report.convergences.filter((one) => one.cause === cause).map(({ tookMs }) => tookMs));
  return {
    seed: report.seed,
    driftP50: percentile(report.steadyDriftsMs, 0.5),
    driftP95: percentile(report.steadyDriftsMs, 0.95),
    driftMax: percentile(report.steadyDriftsMs, 1),
    spreadP95: percentile(report.spreadsMs, 0.95),
    start: worstOf('start'),
    seek: worstOf('seek'),
    resume: worstOf('resume'),
    join: worstOf('join'),
    longestFarMs: report.longestFarMs,
    mostSeeksPerUpdate: report.mostSeeksPerUpdate,
    seeks: report.seeks,
    rateChanges: report.rateChanges,
    minutes: report.listenedMinutes,
    missing: convergences - report.convergences.length,
  };
}

/** Over the seeds: the middle, the 95th and 99th hundredth, and the worst with its seed. */
function rowsOf(all: readonly Summary[], { goals, isDisturbed }: World): Row[] {
  const row = (figure: string, goal: number | null, of: (each: Summary) => number): Row => {
    const values = all.map(of);
    const at = (share: number): number => Math.round(percentile(values, share) * 10) / 10;
    const { seed } = all.reduce((a, b) => (of(b) > of(a) ? b : a));
    return { figure, p50: at(0.5), p95: at(0.95), p99: at(0.99), worst: at(1), goal, seed };
  };
  return [
    row('drift p50', null, (each) => each.driftP50),
    row('drift p95', goals.drift, (each) => each.driftP95),
    row('drift max', null, (each) => each.driftMax),
    row('spread p95', goals.spread, (each) => each.spreadP95),
    row('slowest of all after a start', goals.converged, (each) => each.start),
    row('slowest of all after a seek', goals.converged, (each) => each.seek),
    row('slowest of all after resuming', goals.converged, (each) => each.resume),
    row('joined late', goals.joined, (each) => each.join),
    row('over 500 ms for', 5000, (each) => each.longestFarMs),
    row('seeks per update (count)', 1, (each) => each.mostSeeksPerUpdate),
    row('seeks a minute (count)', null, (each) => each.seeks / each.minutes),
    row('rate changes a minute (count)', null, (each) => each.rateChanges / each.minutes),
    // A convergence that another disturbance interrupted is not counted.
    row('never converged (count)', isDisturbed ? null : 0, (each) => each.missing),
  ];
}

const cells = (row: Row): string[] => Object.values(row).map((value) => (value === null ? '' : String(value)));
const isInside = ({ worst, goal }: Row): boolean => goal === null || worst <= goal;

function section(world: World): { text: string; isInside: boolean } {
  const startedMs = performance.now();
  const all = Array.from({ length: seeds }, (_, index) => summarise(runSimulation(firstSeed + index, world)));
  const tookSeconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  const rows = rowsOf(all, world);
  console.log(`\n${world.title}: ${String(seeds)} seeds in ${tookSeconds} s`);
  console.table(Object.fromEntries(rows.map(({ figure, ...rest }) => [figure, rest])));
  const outside = rows.filter((row) => !isInside(row)).map(({ figure }) => figure);
  const worst = all.reduce((a, b) => (b.driftP95 > a.driftP95 ? b : a));
  const corrections = `Worst seed by drift: ${String(worst.seed)}, p95 ${worst.driftP95.toFixed(1)} ms with ${String(worst.seeks)} seeks and ${String(worst.rateChanges)} rate changes in ${worst.minutes.toFixed(1)} minutes of listening.`;
  const verdict =
    outside.length === 0 ? 'Every seed is inside every goal.' : `Worst seed outside its goal: ${outside.join(', ')}.`;
  console.log(`${corrections}\n${verdict}`);
  const table = [
    '| figure | p50 | p95 | p99 | worst | goal | worst seed |',
    '|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${cells(row).join(' | ')} |`),
  ].join('\n');
  const text = `## ${world.title} (${String(seeds)} seeds in ${tookSeconds} s)\n\n${table}\n\n${corrections} ${verdict}`;
  return { text, isInside: outside.length === 0 };
}

/** An hour of one tab's clock. */
function clockSection(): string {
  const all = Array.from({ length: seeds }, (_, index) => runClockHour(firstSeed + index));
  const row = (figure: string, values: readonly number[]): string => {
    const cellsOfRow = [0.5, 0.95, 0.99, 1].map((share) => percentile(values, share).toFixed(2));
    return `| ${figure} | ${cellsOfRow.join(' | ')} |`;
  };
  return `## The clock of a tab for an hour

Clocks up to 25 parts per million apart; halfway the device sleeps for 2 to 20 s and nothing tells the page.

| figure | p50 | p95 | p99 | worst |
|---|---|---|---|---|
${row(
  'probes an hour',
  all.map(({ probes }) => probes),
)}
${row(
  'error, ms',
  all.flatMap(({ errorsMs }) => [...errorsMs]),
)}
${row(
  'right again after waking, ms',
  all.map(({ noticedMs }) => noticedMs),
)}`;
}

const sections = worlds.map(section);
const header = `# The simulation, ${String(seeds)} seeds of each world

\`npm run bench -- simulate${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}\`

A host, three followers and a late joiner for 90 s of virtual time, on lines, clocks and players of their own: a start, a
seek, a pause, a resumption. Milliseconds unless the row says otherwise; each column is over the seeds, and of each seed
the row takes the worst person. 'Disturbed' adds stalls, sleep, time offline and throttled timers in the middle, and adverts to coarse players.`;
writePage('simulation', `${[header, ...sections.map(({ text }) => text), clockSection()].join('\n\n')}\n`);
if (!sections.every((each) => each.isInside)) process.exitCode = 1;

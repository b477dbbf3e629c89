/**
 * Runs many seeds of the playback simulation and prints what they add up to, with the worst seed of each figure.
 * Usage: node bench/simulate.ts [seeds = 10000] [first seed = 1]
 */
import { type SimulationReport, runSimulation } from '@tunemate/playback/simulation';

const WORLDS = [
  { title: 'own media', players: 'media', isDisturbed: false },
  { title: 'own media, disturbed', players: 'media', isDisturbed: true },
  { title: 'coarse rates', players: 'coarse', isDisturbed: false },
  { title: 'coarse rates, disturbed', players: 'coarse', isDisturbed: true },
] as const;
const CAUSES = ['start', 'seek', 'resume', 'join'] as const;

const seeds = Number(process.argv[2] ?? 10_000);
const firstSeed = Number(process.argv[3] ?? 1);

for (const { title, ...options } of WORLDS) {
  const startedMs = performance.now();
  const reports = Array.from({ length: seeds }, (_, index) => summarise(runSimulation(firstSeed + index, options)));
  const tookSeconds = (performance.now() - startedMs) / 1000;
  console.log(`\n${title}: ${seeds} seeds in ${tookSeconds.toFixed(1)} s`);
  console.table({
    'drift p50': row(reports, (report) => report.driftP50),
    'drift p95': row(reports, (report) => report.driftP95),
    'drift max': row(reports, (report) => report.driftMax),
    'spread p95': row(reports, (report) => report.spreadP95),
    ...Object.fromEntries(CAUSES.map((cause) => [`converged: ${cause}`, convergenceRow(reports, cause)])),
    'over 500 ms for': row(reports, (report) => report.longestFarMs),
    'seeks per update': row(reports, (report) => report.mostSeeksPerUpdate),
    'seeks per minute': row(reports, (report) => report.seeksPerMinute),
    'rate changes per minute': row(reports, (report) => report.rateChangesPerMinute),
    'not converged': row(reports, (report) => report.missing),
  });
}

type Summary = ReturnType<typeof summarise>;

function summarise(report: SimulationReport) {
  return {
    seed: report.seed,
    driftP50: quantile(report.steadyDriftsMs, 0.5),
    driftP95: quantile(report.steadyDriftsMs, 0.95),
    driftMax: quantile(report.steadyDriftsMs, 1),
    spreadP95: quantile(report.spreadsMs, 0.95),
    convergences: report.convergences,
    longestFarMs: report.longestFarMs,
    mostSeeksPerUpdate: report.mostSeeksPerUpdate,
    seeksPerMinute: report.seeks / report.listenedMinutes,
    rateChangesPerMinute: report.rateChanges / report.listenedMinutes,
    missing: 13 - report.convergences.length,
  };
}

/** Over all listeners of all seeds: how long each took after one kind of cause. */
function convergenceRow(reports: readonly Summary[], cause: string) {
  const each = reports.flatMap(({ seed, convergences }) =>
    convergences.filter((one) => one.cause === cause).map(({ tookMs }) => ({ seed, tookMs })),
  );
  return figures(
    each.map(({ tookMs }) => tookMs),
    each.reduce((a, b) => (b.tookMs > a.tookMs ? b : a)).seed,
  );
}

/** Over the seeds: the middle, the 95th and 99th hundredth, and the worst with its seed. */
function row(reports: readonly Summary[], of: (report: Summary) => number) {
  return figures(reports.map(of), reports.reduce((a, b) => (of(b) > of(a) ? b : a)).seed);
}

function figures(values: readonly number[], worstSeed: number) {
  const round = (value: number): number => Math.round(value * 10) / 10;
  return {
    p50: round(quantile(values, 0.5)),
    p95: round(quantile(values, 0.95)),
    p99: round(quantile(values, 0.99)),
    worst: round(quantile(values, 1)),
    'worst seed': worstSeed,
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

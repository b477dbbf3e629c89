/** Several runs of one measurement as one: each figure is the median of its runs; a missing one counts as infinite. */
import { median } from '@tunemate/testkit/percentile';
import { rowsOf } from './sync-report.ts';
import { run, type RunPlan, type RunResult } from './sync-run.ts';

const endlessIfLost = (value: number): number => (Number.isNaN(value) ? Number.POSITIVE_INFINITY : value);
const lostIfEndless = (value: number): number => (Number.isFinite(value) ? value : Number.NaN);

/** All of the same plan, so with the same figures in the same order. The curves are those of the last run. */
function medianOfRuns(runs: readonly RunResult[]): RunResult {
  const last = runs.at(-1);
  if (last === undefined) throw new Error('nothing was run');
  const figures = last.figures.map((figure, index) => {
    const of = (read: (each: typeof figure) => number): number =>
      lostIfEndless(median(runs.map((run) => endlessIfLost(read(run.figures[index] ?? figure)))));
    return { ...figure, p50Ms: of((each) => each.p50Ms), p95Ms: of((each) => each.p95Ms) };
  });
  return { ...last, figures };
}

/** Carries out one plan `runs` times; prints the medians as a table. */
export async function measure(plan: RunPlan, runs: number): Promise<RunResult> {
  const each: RunResult[] = [];
  while (each.length < runs) each.push(await run(plan));
  const result = medianOfRuns(each);
  console.log(`\n${plan.title}`);
  console.table(rowsOf(result));
  return result;
}

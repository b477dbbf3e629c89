/** The measurement of load as a table to read. Knows figures, not how they came about. */
import { cpus, loadavg } from 'node:os';

export interface Row {
  figure: string;
  ours: string;
  /** Bare ws in the same run. */
  bare: string;
  ratio: string;
  goal: string;
  /** Of how many runs it is the median. */
  runs: number;
}

const rounded = (load: readonly number[]): string => load.map((each) => each.toFixed(1)).join(', ');

export function loadReport(
  rows: readonly Row[],
  { command, loadBefore }: { command: string; loadBefore: readonly number[] },
): string {
  const lines = rows.map(
    ({ figure, ours, bare, ratio, goal, runs }) => `| ${[figure, ours, bare, ratio, goal, String(runs)].join(' | ')} |`,
  );
  return `# Many people, measured

\`${command}\`

The loader writes raw frames with real session cookies from a process of its own, on the same ${String(cpus().length)} cores as
the server, which is a process of its own too and over SQLite unless said. Bare ws is measured in the same
run: it knows no rules, no database and no order. Each figure is the median of so many runs. Load averages (1, 5, 15
minutes) were ${rounded(loadBefore)} before and ${rounded(loadavg())} after: other work on the machine makes seconds and
p99 much worse, and CPU figures somewhat.

| figure | ours | bare | ratio to bare | goal | runs |
|---|---|---|---|---|---|
${lines.join('\n')}
`;
}

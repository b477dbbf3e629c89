/** The measurement as a table to read and a plot to look at. Knows figures, not how they came about. */
import { release, totalmem, type } from 'node:os';
import { machine, tableOf } from '../report/write-page.ts';
import type { RunResult } from './sync-run.ts';

const ms = (value: number): string => (Number.isNaN(value) ? 'not within 8 s' : value.toFixed(1));

export const rowsOf = ({ figures }: RunResult): Record<string, string>[] =>
  figures.map(({ title, p50Ms, p95Ms, goalMs, samples }) => ({
    ...{ figure: title, 'p50 ms': ms(p50Ms), 'p95 ms': ms(p95Ms) },
    ...{ 'goal (p95)': goalMs === null ? '' : String(goalMs), samples: String(samples) },
  }));

/** The whole report. `command` is what was typed. */
export function markdown(results: readonly RunResult[], command: string): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `# Sync, measured

\`${command}\`

Three real Chromium pages, each in a browser of its own, in one room of a real server: drift is a player's own position
against the server's timeline, without a sign; 'in step' is how long it took to come within the bound and stay there
for half a second (20 ms for our own media), and its p95 is the slowest of those concerned. One person is one sample there,
and a figure with one who was not in step within 8 s is not averaged away: it says so. Every figure is the median of
three runs (of one with \`--quick\`); the plot is of the last. In the room with the stand-in for YouTube 'in step' is
within 150 ms, and the stand-in's own play-head is the witness, not what it tells the page.

${machine()} Three browsers and the server share it: ${type()} ${release()}, ${String(gigabytes)} GB, Node ${process.version}.

![drift over time](sync.svg)

${results.map((result) => `## ${result.title}\n\n${tableOf(rowsOf(result))}`).join('\n\n')}
`;
}

const width = 720;
const panelSize = { height: 120, top: 26, left: 46 } as const;
const colours = ['#d97706', '#0f766e', '#7c3aed'] as const;

/** The steady stretch of each run, one panel below the other. */
export function plot(results: readonly RunResult[]): string {
  const panels = results.map((result, index) => panel(result, index * (panelSize.height + panelSize.top + 14)));
  const height = results.length * (panelSize.height + panelSize.top + 14) + 8;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" font-family="sans-serif" font-size="11">
<rect width="100%" height="100%" fill="#fff"/>
${panels.join('\n')}
</svg>
`;
}

function panel({ title, curves }: RunResult, y: number): string {
  const all = curves.flatMap(({ drifts }) => drifts);
  const startMs = Math.min(...all.map(({ atMs }) => atMs));
  const endMs = Math.max(...all.map(({ atMs }) => atMs));
  const reach = Math.max(20, ...all.map(({ driftMs }) => Math.abs(driftMs ?? 0)));
  const middle = y + panelSize.top + panelSize.height / 2;
  const x = (atMs: number): number =>
    panelSize.left + ((atMs - startMs) / Math.max(1, endMs - startMs)) * (width - panelSize.left - 10);
  const toY = (driftMs: number): number => middle - (driftMs / reach) * (panelSize.height / 2);
  const grid = [-reach, 0, reach].map(
    (value) =>
      `<line x1="${String(panelSize.left)}" x2="${String(width - 10)}" y1="${toY(value).toFixed(1)}" y2="${toY(value).toFixed(1)}" stroke="#ddd"/><text x="${String(panelSize.left - 6)}" y="${(toY(value) + 4).toFixed(1)}" text-anchor="end" fill="#555">${value.toFixed(0)}</text>`,
  );
  const lines = curves.map(({ name, drifts }, index) => {
    const colour = colours[index % colours.length] ?? '#000';
    const points = drifts.flatMap(({ atMs, driftMs }) =>
      driftMs === null ? [] : [`${x(atMs).toFixed(1)},${toY(driftMs).toFixed(1)}`],
    );
    const label = `<text x="${String(width - 240 + index * 85)}" y="${String(y + 17)}" fill="${colour}">${name}</text>`;
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="1"/>${label}`;
  });
  return `<text x="${String(panelSize.left)}" y="${String(y + 17)}" fill="#111" font-weight="600">${title}: drift, ms</text>${grid.join('')}${lines.join('')}`;
}

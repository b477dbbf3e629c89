/**
 * `npm run coverage`, or `npm run coverage -- server,domain`: which share of each workspace's lines and branches its
 * tests execute, and the files with most left. Fails below the shares that are kept. What runs in a process of its own
 * does not count as executed.
 */
import { readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { inRoot, root } from './toolchain/paths.mjs';
import { runTool } from './toolchain/steps.mjs';
import { toolScript } from './toolchain/tools.mjs';

const keptPercent = { playback: 95, protocol: 95, domain: 95, server: 95, web: 90 };
const worstCount = 20;

const workspaces = process.argv[2]?.split(',') ?? Object.keys(keptPercent);
const unknown = workspaces.filter((workspace) => !(workspace in keptPercent));
if (unknown.length > 0) {
  console.error(`No such workspace: ${unknown.join(', ')}. There are ${Object.keys(keptPercent).join(', ')}.`);
  process.exit(1);
}
const folder = inRoot('test-results', 'coverage');
rmSync(folder, { recursive: true, force: true });

const tests = workspaces.map((workspace) => `${workspace}/src/`);
// It reads the same counters, and so would take them from this run.
const excluded = ['--exclude', 'server/src/realtime/request.flow.test.ts'];
const args = ['run', '--coverage', '--reporter=dot', ...excluded, ...tests];
const { ok } = await runTool(toolScript('vitest'), args, { loud: true });
const { total: _, ...summary } = JSON.parse(
  readFileSync(inRoot('test-results', 'coverage', 'coverage-summary.json'), 'utf8'),
);
const files = Object.entries(summary).map(([path, { lines, branches }]) => ({
  name: relative(root, path).replaceAll('\\', '/'),
  lines,
  branches,
}));

const sum = (counts) => ({
  total: counts.reduce((all, { total }) => all + total, 0),
  covered: counts.reduce((all, { covered }) => all + covered, 0),
});
const totals = workspaces.map((name) => {
  const own = files.filter((file) => file.name.startsWith(`${name}/`));
  return { name, lines: sum(own.map(({ lines }) => lines)), branches: sum(own.map(({ branches }) => branches)) };
});
const missing = ({ lines, branches }) => lines.total - lines.covered + branches.total - branches.covered;
const percent = ({ total, covered }) => (total === 0 ? 100 : (100 * covered) / total);
const shown = (counts) => `${percent(counts).toFixed(1)} %`.padStart(8);
const row = (one) => `${shown(one.lines)}  ${shown(one.branches)}  ${String(missing(one)).padStart(7)}  ${one.name}`;

console.log('   lines  branches  missing');
for (const total of totals) console.log(row(total));
console.log('');
const isOurs = ({ name }) => workspaces.includes(name.split('/')[0]);
for (const file of files
  .filter((one) => isOurs(one) && missing(one) > 0)
  .toSorted((a, b) => missing(b) - missing(a))
  .slice(0, worstCount)) {
  console.log(row(file));
}
const low = totals.filter(({ name, lines, branches }) =>
  [lines, branches].some((counts) => percent(counts) < keptPercent[name]),
);
for (const { name } of low) console.log(`${name} is below ${keptPercent[name]} %.`);
process.exitCode = ok && low.length === 0 ? 0 : 1;

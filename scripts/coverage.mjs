/**
 * `npm run coverage`: which share of the web app's lines and branches its unit tests and the tests of its screens
 * execute together, and the files with most left. Fails below the share that is kept.
 */
import { readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { inRoot, root } from './toolchain/paths.mjs';
import { runTool } from './toolchain/steps.mjs';
import { toolScript } from './toolchain/tools.mjs';

const keptPercent = 90;
const worstCount = 15;
const folder = inRoot('test-results', 'coverage');
rmSync(folder, { recursive: true, force: true });

const { ok } = await runTool(toolScript('vitest'), ['run', '--coverage', '--reporter=dot', 'web/src'], { loud: true });
const { total, ...files } = JSON.parse(
  readFileSync(inRoot('test-results', 'coverage', 'coverage-summary.json'), 'utf8'),
);

const row = (name, { lines, branches }) =>
  `${percent(lines)}  ${percent(branches)}  ${String(missing({ lines, branches })).padStart(7)}  ${name}`;
const percent = ({ pct }) => `${Number(pct).toFixed(1)} %`.padStart(8);
const missing = ({ lines, branches }) => lines.total - lines.covered + branches.total - branches.covered;

console.log('   lines  branches  missing');
console.log(row('web, all files', total));
for (const [path, file] of Object.entries(files)
  .toSorted(([, one], [, other]) => missing(other) - missing(one))
  .slice(0, worstCount)) {
  console.log(row(relative(root, path), file));
}
process.exitCode = ok && [total.lines, total.branches].every(({ pct }) => pct >= keptPercent) ? 0 : 1;

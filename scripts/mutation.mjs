/**
 * `npm run mutation`, or `npm run mutation -- domain,server/src/soulmate`: changes one thing at a time, in the pure
 * workspaces unless folders are named, and looks whether a test notices. The score of each file goes to
 * bench/results/mutation.md, where files that were not measured keep theirs; survivors go to the terminal.
 * `npm run mutation -- access` takes out each access check instead (see access-mutation.mjs).
 * Stryker is installed when it is first needed and stays out of the lock: 160 packages that nothing else wants.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mergedRows, mutationTable, rowsOfReport, rowsOfTable } from './mutation/table.mjs';
import { installIfNeeded } from './toolchain/install.mjs';
import { inRoot, root } from './toolchain/paths.mjs';
import { pinnedNode, requireNode20, toolEnvironment } from './toolchain/pinned-node.mjs';
import { toolScript } from './toolchain/tools.mjs';

const stryker = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1'];

if (process.argv[2] === 'access') {
  await import('./access-mutation.mjs');
  process.exit();
}
requireNode20();
// Where Stryker is, the rest is: what it moves in node_modules would look like a change of the lock each time.
if (!existsSync(inRoot('node_modules', '@stryker-mutator', 'core'))) {
  installIfNeeded();
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', ...stryker]);
}
const places = process.argv[2];
run(pinnedNode(), [toolScript('@stryker-mutator/core', 'stryker'), 'run', 'scripts/mutation/stryker.config.mjs'], {
  ...(places === undefined ? {} : { MUTATE: places }),
});
const report = JSON.parse(readFileSync(inRoot('test-results', 'mutation.json'), 'utf8'));
const results = inRoot('bench', 'results', 'mutation.md');
const before = existsSync(results) ? rowsOfTable(readFileSync(results, 'utf8')) : [];
const known = before.filter(({ path }) => existsSync(inRoot(path)));
const table = mutationTable(mergedRows(known, rowsOfReport(report)));
writeFileSync(results, table);
console.log(table);

function run(command, args, env = {}) {
  const { status } = spawnSync(command, args, { cwd: root, env: { ...toolEnvironment(), ...env }, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * `npm run mutation`, or `npm run mutation -- domain,server/src/soulmate`: changes one thing at a time, in the pure
 * workspaces unless folders are named, and looks whether a test notices. Prints the survivors and the score of each file.
 * `npm run mutation -- access` does so with the checks between a request and its handler, by the tables of roles.
 * Stryker is installed when it is first needed and stays out of the lock: 160 packages that nothing else wants.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mutationTable, rowsOfReport } from './mutation/table.mjs';
import { installIfNeeded } from './toolchain/install.mjs';
import { inRoot, root } from './toolchain/paths.mjs';
import { pinnedNode, requireNode20, toolEnvironment } from './toolchain/pinned-node.mjs';
import { toolScript } from './toolchain/tools.mjs';

const stryker = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1'];

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
console.log(mutationTable(rowsOfReport(report)));

function run(command, args, env = {}) {
  const { status } = spawnSync(command, args, { cwd: root, env: { ...toolEnvironment(), ...env }, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

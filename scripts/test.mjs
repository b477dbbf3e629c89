/**
 * `npm test`: the tests, from a fresh clone, with nothing installed before but Node 20. At home it is the short form, which
 * takes minutes; in CI (`CI=true`) and with `--all` it is everything. The last line counts the tests that passed and
 * failed, and at home what did not run. `--loaded` runs it five times beside busy programs (see test-loaded.mjs).
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readyNode } from './toolchain/install.mjs';
import { root } from './toolchain/paths.mjs';
import { toolEnvironment } from './toolchain/pinned-node.mjs';
import { readTestArguments } from './toolchain/test-arguments.mjs';

const { loaded } = readTestArguments();
const node = readyNode();
if (loaded) {
  await import('./test-loaded.mjs');
  process.exit();
}
const suite = fileURLToPath(new URL('test-suite.mjs', import.meta.url));
const { status } = spawnSync(node, [suite, ...process.argv.slice(2)], {
  cwd: root,
  env: toolEnvironment(),
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

/**
 * `npm test`: everything, from a fresh clone, with nothing installed before but Node 20.
 * `--only=check`, `--only=unit`, `--only=screens` or `--only=e2e` runs one part; `--only=heard`
 * listens to two real browsers, which needs a machine with nothing else to do. The last line counts the tests that
 * passed and failed. `--loaded` runs it five times beside busy programs (see test-loaded.mjs).
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readyNode } from './toolchain/install.mjs';
import { root } from './toolchain/paths.mjs';
import { toolEnvironment } from './toolchain/pinned-node.mjs';

if (process.argv.includes('--loaded')) {
  await import('./test-loaded.mjs');
  process.exit();
}
const suite = fileURLToPath(new URL('test-suite.mjs', import.meta.url));
const { status } = spawnSync(readyNode(), [suite, ...process.argv.slice(2)], {
  cwd: root,
  env: toolEnvironment(),
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

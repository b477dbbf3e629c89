/** Builds the server when server/dist is older than its sources. */
import { spawnSync } from 'node:child_process';
import { changedAtMs, inRoot } from './paths.mjs';
import { toolEnvironment } from './pinned-node.mjs';

const madeFrom = [
  'server/src',
  'server/package.json',
  'protocol/src',
  'domain/src',
  'playback/src',
  'package-lock.json',
  'scripts/toolchain/server-bundle.mjs',
];

/** Builds with `node` if needed. Ends the program when the build fails. */
export function buildServerIfNeeded(node) {
  const builtAtMs = changedAtMs(inRoot('server', 'dist', 'LICENSES.txt'));
  if (madeFrom.every((path) => changedAtMs(inRoot(path)) < builtAtMs)) return;
  console.log('Building the server…');
  const { status } = spawnSync(node, [inRoot('scripts', 'toolchain', 'write-server.mjs')], {
    env: toolEnvironment(),
    stdio: 'inherit',
  });
  if (status === 0) return;
  console.error('The server could not be built. The reason is above.');
  process.exit(1);
}

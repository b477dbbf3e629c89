/** Builds the web app when web/dist is older than its sources. */
import { spawnSync } from 'node:child_process';
import { changedAtMs, inRoot } from './paths.mjs';
import { toolEnvironment } from './pinned-node.mjs';
import { toolScript } from './tools.mjs';

const madeFrom = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'web/package.json',
  'protocol/src',
  'domain/src',
  'playback/src',
  'package-lock.json',
];

/** Builds with `node` if needed. Ends the program when the build fails. */
export function buildWebIfNeeded(node) {
  const builtAtMs = changedAtMs(inRoot('web', 'dist', 'index.html'));
  if (madeFrom.every((path) => changedAtMs(inRoot(path)) < builtAtMs)) return;
  console.log('Building the web app…');
  const { status } = spawnSync(node, [toolScript('vite'), 'build', '--logLevel', 'warn'], {
    cwd: inRoot('web'),
    env: toolEnvironment(),
    stdio: 'inherit',
  });
  if (status === 0) return;
  console.error('The web app could not be built. The reason is above.');
  process.exit(1);
}

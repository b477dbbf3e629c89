/**
 * `npm run dev`: the server, which starts again on each change, and the web app served by Vite, which updates in place.
 * Open the address that Vite prints.
 */
import { spawn } from 'node:child_process';
import { readyNode } from './toolchain/install.mjs';
import { inRoot, root } from './toolchain/paths.mjs';
import { serverFlags, toolEnvironment } from './toolchain/pinned-node.mjs';
import { whenNpmEnds } from './toolchain/run-through.mjs';
import { toolScript } from './toolchain/tools.mjs';

const node = readyNode();
const port = process.env.PORT ?? '3000';
const webOrigin = 'http://localhost:5173';
const env = {
  ...toolEnvironment(),
  // Links in mails and the origin check follow the address in the browser's bar.
  PUBLIC_URL: process.env.PUBLIC_URL ?? webOrigin,
  TUNEMATE_SERVER: `http://localhost:${port}`,
};

const children = [
  spawn(node, ['--watch', ...serverFlags, 'server/src/main.ts'], { cwd: root, env, stdio: 'inherit' }),
  spawn(node, [toolScript('vite'), '--port', '5173', '--strictPort'], { cwd: inRoot('web'), env, stdio: 'inherit' }),
];
const endAll = () => children.forEach((child) => child.kill('SIGTERM'));
process.on('SIGINT', endAll);
process.on('SIGTERM', endAll);
whenNpmEnds(endAll);
// When one of the two ends, the other is ended.
for (const child of children) child.on('exit', endAll);

/**
 * `npm start`: from a fresh clone to a running server in one command.
 * Installs and builds what is missing or out of date, then runs the server, again and again if it crashes.
 */
import { readyNode } from './toolchain/install.mjs';
import { keepRunning } from './toolchain/keep-running.mjs';
import { serverFlags, withCompileCache } from './toolchain/pinned-node.mjs';
import { buildServerIfNeeded } from './toolchain/server-build.mjs';
import { buildWebIfNeeded } from './toolchain/web-build.mjs';

const node = readyNode();
buildWebIfNeeded(node);
buildServerIfNeeded(node);
keepRunning(node, [...serverFlags, 'server/dist/main.js'], withCompileCache());

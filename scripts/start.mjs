/**
 * `npm start`: from a fresh clone to a running server in one command.
 * Installs and builds what is missing or out of date, then runs the server, again and again if it crashes.
 */
import { installIfNeeded } from './toolchain/install.mjs';
import { keepRunning } from './toolchain/keep-running.mjs';
import { pinnedNode, requireNode20, serverFlags, withCompileCache } from './toolchain/pinned-node.mjs';
import { buildServerIfNeeded } from './toolchain/server-build.mjs';
import { buildWebIfNeeded } from './toolchain/web-build.mjs';

requireNode20();
installIfNeeded();
const node = pinnedNode();
buildWebIfNeeded(node);
buildServerIfNeeded(node);
keepRunning(node, [...serverFlags, 'server/dist/main.js'], withCompileCache());

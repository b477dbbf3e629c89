/**
 * `npm start`: from a fresh clone to a running server in one command.
 * Installs and builds what is missing or out of date, then hands over to the server.
 */
import { installIfNeeded } from './toolchain/install.mjs';
import { pinnedNode, requireNode20, serverFlags } from './toolchain/pinned-node.mjs';
import { runThrough } from './toolchain/run-through.mjs';
import { buildWebIfNeeded } from './toolchain/web-build.mjs';

requireNode20();
installIfNeeded();
const node = pinnedNode();
buildWebIfNeeded(node);
runThrough(node, [...serverFlags, 'server/src/main.ts']);

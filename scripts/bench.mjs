/** `npm run bench:<name>`: runs a measurement of `bench/` under the pinned Node, on up-to-date builds. */
import { installIfNeeded } from './toolchain/install.mjs';
import { pinnedNode, requireNode20, serverFlags } from './toolchain/pinned-node.mjs';
import { buildServerIfNeeded } from './toolchain/server-build.mjs';
import { runThrough } from './toolchain/run-through.mjs';
import { buildWebIfNeeded } from './toolchain/web-build.mjs';

const [name, ...rest] = process.argv.slice(2);
requireNode20();
installIfNeeded();
const node = pinnedNode();
if (['sync', 'heard', 'youtube', 'web'].includes(name)) buildWebIfNeeded(node);
if (name === 'load') buildServerIfNeeded(node);
runThrough(node, [...serverFlags, `bench/${name}.ts`, ...rest]);

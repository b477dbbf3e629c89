/**
 * `npm run cluster`: several server processes on this machine, with PostgreSQL, Redis and a balancer of their own, on an
 * up-to-date web build. `npm run cluster -- 5` starts five.
 */
import { installIfNeeded } from './toolchain/install.mjs';
import { pinnedNode, requireNode20, serverFlags, withCompileCache } from './toolchain/pinned-node.mjs';
import { runThrough } from './toolchain/run-through.mjs';
import { buildWebIfNeeded } from './toolchain/web-build.mjs';

requireNode20();
installIfNeeded();
const node = pinnedNode();
buildWebIfNeeded(node);
runThrough(node, [...serverFlags, 'testkit/src/cluster/run-cluster.ts', ...process.argv.slice(2)], withCompileCache());

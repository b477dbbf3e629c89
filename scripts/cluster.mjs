/**
 * `npm run cluster`: several server processes on this machine, with PostgreSQL, Redis and a balancer of their own, on an
 * up-to-date web build. `npm run cluster -- 5 --standby` starts five, and a second PostgreSQL.
 */
import { readyNode } from './toolchain/install.mjs';
import { serverFlags, withCompileCache } from './toolchain/pinned-node.mjs';
import { runThrough } from './toolchain/run-through.mjs';
import { buildWebIfNeeded } from './toolchain/web-build.mjs';

const node = readyNode();
buildWebIfNeeded(node);
runThrough(node, [...serverFlags, 'testkit/src/cluster/run-cluster.ts', ...process.argv.slice(2)], withCompileCache());

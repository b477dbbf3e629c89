/**
 * `npm run backup`, `npm run restore`, `npm run admin`: the operator's commands under the pinned Node. Nothing is built for them.
 */
import { readyNode } from './toolchain/install.mjs';
import { serverFlags, withCompileCache } from './toolchain/pinned-node.mjs';
import { runThrough } from './toolchain/run-through.mjs';

runThrough(readyNode(), [...serverFlags, 'server/src/operate.ts', ...process.argv.slice(2)], withCompileCache());

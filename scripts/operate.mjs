/**
 * `npm run backup`, `npm run restore`, `npm run admin`: the operator's commands under the pinned Node. Nothing is built for them.
 */
import { installIfNeeded } from './toolchain/install.mjs';
import { pinnedNode, requireNode20, serverFlags, withCompileCache } from './toolchain/pinned-node.mjs';
import { runThrough } from './toolchain/run-through.mjs';

requireNode20();
installIfNeeded();
runThrough(pinnedNode(), [...serverFlags, 'server/src/operate.ts', ...process.argv.slice(2)], withCompileCache());

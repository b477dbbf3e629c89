/**
 * `npm run demo`: a server full of people, rooms and chats, to look at. `npm run demo -- --data DIR` keeps its data in
 * an empty folder; `npm run demo -- --pictures` makes the pictures of README.md.
 */
import { readyNode } from './toolchain/install.mjs';
import { withCompileCache } from './toolchain/pinned-node.mjs';
import { runThrough } from './toolchain/run-through.mjs';
import { buildServerIfNeeded } from './toolchain/server-build.mjs';
import { buildWebIfNeeded } from './toolchain/web-build.mjs';

const node = readyNode();
buildWebIfNeeded(node);
buildServerIfNeeded(node);
runThrough(node, ['testkit/src/demo/demo.ts', ...process.argv.slice(2)], withCompileCache());

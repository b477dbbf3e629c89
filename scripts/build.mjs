/** `npm run build`: the web app and the server as a production install runs them, whatever is out of date of the two. */
import { readyNode } from './toolchain/install.mjs';
import { buildServerIfNeeded } from './toolchain/server-build.mjs';
import { buildWebIfNeeded } from './toolchain/web-build.mjs';

const node = readyNode();
buildWebIfNeeded(node);
buildServerIfNeeded(node);

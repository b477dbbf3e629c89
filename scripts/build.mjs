/** `npm run build`: the web app and the server as a production install runs them, whatever is out of date of the two. */
import { installIfNeeded } from './toolchain/install.mjs';
import { pinnedNode, requireNode20 } from './toolchain/pinned-node.mjs';
import { buildServerIfNeeded } from './toolchain/server-build.mjs';
import { buildWebIfNeeded } from './toolchain/web-build.mjs';

requireNode20();
installIfNeeded();
const node = pinnedNode();
buildWebIfNeeded(node);
buildServerIfNeeded(node);

/** Builds the server; started under the pinned Node, which the builder needs, by server-build.mjs. */
import { bundleServer } from './server-bundle.mjs';

await bundleServer();

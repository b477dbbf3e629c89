/**
 * The server as it is built: `server/dist/main.js`. What Node compiles of it stays beside it, so that the next start takes
 * a tenth less work, also after a kill. Where nothing can be written there, each start compiles it.
 */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

/** Node stores it when it ends, too; until then people come and what they use is compiled. */
const storedAfterMs = 10_000;

enableCompileCache(join(import.meta.dirname, 'compiled'));
// Not before: what is imported at the top of a file is compiled before its first line runs.
await import('./main.ts');
setTimeout(flushCompileCache, storedAfterMs).unref();

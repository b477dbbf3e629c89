/**
 * `npm run demo`: a server of its own on this machine, filled with the people, rooms and chats of `evening.ts`. Prints
 * two addresses that open two of the people signed in. Data go to a temporary folder or to an empty one (`--data DIR`);
 * a folder that holds anything is refused, because it may be of use. `-- --pictures` makes README's pictures.
 */
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { roomPagePaths } from '@tunemate/protocol';
import { freePort } from '../services/free-port.ts';
import { startServerProcess } from '../services/process.ts';
import { makeTempDir } from '../services/temp-dir.ts';
import { fillEvening } from './evening.ts';
import { takePictures } from './pictures.ts';
import { openSignInLinks } from './sign-in-links.ts';

export interface Demo {
  /** For the host of the film, and for a guest in the same room. */
  readonly urls: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts and fills a server. `program` is what Node runs; by default the sources. Throws where the folder is in use.
 */
export async function openDemo(dataDir: string, program?: readonly string[]): Promise<Demo> {
  mkdirSync(dataDir, { recursive: true });
  if (readdirSync(dataDir).length > 0) {
    throw new Error(`${dataDir} is not empty. The demo fills only an empty folder: name another one, or none.`);
  }
  const port = await freePort();
  // Without PUBLIC_URL the server accepts pages of both names of the loopback.
  const env = { PUBLIC_URL: undefined, RATE_LIMIT_SCALE: '20', NODE_ENV: 'production' };
  const server = await startServerProcess({ dataDir, port, env, ...(program && { program }) });
  const origin = `http://localhost:${String(port)}`;
  const evening = await fillEvening({ url: server.url, origin, dataDir }).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  const page = roomPagePaths[evening.film.kind].replace(':code', evening.film.code);
  const links = await openSignInLinks(
    port,
    [evening.host, evening.guest].map(({ cookie }) => ({ cookie, page })),
  );
  return {
    urls: links.urls,
    async close() {
      links.close();
      evening.end();
      await server.stop();
    },
  };
}

async function run(): Promise<void> {
  const { values } = parseArgs({ options: { data: { type: 'string' }, pictures: { type: 'boolean' } } });
  await using folder = await makeTempDir('demo');
  const demo = await openDemo(values.data ?? folder.path, ['server/dist/main.js']);
  if (values.pictures === true) await takePictures(demo.urls);
  else {
    const [host = '', guest = ''] = demo.urls;
    console.log(`\n  Mira hosts a film night:   ${host}\n  Ada is one of her guests:  ${guest}\n`);
    console.log('  Each address signs you in as that person. Both can be open in one browser. Ctrl-C ends the demo.');
    await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
  }
  await demo.close();
}

if (import.meta.main) {
  await run().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
  process.exit();
}

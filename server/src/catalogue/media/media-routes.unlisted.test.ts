/** Files of a library whose list still comes out of the database. */
import { join } from 'node:path';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createLimits } from '../../access/limits.ts';
import { createLog } from '../../system/logging.ts';
import { filesInMemory } from '../sources/files/known-files.ts';
import { libraryId } from '../library/library-item.ts';
import { openMediaLibrary } from '../library/media-library.ts';
import { mediaRoutes } from './media-routes.ts';

const folder = join(import.meta.dirname, '../../../../testkit/media');
const log = createLog('silent');

test('players try again what is not listed yet; once the list is there it is played, or not found', async () => {
  const known = filesInMemory();
  const counted = Promise.withResolvers<number>();
  const files = { ...known, count: () => counted.promise };
  const library = await openMediaLibrary({ folder, log, files, patienceMs: 0 });
  await using http = Fastify();
  await http.register(
    mediaRoutes({
      library,
      limits: createLimits({ clock: createFakeClock(), scale: 0 }),
      makeSmaller: () => Promise.resolve(null),
      log,
      admitFile: () => ({
        onRequest: () => Promise.resolve(),
        inTurn: (_request, work) => work(),
        callerOf: () => {
          throw new Error('HEAD asks for none');
        },
      }),
    }),
  );
  const ask = async (name: string) => (await http.inject({ url: `/media/${libraryId(name)}/cover` })).statusCode;
  expect([library.isListed(), await ask('tagged.flac'), await ask('absent.flac')]).toEqual([false, 503, 503]);
  counted.resolve(0);
  await library.firstReading;
  expect([library.isListed(), await ask('absent.flac')]).toEqual([true, 404]);
});

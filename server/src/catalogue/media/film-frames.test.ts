/** Pictures of films that have none: made by ffmpeg, and promised only once they are there. */
import { cp, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithService } from '@tunemate/testkit/services/request-service';
import { ffmpegPath } from '@tunemate/testkit/services/system-programs';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { startTestApp } from '@tunemate/testkit/worlds/test-app';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../../system/logging.ts';
import { libraryId } from '../library/library-item.ts';
import { openMediaLibrary } from '../library/media-library.ts';
import { filmFrames, keepFramesUp } from './film-frames.ts';
import { mediaWork } from './media-work.ts';

const media = join(import.meta.dirname, '../../../../testkit/media');
const log = createLog('silent');
let dir: TempDir;
beforeEach(async () => {
  dir = await makeTempDir('films');
  for (const name of ['film.mp4', 'film.webm', 'tagged.flac']) await cp(join(media, name), join(dir.path, name));
});
afterEach(() => dir.remove());

/** The library as a server has it, and the pictures of what it lists. */
async function open() {
  const frames = filmFrames(mediaWork({ dataDir: join(dir.path, '.data'), log }));
  await frames.recall();
  const library = await openMediaLibrary({ folder: dir.path, log, frameOf: frames.of });
  const keepUp = () => keepFramesUp(frames, library);
  return { library, keepUp, covers: () => library.list().map(({ cover }) => cover.in) };
}

test('without ffmpeg no picture is promised', async () => {
  vi.stubEnv('PATH', '');
  const { keepUp, covers } = await open();
  await keepUp();
  vi.unstubAllEnvs();
  expect(covers()).toEqual(['nowhere', 'nowhere', 'nowhere']);
});

describeWithService(
  'with ffmpeg',
  async () => ({ path: ffmpegPath() }),
  () => {
    test('each film without a picture gets a frame, once, and it stays over a new reading and a restart', async () => {
      const first = await open();
      expect(first.covers()).toEqual(['nowhere', 'nowhere', 'nowhere']);
      await first.keepUp();
      expect(first.covers()).toEqual(['frame', 'frame', 'nowhere']);
      const made = await readdir(join(dir.path, '.data', 'film-frames'));
      await first.library.refresh();
      await first.keepUp();
      expect(first.covers()).toEqual(['frame', 'frame', 'nowhere']);
      const again = await open();
      await again.keepUp();
      expect(again.covers()).toEqual(['frame', 'frame', 'nowhere']);
      expect(await readdir(join(dir.path, '.data', 'film-frames'))).toEqual(made);
    });

    test('a picture beside the film comes first, and its frame is removed', async () => {
      const { library, keepUp, covers } = await open();
      await keepUp();
      await cp(
        join(media, '../../library/covers', (await readdir(join(media, '../../library/covers')))[0] ?? ''),
        join(dir.path, 'cover.png'),
      );
      await library.refresh();
      await keepUp();
      expect(covers()).toEqual(['file', 'file', 'file']);
      expect(await readdir(join(dir.path, '.data', 'film-frames'))).toEqual([]);
    });

    test('a frame that was deleted is promised no longer, and made again', async () => {
      const { library, keepUp, covers } = await open();
      await keepUp();
      await rm(join(dir.path, '.data', 'film-frames'), { recursive: true });
      const noFrame = vi.stubEnv('PATH', '');
      await keepUp();
      expect(covers()).toEqual(['nowhere', 'nowhere', 'nowhere']);
      noFrame.unstubAllEnvs();
      await library.refresh();
      await keepUp();
      expect(covers()).toEqual(['frame', 'frame', 'nowhere']);
    });

    test('a film that has become a link since the folder was read gets none', async () => {
      const { keepUp, covers } = await open();
      await rm(join(dir.path, 'film.mp4'));
      await symlink(join(media, 'film.mp4'), join(dir.path, 'film.mp4'));
      await keepUp();
      expect(covers()).toEqual(['nowhere', 'frame', 'nowhere']);
    });

    test('a room’s search promises the frame once the server has made it, and the address answers it', async () => {
      const world = await startTestApp({ env: { MEDIA_DIR: dir.path } });
      const member = await world.member('Mara');
      const address = `/media/${libraryId('film.mp4')}/cover`;
      await expect.poll(async () => (await member.fetch(address)).status).toBe(200);
      const answer = await member.fetch(address);
      expect(answer.headers.get('content-type')).toBe('image/jpeg');
      expect([...new Uint8Array(await answer.arrayBuffer()).subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
      expect((await member.fetch(`/media/${libraryId('tagged.flac')}/cover`)).status).toBe(404);
      expect((await world.visitor().fetch(address)).status).toBe(401);
    });
  },
);

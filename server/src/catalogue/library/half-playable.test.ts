/** Files that browsers play only in part, made by ffmpeg: what pages and the room learn of them. */
import { execFile } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describeWithService } from '@tunemate/testkit/services/request-service';
import { ffmpegPath } from '@tunemate/testkit/services/system-programs';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { startTestApp } from '@tunemate/testkit/worlds/test-app';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../system/logging.ts';
import { exactCopies } from '../media/exact-copies.ts';
import { libraryId, type LibraryItem } from './library-item.ts';
import { openMediaLibrary } from './media-library.ts';

const run = promisify(execFile);
const picture = ['-f', 'lavfi', '-i', 'testsrc=size=64x36:rate=10:duration=2'];
const sound = ['-f', 'lavfi', '-i', 'sine=duration=2'];
const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p'];

const made: Readonly<Record<string, readonly string[]>> = {
  'hevc.mp4': [
    ...picture,
    ...sound,
    '-c:v',
    'libx265',
    '-x265-params',
    'log-level=none',
    '-tag:v',
    'hvc1',
    '-c:a',
    'aac',
  ],
  'mpeg4.mp4': [...picture, ...sound, '-c:v', 'mpeg4', '-c:a', 'aac'],
  'ac3.mp4': [...picture, ...sound, ...h264, '-c:a', 'ac3'],
  'eac3.mp4': [...picture, ...sound, ...h264, '-c:a', 'eac3'],
  'usual.mp4': [...picture, ...sound, ...h264, '-c:a', 'aac'],
  'mute.mp4': [...picture, ...h264],
  'live.webm': [...picture, ...sound, '-c:v', 'libvpx', '-c:a', 'libopus', '-live', '1'],
  'live voice.webm': [...sound, '-c:a', 'libopus', '-live', '1'],
  'parts.mp4': [...picture, ...sound, ...h264, '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov'],
  'apple.m4a': [...sound, '-c:a', 'alac'],
  'dolby.m4a': [...sound, '-c:a', 'ac3', '-f', 'mp4'],
};

describeWithService(
  'a film or track that plays in part',
  async () => ({ path: ffmpegPath() }),
  ({ path }) => {
    let dir: TempDir;
    let items: readonly LibraryItem[];
    const item = (name: string) => items.find(({ id }) => id === libraryId(name));
    beforeAll(async () => {
      dir = await makeTempDir('halves');
      await mkdir(join(dir.path, 'music'));
      const call = (args: readonly string[]) => run(path, ['-nostdin', '-loglevel', 'error', ...args]);
      await Promise.all(Object.entries(made).map(([name, args]) => call([...args, join(dir.path, 'music', name)])));
      // As a program writes it that does not know the end yet.
      const { stdout } = await run(path, ['-loglevel', 'error', ...sound, '-f', 'flac', '-'], { encoding: 'buffer' });
      await writeFile(join(dir.path, 'music', 'stream.flac'), stdout);
      items = (await openMediaLibrary({ folder: join(dir.path, 'music'), log: createLog('silent') })).list();
    });
    afterAll(() => dir.remove());

    test.each(['live.webm', 'live voice.webm', 'stream.flac', 'mute.mp4', 'parts.mp4'])(
      'the length of %s is counted where the file does not say it',
      (name) => {
        const seconds = item(name)?.durationSeconds ?? 0;
        expect(Math.abs(seconds - 2)).toBeLessThan(0.3);
      },
    );

    test('the codecs of a film go with it to the page, those of a track do not', async () => {
      const world = await startTestApp({ env: { MEDIA_DIR: join(dir.path, 'music') } });
      const member = await world.member('Mara');
      const codecsOf = async (name: string) => {
        const { headers } = await member.fetch(`/media/${libraryId(name)}`, { method: 'HEAD' });
        return [headers.get('x-film-picture'), headers.get('x-film-sound')];
      };
      // The last one by name.
      await expect.poll(() => codecsOf('usual.mp4'), { timeout: 20_000 }).not.toContain(null);
      expect(await codecsOf('hevc.mp4')).toEqual([
        'video/mp4; codecs="hvc1.1.6.L93.B0"',
        'audio/mp4; codecs="mp4a.40.2"',
      ]);
      expect(await codecsOf('mpeg4.mp4')).toEqual(['video/mp4; codecs="mp4v.20.9"', 'audio/mp4; codecs="mp4a.40.2"']);
      expect(await codecsOf('ac3.mp4')).toEqual(['video/mp4; codecs="avc1.42E01E"', 'audio/mp4; codecs="ac-3"']);
      expect(await codecsOf('eac3.mp4')).toEqual(['video/mp4; codecs="avc1.42E01E"', 'audio/mp4; codecs="ec-3"']);
      expect(await codecsOf('mute.mp4')).toEqual(['video/mp4; codecs="avc1.42E01E"', 'none']);
      expect(await codecsOf('live.webm')).toEqual(['video/webm; codecs="vp8"', 'audio/webm; codecs="opus"']);
      expect(await codecsOf('apple.m4a')).toEqual([null, null]);
      await world.close();
    });

    test('a track in a codec that some browsers lack is copied like one that they seek inexactly', async () => {
      const asked: string[] = [];
      const rewrite = async (from: string, to: string) => {
        asked.push(from.slice(dirname(from).length + 1));
        await cp(from, to);
      };
      const log = createLog('silent');
      await exactCopies({ folder: join(dir.path, 'copies'), log, findRewrite: async () => rewrite }).keepUp(items);
      expect(asked.toSorted()).toEqual(['apple.m4a', 'dolby.m4a']);
    });
  },
);

/** Files that browsers play only in part, made by ffmpeg: what pages and the room learn of them. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describeWithService } from '@tunemate/testkit/services/request-service';
import { ffmpegPath } from '@tunemate/testkit/services/system-programs';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { startTestApp } from '@tunemate/testkit/worlds/test-app';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../system/logging.ts';
import { exactCopies } from '../media/exact-copies.ts';
import { mediaWork } from '../media/media-work.ts';
import { isLengthDoubtful } from './doubtful-length.ts';
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
  'usual.webm': [...picture, ...sound, '-c:v', 'libvpx', '-c:a', 'libopus'],
  'usual.ogg': [...sound, '-c:a', 'libvorbis'],
  'other.ogg': [...sound, '-c:a', 'libvorbis'],
  'live.webm': [...picture, ...sound, '-c:v', 'libvpx', '-c:a', 'libopus', '-live', '1'],
  'live voice.webm': [...sound, '-c:a', 'libopus', '-live', '1'],
  'parts.mp4': [...picture, ...sound, ...h264, '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov'],
  'apple.m4a': [...sound, '-c:a', 'alac'],
  'dolby.m4a': [...sound, '-c:a', 'ac3', '-f', 'mp4'],
  'variable.mp3': [...sound, '-c:a', 'libmp3lame', '-q:a', '4'],
  'constant.mp3': [...sound, '-c:a', 'libmp3lame', '-b:a', '128k'],
  'whole.flac': ['-f', 'lavfi', '-i', 'anoisesrc=duration=4', '-c:a', 'flac'],
};

/** Files that say another length than they have: joined, cut, and with a wrong number. */
async function falsify(folder: string): Promise<void> {
  const of = (name: string) => readFile(join(folder, name));
  const write = (name: string, bytes: Buffer) => writeFile(join(folder, name), bytes);
  const [variable, constant, whole] = [await of('variable.mp3'), await of('constant.mp3'), await of('whole.flac')];
  await write('joined variable.mp3', Buffer.concat([variable, variable, variable]));
  await write('joined constant.mp3', Buffer.concat([constant, constant, constant]));
  await write('cut.mp3', constant.subarray(0, constant.length / 2));
  const [webm, ogg, other] = [await of('usual.webm'), await of('usual.ogg'), await of('other.ogg')];
  await write('cut.webm', webm.subarray(0, webm.length / 2));
  await write('joined.ogg', Buffer.concat([ogg, other]));
  await write('cut.flac', whole.subarray(0, whole.length / 2));
  for (const [name, seconds] of [
    ['too short.flac', 1],
    ['too long.flac', 60],
  ] as const) {
    const bytes = Buffer.from(whole);
    // The last 32 of the 36 bits that count samples.
    bytes.writeUInt32BE(seconds * 44_100, 22);
    await write(name, bytes);
  }
}

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
      await falsify(join(dir.path, 'music'));
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

    test.each([
      ['joined variable.mp3', 6],
      ['joined constant.mp3', 6],
      ['cut.mp3', 1],
      ['cut.webm', 1],
      ['joined.ogg', 4],
      ['cut.flac', 2],
      ['too short.flac', 4],
      ['too long.flac', 4],
    ])('the length of %s, which says another one, is counted', (name, seconds) => {
      expect(Math.abs((item(name)?.durationSeconds ?? 0) - seconds)).toBeLessThan(0.3);
    });

    test.each(['variable.mp3', 'constant.mp3', 'whole.flac', 'usual.webm', 'usual.ogg', 'live.webm'])(
      'that of %s is taken as it says',
      async (name) => {
        const path = join(dir.path, 'music', name);
        expect(await isLengthDoubtful({ path, size: (await stat(path)).size })).toBe(false);
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
      await expect.poll(() => codecsOf('usual.mp4')).not.toContain(null);
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
    });

    test('a track in a codec that some browsers lack is copied like one that they seek inexactly', async () => {
      const asked: string[] = [];
      const rewrite = async (from: string, to: string) => {
        asked.push(from.slice(dirname(from).length + 1));
        await cp(from, to);
      };
      const work = mediaWork({ dataDir: dir.path, log: createLog('silent') });
      await exactCopies(work, { findRewrite: async () => rewrite }).keepUp(items);
      expect(asked.filter((name) => name.endsWith('.m4a')).toSorted()).toEqual(['apple.m4a', 'dolby.m4a']);
    });
  },
);

/** Copies with the gain in their sound: of which tracks, what is sent until they are there, and that they keep the clock. */
import { execFile } from 'node:child_process';
import { readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gainOf, loudnessFactor } from '@tunemate/domain';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeWithService } from '@tunemate/testkit/services/request-service';
import { ffmpegPath } from '@tunemate/testkit/services/system-programs';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../system/logging.ts';
import type { LibraryItem } from '../library/library-item.ts';
import { openMediaLibrary } from '../library/media-library.ts';
import { filesSource } from '../sources/files/files-source.ts';
import { evenCopies } from './even-copies.ts';
import { findRewrite, type Rewrite } from './exact-copies.ts';
import { mediaWork } from './media-work.ts';
import { measuredTrack } from './measured.ts';

const run = promisify(execFile);
const never = new AbortController().signal;
const seconds = 4;
const rate = 44_100;

let music: TempDir;
let data: TempDir;
beforeEach(async () => {
  [music, data] = [await makeTempDir('even-music'), await makeTempDir('even-data')];
});
afterEach(async () => {
  await Promise.all([music.remove(), data.remove()]);
});

const folder = () => join(data.path, 'even-copies');
const open = async () => (await openMediaLibrary({ folder: music.path, log: createLog('silent') })).list();
async function copies(how: () => Promise<Rewrite | null> = findRewrite, most = 500) {
  const work = mediaWork({ dataDir: data.path, log: createLog('silent') });
  return { ...(await evenCopies({ work, findRewrite: how, fileOf: filesSource().fileOf, most })), close: work.close };
}

/** Loud noise: each sample is like no other. */
async function noise(name: string, codec: readonly string[] = []): Promise<void> {
  const source = `anoisesrc=color=pink:seed=7:amplitude=0.9:sample_rate=${String(rate)}:duration=${String(seconds)}`;
  await run('ffmpeg', ['-y', '-f', 'lavfi', '-i', source, ...codec, join(music.path, name)]);
}

async function samplesOf(path: string): Promise<Float32Array> {
  const to = ['-ac', '1', '-ar', String(rate), '-f', 'f32le', 'pipe:1'];
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', path, ...to], {
    encoding: 'buffer',
    maxBuffer: 2 ** 26,
  });
  return new Float32Array(Uint8Array.from(stdout).buffer);
}

/** By how many samples the second one is later, of those within 3000. */
function lagBetween(one: Float32Array, other: Float32Array): number {
  const likeness = (lag: number): number => {
    let sum = 0;
    for (let at = rate; at < rate + 8192; at += 1) sum += (one[at] ?? 0) * (other[at + lag] ?? 0);
    return sum;
  };
  const lags = Array.from({ length: 6001 }, (_, at) => at - 3000);
  const likenesses = lags.map(likeness);
  return lags[likenesses.indexOf(Math.max(...likenesses))] ?? Number.NaN;
}

describeWithService(
  'with ffmpeg',
  async () => ({ path: ffmpegPath() }),
  () => {
    test.each([
      ['FLAC', 'track.flac', []],
      ['AAC', 'track.m4a', ['-c:a', 'aac']],
      ['MP3', 'track.mp3', ['-c:a', 'libmp3lame']],
    ] as const)(
      'a copy of %s is as much quieter as asked, and sample by sample where the exact copy is',
      async (_n, name, codec) => {
        await noise(name, codec);
        const [item] = (await open()) as [LibraryItem];
        const made = await copies();
        made.want(item, -85);
        await expect.poll(() => made.of(item, -85)).not.toBeNull();
        const even = made.of(item, -85)?.path ?? '';
        const exact = join(data.path, 'exact.m4a');
        await (
          await findRewrite()
        )?.(item.path, exact, never);
        const [before, after] = await Promise.all([samplesOf(exact), samplesOf(even)]);
        expect(after).toHaveLength(before.length);
        expect(lagBetween(before, after)).toBe(0);
        if (name !== 'track.mp3') expect(lagBetween(await samplesOf(item.path), after)).toBe(0);
        const [loud, quiet] = [(await measuredTrack(exact, never)).lufs, (await measuredTrack(even, never)).lufs];
        expect((loud ?? 0) - (quiet ?? 0)).toBeCloseTo(8.5, 0);
        await made.close();
      },
    );

    test('a member of a room has one of a queued track made by the track’s own gain, and until then the track is sent, not to be kept', async () => {
      await noise('loud.flac');
      await noise('other.flac');
      const world = await openSocketWorld({ env: { MEDIA_DIR: music.path } });
      const host = await world.arrive('Mara');
      const room = await world.room(host, 'audio');
      const stranger = await world.arrive('Eve');
      const { items } = valueOf(await host.ask('catalogue/search', { ...room, query: 'loud' }));
      const found = items.find(({ title }) => title.startsWith('loud'));
      const videoId = found?.videoId ?? ('' as never);
      const loudness = async () => valueOf(await host.ask('library/loudness', { ...room, videoId }));
      await expect.poll(async () => (await loudness()).track).not.toBeNull();
      const gain = gainOf(loudnessFactor(await loudness(), []) ?? 1);
      expect(gain).toBeLessThan(0);
      const visitor = world.app.visitor();
      visitor.setCookie(host.cookie);
      const get = async (even: unknown) =>
        await visitor.fetch(`/media/${videoId}?even=${String(even)}`, { method: 'HEAD' });
      const made = () => readdir(join(world.app.dataDir, 'even-copies')).catch(() => []);

      // Not in the queue.
      valueOf(await host.ask('library/evenCopy', { ...room, videoId, gain }));
      await host.ask('playback/takeControl', { ...room, tabId: host.tabId });
      const intent = { type: 'choose', track: { videoId, title: 'loud', durationSeconds: seconds } } as const;
      valueOf(await host.ask('playback/write', { ...room, tabId: host.tabId, clientId: newClientId(), intent }));
      expect(codeOf(await stranger.ask('library/evenCopy', { ...room, videoId, gain }))).toBe('room/not-member');
      // No gain of this track.
      valueOf(await host.ask('library/evenCopy', { ...room, videoId, gain: gain - 10 }));
      const before = await get(gain);
      expect([before.headers.get('content-type'), before.headers.get('cache-control')]).toEqual([
        'audio/flac',
        'no-store',
      ]);
      expect(await made()).toEqual([]);
      valueOf(await host.ask('library/evenCopy', { ...room, videoId, gain }));
      await expect.poll(async () => (await get(gain)).headers.get('content-type')).toBe('audio/mp4');
      expect((await get(gain)).headers.get('cache-control')).toBe('private, max-age=86400');
      expect(await made()).toHaveLength(1);
      for (const other of [gain - 10, '../x', '-85.5', '1e3', '']) {
        expect((await get(other)).headers.get('content-type'), String(other)).toBe('audio/flac');
      }
    });
  },
);

test('fifty wait at most, and of what was made the latest stay', async () => {
  await writeFile(join(music.path, 'x.mp3'), '');
  const item = { id: 'lib_x', path: join(music.path, 'x.mp3'), modifiedMs: 1, title: 'x', durationSeconds: null };
  let wrote = 0;
  const made = await copies(
    async () => async (_from, to) => {
      wrote += 1;
      await writeFile(to, 'copy');
      // Files of one moment have no order.
      await utimes(to, wrote, wrote);
    },
    20,
  );
  for (let gain = -1; gain >= -90; gain -= 1) made.want(item as LibraryItem, gain);
  await expect.poll(() => made.of(item as LibraryItem, -50)).not.toBeNull();
  await made.close();
  expect(wrote).toBe(50);
  const there = (gain: number) => made.of(item as LibraryItem, gain) !== null;
  expect([there(-30), there(-31), there(-50), there(-51)]).toEqual([false, true, true, false]);
  expect(await readdir(folder())).toHaveLength(20);
});

test('a file that has become a link is not copied', async () => {
  await writeFile(join(data.path, 'secret.mp3'), 'secret');
  await symlink(join(data.path, 'secret.mp3'), join(music.path, 'x.mp3'));
  const asked: string[] = [];
  const made = await copies(async () => async (from) => void asked.push(from));
  made.want({ id: 'lib_x', path: join(music.path, 'x.mp3'), modifiedMs: 1, title: 'x' } as LibraryItem, -10);
  await made.close();
  expect(asked).toEqual([]);
});

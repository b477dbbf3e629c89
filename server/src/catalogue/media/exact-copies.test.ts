/** Copies of tracks that browsers seek inexactly: which are made, when, and what is sent meanwhile. */
import { cp, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithService } from '@tunemate/testkit/services/request-service';
import { ffmpegPath } from '@tunemate/testkit/services/system-programs';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseFile } from 'music-metadata';
import { exactCopies, findRewrite, type Rewrite } from './exact-copies.ts';
import { mediaWork } from './media-work.ts';
import { type LibraryItem, plainItem } from '../library/library-item.ts';
import { type MediaLibrary, openMediaLibrary } from '../library/media-library.ts';
import { createLog } from '../../system/logging.ts';

const media = join(import.meta.dirname, '../../../../testkit/media');
const quiet = createLog('silent');

let music: TempDir;
let data: TempDir;
let library: MediaLibrary;
let log: { event: string; fields: object }[];
let asked: string[];

beforeEach(async () => {
  [music, data] = [await makeTempDir('music'), await makeTempDir('data')];
  for (const name of ['tagged.mp3', 'tagged.ogg', 'tagged.m4a', 'tagged.flac', 'film.webm'])
    await cp(join(media, name), join(music.path, name));
  library = await openMediaLibrary({ folder: music.path, log: quiet });
  [log, asked] = [[], []];
});
afterEach(async () => {
  await Promise.all([music.remove(), data.remove()]);
});

const note = (fields: object, event: string) => void log.push({ event, fields });
const events = () => log.map(({ event }) => event);
/** Stands in for ffmpeg: every copy is the same short track. */
const rewrite: Rewrite = async (from, to) => {
  asked.push(from.slice(music.path.length + 1));
  await cp(join(media, 'tagged.m4a'), to);
};
function copiesBy(how: Rewrite | null = rewrite) {
  const work = mediaWork({ dataDir: data.path, log: { info: note, warn: note } });
  return { ...exactCopies(work, { findRewrite: async () => how }), close: work.close };
}
/** As long as the stand-in's track. */
const items = (): LibraryItem[] => library.list().map((item) => ({ ...plainItem(item), durationSeconds: null }));
const titled = (name: string) => items().find(({ path }) => path.endsWith(name))!;

test('tracks in inexact formats are copied, once each, and nothing else is', async () => {
  const copies = copiesBy();
  const mp3 = titled('tagged.mp3');
  expect(copies.of(mp3)).toBeNull();
  await copies.keepUp(items());
  expect(asked.toSorted()).toEqual(['tagged.mp3', 'tagged.ogg']);
  expect(copies.of(mp3)).toMatchObject({ mime: 'audio/mp4' });
  expect(await readFile(copies.of(mp3)?.path ?? '')).toEqual(await readFile(join(media, 'tagged.m4a')));
  for (const name of ['tagged.flac', 'film.webm']) expect(copies.of(titled(name))).toBeNull();
  await copies.keepUp(items());
  const again = copiesBy();
  await again.keepUp(items());
  expect(asked).toHaveLength(2);
  expect(again.of(mp3)?.mime).toBe('audio/mp4');
});

test('a file that has changed is copied anew, and the copies of files that are gone are removed', async () => {
  const copies = copiesBy();
  await copies.keepUp(items());
  const changed = items().map((item) => ({ ...item, modifiedMs: item.modifiedMs + 1000 }));
  await copies.keepUp(changed);
  expect(asked).toHaveLength(4);
  expect(await readdir(join(data.path, 'exact-copies'))).toHaveLength(2);
  await copies.keepUp([titled('tagged.flac')]);
  expect(await readdir(join(data.path, 'exact-copies'))).toEqual([]);
  expect(copies.of(titled('tagged.mp3'))).toBeNull();
});

test('a folder that is found empty, as where its disk is away, costs no copy', async () => {
  const copies = copiesBy();
  await copies.keepUp(items());
  await copies.keepUp([]);
  await copiesBy().keepUp([]);
  expect(await readdir(join(data.path, 'exact-copies'))).toHaveLength(2);
  expect(copies.of(titled('tagged.mp3'))?.mime).toBe('audio/mp4');
});

test('a disk that goes away while copies are made leaves the rest to be made once it is back', async () => {
  const folder = music.path;
  const copies = copiesBy(async (from, to) => {
    await rename(folder, `${folder}-away`);
    if (asked.push(from) > 0) throw new Error('the input could not be read');
    await writeFile(to, '');
  });
  await copies.keepUp(items());
  expect(asked).toHaveLength(1);
  expect(events()).not.toContain('catalogue.copy-failed');
  await rename(`${folder}-away`, folder);
  await copies.keepUp(items());
  expect(asked).toHaveLength(2);
  await rename(`${folder}-away`, folder);
});

test('nothing is copied or removed any more once the server closes', async () => {
  const copies = copiesBy();
  await copies.close();
  await copies.keepUp(items());
  expect(asked).toEqual([]);
  expect(await readdir(data.path)).toEqual([]);
});

test('a copy that is gone is forgotten, and made again with the next look at the folder', async () => {
  const copies = copiesBy();
  await copies.keepUp(items());
  const mp3 = titled('tagged.mp3');
  const copy = copies.of(mp3);
  if (copy === null) throw new Error('no copy');
  await rm(copy.path);
  copies.forget(copy);
  expect(copies.of(mp3)).toBeNull();
  expect(copies.of(titled('tagged.ogg'))?.mime).toBe('audio/mp4');
  await copies.keepUp(items());
  expect(asked.filter((name) => name === 'tagged.mp3')).toHaveLength(2);
  expect(copies.of(mp3)).toEqual(copy);
});

test('without ffmpeg nothing is done, and nothing said', async () => {
  const copies = copiesBy(null);
  await copies.keepUp(items());
  expect(log).toEqual([]);
  expect(copies.of(titled('tagged.mp3'))).toBeNull();
});

test('without ffmpeg the server goes on', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', note);
  vi.stubEnv('PATH', '');
  try {
    expect(await findRewrite()).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(unhandled).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
    process.off('unhandledRejection', note);
  }
});

test('logs the start and the number of copies; a track that can’t be copied is logged once and plays unchanged', async () => {
  const copies = copiesBy(async (from, to, signal) => {
    if (from.endsWith('.ogg')) throw new Error('no sound in it');
    await rewrite(from, to, signal);
  });
  await copies.keepUp(items());
  await copies.keepUp(items());
  expect(log).toMatchObject([
    { event: 'catalogue.copies-begun', fields: { files: 2 } },
    { event: 'catalogue.copy-failed', fields: { file: 'tagged.ogg', detail: 'no sound in it' } },
    { event: 'catalogue.copies-made', fields: { made: 1, of: 2 } },
  ]);
  expect(copies.of(titled('tagged.ogg'))).toBeNull();
  expect(await readdir(join(data.path, 'exact-copies'))).toHaveLength(1);
});

test('logs the progress every minute', async () => {
  let nowMs = 0;
  const copies = exactCopies(mediaWork({ dataDir: data.path, log: { info: note, warn: note } }), {
    nowMs: () => nowMs,
    findRewrite: async () => async (from, to, signal) => {
      nowMs += 40_000;
      await rewrite(from, to, signal);
    },
  });
  const others = items().map((item) => ({ ...item, path: item.path, modifiedMs: 1 }));
  await copies.keepUp([...items(), ...others]);
  expect(log.filter(({ event }) => event === 'catalogue.copies-progress')).toMatchObject([
    { fields: { made: 2, of: 4 } },
    { fields: { made: 4, of: 4 } },
  ]);
});

test('a copy of another length is none', async () => {
  const copies = copiesBy();
  await copies.keepUp([{ ...titled('tagged.mp3'), durationSeconds: 500 }]);
  expect(events()).toContain('catalogue.copy-failed');
  expect(await readdir(join(data.path, 'exact-copies'))).toEqual([]);
});

test('what a killed server left unfinished is removed, and closing ends the work', async () => {
  const copies = copiesBy(async (_from, to, signal) => {
    await writeFile(to, 'half');
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));
  });
  const work = copies.keepUp(items());
  await expect.poll(async () => await readdir(join(data.path, 'exact-copies')).catch(() => [])).toHaveLength(1);
  await copies.close();
  await work;
  expect(await readdir(join(data.path, 'exact-copies'))).toEqual([]);
  expect(events()).not.toContain('catalogue.copy-failed');
  const left = join(data.path, 'exact-copies', '.1-half.m4a');
  await writeFile(left, 'half');
  // Longer ago than any copy takes.
  await utimes(left, new Date(0), new Date(0));
  await copiesBy().keepUp(items());
  expect((await readdir(join(data.path, 'exact-copies'))).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('two servers with one data folder make each copy once, and neither takes the other’s from under it', async () => {
  let goOn = () => {};
  const waiting = new Promise<void>((resolve) => (goOn = resolve));
  const first = copiesBy(async (...given) => {
    await writeFile(given[1], 'begun');
    await waiting;
    await rewrite(...given);
  });
  const begun = first.keepUp(items());
  await expect.poll(async () => await readdir(join(data.path, 'exact-copies')).catch(() => [])).toHaveLength(1);
  const second = copiesBy();
  await second.keepUp(items());
  goOn();
  await begun;
  expect(events()).not.toContain('catalogue.copy-failed');
  for (const copies of [first, second]) {
    for (const name of ['tagged.mp3', 'tagged.ogg']) expect(copies.of(titled(name))?.mime).toBe('audio/mp4');
  }
  // The second track was there when the first server came to it.
  expect(asked.filter((name) => name === 'tagged.ogg')).toHaveLength(1);
});

test('a file that has become a link since the folder was read is not copied', async () => {
  await rm(join(music.path, 'tagged.mp3'));
  await symlink(join(media, 'tagged.mp3'), join(music.path, 'tagged.mp3'));
  const copies = copiesBy();
  await copies.keepUp(items());
  expect(asked).toEqual(['tagged.ogg']);
  expect(log).toContainEqual({
    event: 'catalogue.copy-failed',
    fields: { file: 'tagged.mp3', detail: 'it is a link by now' },
  });
});

describeWithService(
  'ffmpeg itself',
  async () => ({ path: ffmpegPath() }),
  () => {
    test('ffmpeg’s copy has the length and the sound of the original', async () => {
      const copies = exactCopies(mediaWork({ dataDir: data.path, log: { info: note, warn: note } }), { findRewrite });
      await rm(join(music.path, 'film.webm'));
      await copies.keepUp(library.list());
      expect(log.at(-1)).toMatchObject({ event: 'catalogue.copies-made', fields: { made: 2, of: 2 } });
      for (const name of ['tagged.mp3', 'tagged.ogg']) {
        const [before, after] = await Promise.all(
          [join(music.path, name), copies.of(titled(name))?.path ?? ''].map((path) =>
            parseFile(path, { duration: true }),
          ),
        );
        expect(after?.format.codec).toContain('AAC');
        expect(Math.abs((after?.format.duration ?? 0) - (before?.format.duration ?? 9))).toBeLessThan(0.1);
      }
    });

    test('a playlist that calls itself a track leads ffmpeg to no other file', async () => {
      const how = await findRewrite();
      await cp(join(media, 'tagged.mp3'), join(music.path, 'secret.mp3'));
      const lists = {
        'concat.mp3': 'ffconcat version 1.0\nfile secret.mp3\n',
        'stream.mp3': '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nsecret.mp3\n#EXT-X-ENDLIST\n',
      };
      for (const [name, text] of Object.entries(lists)) {
        await writeFile(join(music.path, name), text);
        const work = how?.(join(music.path, name), join(data.path, `${name}.m4a`), new AbortController().signal);
        await expect(work, name).rejects.toThrow(/./);
      }
    });
  },
);

/** Exact copies that machines with a data folder each share through an object store. */
import { cp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { startS3, type TestS3 } from '@tunemate/testkit/services/programs/s3';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../system/logging.ts';
import { objectStore } from '../../system/store/object-store.ts';
import { type LibraryItem, plainItem } from '../library/library-item.ts';
import { openMediaLibrary } from '../library/media-library.ts';
import { exactCopies, type Rewrite } from './exact-copies.ts';
import { mediaWork } from './media-work.ts';
import { sharedCopies } from './shared-copies.ts';

const media = join(import.meta.dirname, '../../../../testkit/media');
const hourMs = 60 * 60 * 1000;
let s3: TestS3;
let dir: TempDir;
let asked: string[];
let events: string[];
let nowMs: number;

beforeEach(async () => {
  [s3, dir, asked, events, nowMs] = [await startS3(), await makeTempDir('shared'), [], [], Date.now()];
});
afterEach(async () => {
  await s3.stop();
  await dir.remove();
});

/** A machine with its own copy of the music and its own data. */
async function machine(name: string, how: Rewrite | null = rewriteOf(name), store = objectStore(s3.account)) {
  const music = join(dir.path, name, 'music');
  for (const file of ['tagged.mp3', 'tagged.ogg']) {
    await cp(join(media, file), join(music, file));
    await utimes(join(music, file), 1_700_000_000, 1_700_000_000);
  }
  const library = await openMediaLibrary({ folder: music, log: createLog('silent') });
  const note = (_fields: object, event: string) => void events.push(`${name} ${event}`);
  const log = { info: () => undefined, warn: note };
  const work = mediaWork({ dataDir: join(dir.path, name), log });
  const shared = sharedCopies(store, { log, now: () => nowMs });
  const copies = exactCopies(work, { findRewrite: async () => how, shared });
  const folder = join(dir.path, name, 'exact-copies');
  const items = (): LibraryItem[] => library.list().map((item) => ({ ...plainItem(item), durationSeconds: null }));
  return { music, library, folder, copies, items, held: async () => (await readdir(folder).catch(() => [])).length };
}
const rewriteOf =
  (name: string): Rewrite =>
  async (from, to) => {
    asked.push(`${name} ${from.slice(from.lastIndexOf('/') + 1)}`);
    await cp(join(media, 'tagged.m4a'), to);
  };
const objects = async () =>
  (await readdir(join(s3.folder, 'exact-copies')).catch(() => [])).filter((name) => name.endsWith('_object'));

test('a copy that one machine has made is fetched by the next, also where nothing could make it', async () => {
  const one = await machine('one');
  await one.copies.keepUp(one.items());
  expect([asked, (await objects()).length]).toEqual([['one tagged.mp3', 'one tagged.ogg'], 2]);
  for (const name of ['two', 'without-ffmpeg']) {
    const other = await machine(name, name === 'two' ? undefined : null);
    await other.copies.keepUp(other.items());
    const [item] = other.items();
    const copy = other.copies.of(item!);
    expect(copy?.mime).toBe('audio/mp4');
    expect(await readFile(copy?.path ?? '')).toEqual(await readFile(join(media, 'tagged.m4a')));
    expect(await other.held()).toBe(2);
  }
  expect(asked).toHaveLength(2);
  expect(events).toEqual([]);
});

test('a machine that can make none waits for another, and says nothing of it', async () => {
  const waiting = await machine('waiting', null);
  await waiting.copies.keepUp(waiting.items());
  expect([await waiting.held(), events]).toEqual([0, []]);
  const one = await machine('one');
  await one.copies.keepUp(one.items());
  await waiting.copies.keepUp(waiting.items());
  expect(await waiting.held()).toBe(2);
});

test('a file of the same name with other bytes has a copy of its own', async () => {
  const [one, two] = [await machine('one'), await machine('two')];
  await one.copies.keepUp(one.items());
  await cp(join(media, 'tagged.ogg'), join(two.music, 'tagged.mp3'));
  await utimes(join(two.music, 'tagged.mp3'), 1_700_000_000, 1_700_000_000);
  await two.library.refresh();
  await two.copies.keepUp(two.items());
  expect(asked).toContain('two tagged.mp3');
  expect(asked).not.toContain('two tagged.ogg');
});

test.each([500, 403, 404, 'hang', 'cut', 'endless'] as const)(
  'a store that fails (%s) costs only the making, is asked once a minute, and is named',
  async (fault) => {
    const one = await machine('one');
    await one.copies.keepUp(one.items());
    const hasty = { answerMs: 1500, partMs: 1500, bytesPerMs: 2000 };
    const two = await machine('two', undefined, objectStore(s3.account, fault === 'hang' ? hasty : undefined));
    s3.fail(fault);
    s3.asked.length = 0;
    await two.copies.keepUp(two.items());
    expect(await two.held()).toBe(2);
    expect(asked.filter((line) => line.startsWith('two'))).toHaveLength(2);
    expect(events).toEqual(['two catalogue.copy-not-fetched']);
    expect(s3.asked.length).toBeLessThanOrEqual(3);
    expect((await readdir(two.folder)).filter((name) => name.startsWith('.'))).toEqual([]);
  },
);

test('a copy that can’t be given to the others plays here', async () => {
  const one = await machine('one');
  s3.fail(500, /^PUT/);
  await one.copies.keepUp(one.items());
  expect([await one.held(), events]).toEqual([2, ['one catalogue.copy-not-shared']]);
});

test('a stored copy that is no sound is made anew, and replaced', async () => {
  const one = await machine('one');
  await one.copies.keepUp(one.items());
  const store = objectStore(s3.account);
  for await (const page of store.list('exact-copies')) {
    for (const { name } of page) await store.put(`exact-copies/${name}`, Buffer.from('no sound at all'));
  }
  const two = await machine('two');
  await two.copies.keepUp(two.items().map((item) => ({ ...item, durationSeconds: 3 })));
  expect(events).toContain('two catalogue.shared-copy-wrong');
  const sound = await readFile(join(media, 'tagged.m4a'));
  expect(asked.filter((line) => line.startsWith('two'))).toHaveLength(2);
  expect(sound.length).toBeGreaterThan(15);
});

test('what no track needs for a week is removed once a day, and nothing where a library is found empty', async () => {
  const one = await machine('one');
  await one.copies.keepUp(one.items());
  await rm(join(one.music, 'tagged.ogg'));
  await one.library.refresh();
  nowMs += 6 * 24 * hourMs;
  await one.copies.keepUp(one.items());
  expect(await objects()).toHaveLength(2);
  nowMs += 2 * 24 * hourMs;
  await one.copies.keepUp([]);
  expect(await objects()).toHaveLength(2);
  await one.copies.keepUp(one.items());
  expect(await objects()).toHaveLength(1);
});

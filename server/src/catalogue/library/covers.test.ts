/** Covers inside real media files, written with tags of every sort; more of the cache is in media-routes.test.ts. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accept, refuse } from '../../system/ports.ts';
import { createCovers, type Covers } from './covers.ts';
import type { LibraryItem } from './library-item.ts';
import { openMediaLibrary } from './media-library.ts';
import { createLog } from '../../system/logging.ts';

const media = join(import.meta.dirname, '../../../../testkit/media');
const song = join(media, 'tagged.mp3');
const silent = createLog('silent');
const kilobytes = 1024;
const notFound = refuse('access/not-found');

let dir: Awaited<ReturnType<typeof makeTempDir>>;
let anItem: LibraryItem;
beforeAll(async () => {
  const [first] = (await openMediaLibrary({ folder: media, log: silent })).list();
  if (first === undefined) throw new Error('no media');
  anItem = first;
});
beforeEach(async () => {
  dir = await makeTempDir('covers');
});
afterEach(() => dir.remove());

/** The sound of an MP3 without the tag in front of it. */
const soundOf = (file: Buffer) => file.subarray(10 + syncSafe(file.subarray(6, 10)));
const syncSafe = (bytes: Buffer) => bytes.reduce((sum, byte) => sum * 128 + byte, 0);
const toSyncSafe = (size: number) => Buffer.from([21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f));

/** An MP3 whose ID3 tag holds this picture; none when `bytes` is 0. */
async function songWith(name: string, bytes: number, mime = 'image/png'): Promise<LibraryItem> {
  const picture = Buffer.concat([Buffer.from(`\0${mime}\0\x03\0`, 'latin1'), Buffer.alloc(bytes, 7)]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(picture.length);
  const frame = bytes === 0 ? Buffer.alloc(0) : Buffer.concat([Buffer.from('APIC'), size, Buffer.alloc(2), picture]);
  const head = Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), toSyncSafe(frame.length)]);
  const path = join(dir.path, name);
  await writeFile(path, Buffer.concat([head, frame, soundOf(await readFile(song))]));
  return itemOf(path, { in: 'media' });
}

const itemOf = (path: string, cover: LibraryItem['cover']): LibraryItem => ({ ...anItem, path, cover });

/** Asks for a cover and says whether the file had to be read. */
async function ask(covers: Covers, item: LibraryItem) {
  let hasRead = false;
  const answer = await covers.of(item, () => {
    hasRead = true;
    return Promise.resolve(accept({}));
  });
  return { answer, hasRead };
}

describe('a cover that is not shown', () => {
  test.each([
    ['has a type that may hold scripts', () => songWith('a.mp3', 200, 'image/svg+xml')],
    ['is larger than 5 MB', () => songWith('a.mp3', 5 * 1024 * kilobytes + 1)],
    ['was taken out of the file since the scan', () => songWith('a.mp3', 0)],
    [
      'is in a file that became something else',
      async () => {
        const path = join(dir.path, 'broken.mp3');
        await writeFile(path, 'no music any more');
        return itemOf(path, { in: 'media' });
      },
    ],
  ])('%s: not found, and the file is not read again for it', async (_why, make) => {
    const item = await make();
    const covers = createCovers();
    expect(await ask(covers, item)).toEqual({ answer: notFound, hasRead: true });
    expect(await ask(covers, item)).toEqual({ answer: notFound, hasRead: false });
  });

  test('of an item without one is not found, without looking for it', async () => {
    const item = itemOf(song, { in: 'nowhere' });
    expect(await ask(createCovers(), item)).toEqual({ answer: notFound, hasRead: false });
  });

  test('of a file that was deleted is not found, without looking for it', async () => {
    const picture = join(dir.path, 'cover.png');
    await writeFile(picture, Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'));
    const item = itemOf(song, { in: 'file', path: picture });
    const covers = createCovers();
    expect((await ask(covers, item)).answer).toMatchObject({ ok: true, value: { mime: 'image/png' } });
    await rm(picture);
    expect(await ask(covers, item)).toEqual({ answer: notFound, hasRead: false });
  });
});

describe('the cache of covers', () => {
  test('reads a file once for two who ask before either was allowed to look', async () => {
    const item = await songWith('a.mp3', 200);
    const covers = createCovers();
    const allowed: (() => void)[] = [];
    const mayLook = () => new Promise<ReturnType<typeof accept>>((done) => allowed.push(() => done(accept({}))));
    const asked = [covers.of(item, mayLook), covers.of(item, mayLook)];
    await expect.poll(() => allowed.length).toBe(2);
    for (const allow of allowed) allow();
    const [first, second] = await Promise.all(asked);
    expect(first?.ok && second?.ok && first.value.bytes === second.value.bytes).toBe(true);
  });

  test('counts nothing for a cover that lost its place while it was read', async () => {
    const large = [await songWith('a.mp3', 40 * kilobytes), await songWith('b.mp3', 40 * kilobytes)];
    const small = await songWith('c.mp3', 5 * kilobytes);
    const covers = createCovers(10 * kilobytes);
    await Promise.all(large.map((item) => ask(covers, item)));
    expect((await ask(covers, small)).hasRead).toBe(true);
    expect((await ask(covers, small)).hasRead).toBe(false);
  });

  test('forgets the one not asked for longest, and keeps what fits', async () => {
    const items = await Promise.all(['a.mp3', 'b.mp3', 'c.mp3'].map((name) => songWith(name, 4 * kilobytes)));
    const [a, b, c] = items as [LibraryItem, LibraryItem, LibraryItem];
    const covers = createCovers(10 * kilobytes);
    for (const item of [a, b, a, c]) await ask(covers, item);
    expect((await ask(covers, a)).hasRead).toBe(false);
    expect((await ask(covers, c)).hasRead).toBe(false);
    expect((await ask(covers, b)).hasRead).toBe(true);
  });

  test('files without a cover take space as well, so they are forgotten too', async () => {
    const item = await songWith('a.mp3', 0);
    const covers = createCovers(400);
    await ask(covers, item);
    expect((await ask(covers, item)).hasRead).toBe(true);
  });
});

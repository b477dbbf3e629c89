/** Tags as other programs write them, in real files: several values, slashes, and letters in encodings they deny. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { libraryBrowsing } from './library-browsing.ts';
import { openMediaLibrary } from './media-library.ts';
import { createLog } from '../../system/logging.ts';

const media = join(import.meta.dirname, '../../../../testkit/media');
let dir: Awaited<ReturnType<typeof makeTempDir>>;
beforeEach(async () => {
  dir = await makeTempDir('tags');
});
afterEach(() => dir.remove());

const syncSafe = (bytes: Buffer) => bytes.reduce((sum, byte) => sum * 128 + byte, 0);
const toSyncSafe = (size: number) => Buffer.from([21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f));

/** A text frame that says Latin-1 (0) or UTF-8 (3), whatever the bytes are. */
type Frames = Readonly<Record<string, string | Buffer>>;

/** An MP3 with an ID3 tag of this version. */
async function song(name: string, version: 3 | 4, frames: Frames): Promise<void> {
  const written = Object.entries(frames).map(([id, value]) => {
    const isText = typeof value === 'string';
    const encoding = isText ? (version === 4 ? 3 : 1) : 0;
    const bytes = isText
      ? Buffer.from(version === 4 ? value : `\uFEFF${value}`, version === 4 ? 'utf8' : 'utf16le')
      : value;
    const size = Buffer.alloc(4);
    size.writeUInt32BE(bytes.length + 1);
    const length = version === 4 ? toSyncSafe(bytes.length + 1) : size;
    return Buffer.concat([Buffer.from(id), length, Buffer.from([0, 0, encoding]), bytes]);
  });
  const tag = Buffer.concat(written);
  const original = await readFile(join(media, 'tagged.mp3'));
  const sound = original.subarray(10 + syncSafe(original.subarray(6, 10)));
  const head = Buffer.concat([Buffer.from('ID3'), Buffer.from([version, 0, 0]), toSyncSafe(tag.length)]);
  await writeFile(join(dir.path, name), Buffer.concat([head, tag, sound]));
}

const open = () => openMediaLibrary({ folder: dir.path, log: createLog('silent') });

describe('a tag with several values', () => {
  test.each([
    [3, 'AC/DC', 'AC/DC', ['AC/DC']],
    [3, 'Love/Hate', 'Love/Hate', ['Love/Hate']],
    [3, 'Ho99o9/N8NOFACE', 'Ho99o9/N8NOFACE', ['Ho99o9/N8NOFACE']],
    [3, 'Queen/David Bowie', 'Queen/David Bowie', ['Queen', 'David Bowie']],
    [3, 'Ines\0Jon', 'Ines, Jon', ['Ines', 'Jon']],
    [4, 'AC/DC', 'AC/DC', ['AC/DC']],
    [4, 'Ines\0Jon\0Ada', 'Ines, Jon, Ada', ['Ines', 'Jon', 'Ada']],
    [4, 'Ines feat. Jon', 'Ines feat. Jon', ['Ines feat. Jon']],
  ] as const)('ID3v2.%i: %j is shown as %s', async (version, tag, shown, each) => {
    await song('a.mp3', version, { TIT2: 'Song', TPE1: tag });
    const [item] = (await open()).list();
    expect([item?.title, item?.artist, item?.artists]).toEqual(['Song', shown, each]);
  });

  test('each artist has the track, and is found with it', async () => {
    await song('a.mp3', 4, {
      TIT2: 'Duet',
      TPE1: 'Ines\0Jon',
      TCON: 'Bolero\0Klezmer',
      TALB: 'Both',
      TPE2: 'Ines\0Ada',
    });
    await song('b.mp3', 4, { TIT2: 'Alone', TPE1: 'Jon' });
    const library = await open();
    const browsing = libraryBrowsing(library);
    const { groups } = browsing.groups('audio', 'artist', 0);
    expect(groups.map(({ name, tracks }) => [name, tracks])).toEqual([
      ['Ines', 1],
      ['Jon', 2],
    ]);
    for (const words of ['jon duet', 'ines duet', 'klezmer', 'bolero', 'ada both']) {
      expect([words, library.search(words).map(({ title }) => title)]).toEqual([words, ['Duet']]);
    }
    expect(browsing.groups('audio', 'album', 0).groups[0]?.artist).toBe('Ines, Ada');
    expect(library.related(library.search('alone')[0]?.id ?? null)[0]?.title).toBe('Duet');
  });

  test('artist and title keep a slash in the album’s artist too', async () => {
    await song('a.mp3', 3, { TIT2: 'Either/Or', TPE1: 'AC/DC', TPE2: 'AC/DC', TALB: 'Live/Dead' });
    const [item] = (await open()).list();
    expect([item?.title, item?.album?.name, item?.album?.artist]).toEqual(['Either/Or', 'Live/Dead', 'AC/DC']);
  });
});

describe('a tag that says Latin-1', () => {
  const cyrillic = (text: string) =>
    Buffer.from(Array.from(text, (c) => (/[А-я]/u.test(c) ? c.charCodeAt(0) - 0x350 : c.charCodeAt(0))));
  const greek = (text: string) =>
    Buffer.from(Array.from(text, (c) => (c > '\u0370' ? c.charCodeAt(0) - 0x2d0 : c.charCodeAt(0))));

  test.each([
    ['Russian', cyrillic('Группа крови'), cyrillic('Кино'), 'Группа крови', 'Кино'],
    ['Greek', greek('Το τραγούδι μου'), greek('Μίκης'), 'Το τραγούδι μου', 'Μίκης'],
    ['UTF-8', Buffer.from('Zażółć gęślą'), Buffer.from('Łona'), 'Zażółć gęślą', 'Łona'],
    [
      'Western',
      Buffer.from('Ágætis byrjun', 'latin1'),
      Buffer.from('Sigur Rós', 'latin1'),
      'Ágætis byrjun',
      'Sigur Rós',
    ],
  ])('and is %s', async (_language, title, artist, shownTitle, shownArtist) => {
    await song('a.mp3', 3, { TIT2: title, TPE1: artist });
    const [item] = (await open()).list();
    expect([item?.title, item?.artist]).toEqual([shownTitle, shownArtist]);
  });
});

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
    [4, 'Ines feat. Jon', 'Ines feat. Jon', ['Ines', 'Jon']],
    [3, 'Artist feat. B; C', 'Artist feat. B; C', ['Artist', 'B', 'C']],
    [4, 'Nas (ft. Lauryn Hill)', 'Nas (ft. Lauryn Hill)', ['Nas', 'Lauryn Hill']],
    [4, 'Queen / David Bowie', 'Queen / David Bowie', ['Queen', 'David Bowie']],
    [4, 'AC / DC', 'AC / DC', ['AC / DC']],
    [4, 'Ines ft Jon', 'Ines ft Jon', ['Ines', 'Jon']],
    [4, 'Die Ärzte;Farin Urlaub', 'Die Ärzte;Farin Urlaub', ['Die Ärzte', 'Farin Urlaub']],
    [3, '宇多田ヒカル、椎名林檎', '宇多田ヒカル、椎名林檎', ['宇多田ヒカル', '椎名林檎']],
    [
      3,
      'Nick Cave & The Bad Seeds/Kylie Minogue',
      'Nick Cave & The Bad Seeds/Kylie Minogue',
      ['Nick Cave & The Bad Seeds', 'Kylie Minogue'],
    ],
    [4, 'Tyler, The Creator', 'Tyler, The Creator', ['Tyler, The Creator']],
    [3, 'Steins;Gate', 'Steins;Gate', ['Steins;Gate']],
    [4, 'Earth, Wind & Fire', 'Earth, Wind & Fire', ['Earth, Wind & Fire']],
    [4, 'Small Feat Band', 'Small Feat Band', ['Small Feat Band']],
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
    const { groups } = await browsing.groups('audio', 'artist', 0);
    expect(groups.map(({ name, tracks }) => [name, tracks])).toEqual([
      ['Ines', 1],
      ['Jon', 2],
    ]);
    for (const words of ['jon duet', 'ines duet', 'klezmer', 'bolero', 'ada both']) {
      expect([words, (await library.search(words)).map(({ title }) => title)]).toEqual([words, ['Duet']]);
    }
    expect((await browsing.groups('audio', 'album', 0)).groups[0]?.artist).toBe('Ines, Ada');
  });

  test('artist and title keep a slash in the album’s artist too', async () => {
    await song('a.mp3', 3, { TIT2: 'Either/Or', TPE1: 'AC/DC', TPE2: 'AC/DC', TALB: 'Live/Dead' });
    const [item] = (await open()).list();
    expect([item?.title, item?.album?.name, item?.album?.artist]).toEqual(['Either/Or', 'Live/Dead', 'AC/DC']);
  });
});

/** The tagged FLAC with these comments in place of its own. */
async function flacSong(name: string, comments: readonly (readonly [name: string, value: string])[]): Promise<void> {
  const original = await readFile(join(media, 'tagged.flac'));
  const sized = (text: string): Buffer => {
    const size = Buffer.alloc(4);
    size.writeUInt32LE(Buffer.byteLength(text));
    return Buffer.concat([size, Buffer.from(text)]);
  };
  const count = Buffer.alloc(4);
  count.writeUInt32LE(comments.length);
  const list = Buffer.concat([sized('test'), count, ...comments.map(([key, value]) => sized(`${key}=${value}`))]);
  // Behind the first block, which describes the sound, the new one is the last.
  const information = Buffer.from(original.subarray(4, 42));
  information[0] = 0;
  let at = 4;
  for (let isLast = false; !isLast; at += 4 + original.readUIntBE(at + 1, 3)) isLast = (original[at] ?? 0) >= 0x80;
  const head = Buffer.from([0x84, 0, 0, 0]);
  head.writeUIntBE(list.length, 1, 3);
  const parts = [Buffer.from('fLaC'), information, head, list, original.subarray(at)];
  await writeFile(join(dir.path, name), Buffer.concat(parts));
}

describe('several values in one text', () => {
  test.each([
    ['MP3', (text: string) => song('a.mp3', 3, { TIT2: 'S', TPE1: text, TPE2: text, TALB: 'A', TCON: text })],
    [
      'MP3, version 4',
      (text: string) => song('a.mp3', 4, { TIT2: 'S', TPE1: text, TPE2: text, TALB: 'A', TCON: text }),
    ],
    [
      'FLAC',
      (text: string) =>
        flacSong('a.flac', [
          ...([
            ['TITLE', 'S'],
            ['ALBUM', 'A'],
          ] as const),
          ...(['ARTIST', 'ALBUMARTIST', 'GENRE'] as const).map((key) => [key, text] as const),
        ]),
    ],
  ])('are each an artist and a genre, divided by zeros or semicolons: %s', async (_format, write) => {
    for (const [text, shown] of [
      ['Ines\0Jon', 'Ines, Jon'],
      ['Ines; Jon', 'Ines; Jon'],
    ] as const) {
      await write(text);
      const [item] = (await open()).list();
      const { artist, artists, genres, album } = item ?? {};
      expect({ artist, artists, genres, of: album?.artist }).toEqual({
        ...{ artist: shown, artists: ['Ines', 'Jon'], genres: ['Ines', 'Jon'], of: shown },
      });
    }
  });

  test('genres are divided at every semicolon', async () => {
    await song('a.mp3', 3, { TIT2: 'S', TCON: 'Rock;Synth Pop; Folk, World, & Country;' });
    expect((await open()).list()[0]?.genres).toEqual(['Rock', 'Synth Pop', 'Folk, World, & Country']);
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

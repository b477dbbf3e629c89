/** Pictures beside albums, in real folders: which is the cover of what, and that each promised one is answered. */
import { cp, mkdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { afterEach, beforeEach, expect, test } from 'vitest';
import sharp from 'sharp';
import { imageReader } from '../../chats/pictures/image-reader.ts';
import { accept } from '../../system/ports.ts';
import { createLog } from '../../system/logging.ts';
import { createCovers } from './covers.ts';
import { openMediaLibrary } from './media-library.ts';

const media = join(import.meta.dirname, '../../../../testkit/media');
const png = Buffer.from('\x89PNG\r\n\x1A\n and the rest', 'latin1');
const jpeg = Buffer.from('\xFF\xD8\xFF\xE0 and the rest', 'latin1');
const gif = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
const gaussian = { type: 'gaussian', mean: 128, sigma: 60 } as const;
const webp = Buffer.from('RIFF\x10\0\0\0WEBPVP8 and the rest', 'latin1');

let dir: Awaited<ReturnType<typeof makeTempDir>>;
beforeEach(async () => {
  dir = await makeTempDir('pictures');
});
afterEach(() => dir.remove());

/** Tracks are real ones; the others have these bytes. */
async function folder(files: Readonly<Record<string, Buffer | string>>): Promise<void> {
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(dir.path, path)), { recursive: true });
    if (typeof bytes === 'string') await cp(join(media, bytes), join(dir.path, path));
    else await writeFile(join(dir.path, path), bytes);
  }
}

/** The type of each item's cover; null without one. A promised cover that is refused fails. */
async function covers(): Promise<(string | null)[]> {
  const library = await openMediaLibrary({ folder: dir.path, log: createLog('silent') });
  const all = createCovers();
  return await Promise.all(
    library.list().map(async (item) => {
      if (item.cover.in === 'nowhere') return null;
      const cover = await all.of(item, () => Promise.resolve(accept({})));
      return cover.ok ? cover.value.mime : expect.fail('promised and refused');
    }),
  );
}

test.each([
  ['cover.jpg', jpeg, 'image/jpeg'],
  ['Folder.PNG', png, 'image/png'],
  ['FRONT.jpeg', jpeg, 'image/jpeg'],
  ['album.webp', webp, 'image/webp'],
  ['cover.jpg', png, 'image/png'],
  ['cover.gif', gif, 'image/gif'],
  ['Folder.jfif', jpeg, 'image/jpeg'],
  ['artwork.png', png, 'image/png'],
  ['Front Cover.jpg', jpeg, 'image/jpeg'],
  ['cover (1).jpg', jpeg, 'image/jpeg'],
  ['AlbumArt_{5F3A2B1C-0000-4000-8000-0123456789AB}_Large.jpg', jpeg, 'image/jpeg'],
  ['Scans/front.png', png, 'image/png'],
  ['A.jpg', jpeg, 'image/jpeg'],
  ['a-poster.webp', webp, 'image/webp'],
  ['Ines - Velvet Hour - Front.jpg', jpeg, 'image/jpeg'],
  ['Velvet Hour (Cover).png', png, 'image/png'],
  ['カバー.jpg', jpeg, 'image/jpeg'],
  ['Обложка.jpg', jpeg, 'image/jpeg'],
])('%s beside the tracks is their cover', async (name, bytes, mime) => {
  await folder({ 'Album/a.wav': 'untagged_wave.wav', [`Album/${name}`]: bytes, 'Other/b.wav': 'untagged_wave.wav' });
  expect(await covers()).toEqual([mime, null]);
});

test('a picture with the name of one track is not that of its neighbours', async () => {
  await folder({
    ...{ 'Films/a.wav': 'untagged_wave.wav', 'Films/b.wav': 'untagged_wave.wav', 'Films/c.wav': 'untagged_wave.wav' },
    ...{ 'Films/a.jpg': jpeg, 'Films/b.jpg': Buffer.alloc(0), 'Films/abc.jpg': jpeg },
  });
  expect(await covers()).toEqual(['image/jpeg', null, null]);
});

test('a picture inside the file comes first, and discs have that of their album', async () => {
  await folder({
    'Album/cover.webp': webp,
    'Album/CD 1/a.wav': 'untagged_wave.wav',
    'Album/disc2/b.wav': 'untagged_wave.wav',
    'Album/Bonus/c.wav': 'untagged_wave.wav',
    'Album/d.mp3': 'tagged.mp3',
  });
  expect(await covers()).toEqual([null, 'image/webp', expect.stringMatching(/png|jpeg/), 'image/webp']);
});

test('what is empty, too large, or no picture is not promised, and the next best is taken', async () => {
  await folder({
    'A/a.wav': 'untagged_wave.wav',
    'A/cover.jpg': Buffer.alloc(0),
    'B/a.wav': 'untagged_wave.wav',
    'B/cover.jpg': Buffer.from('<svg onload="alert(1)"/>'),
    'B/folder.png': png,
    'C/a.wav': 'untagged_wave.wav',
    'C/cover.jpg': jpeg,
    'D/a.wav': 'untagged_wave.wav',
    'D/holiday.jpg': jpeg,
  });
  await truncate(join(dir.path, 'C/cover.jpg'), 32 * 1024 * 1024 + 1);
  expect(await covers()).toEqual([null, 'image/png', null, null]);
});

test('a picture inside a file that can not be shown is not promised either', async () => {
  const original = await readFile(join(media, 'tagged.mp3'));
  const at = original.indexOf('image/');
  const type = original.subarray(at, original.indexOf(0, at));
  original.write('image/xxxx'.slice(0, type.length), at, 'latin1');
  await folder({ 'a.mp3': original });
  expect(await covers()).toEqual([null]);
});

test('scans and pictures inside files that are larger than 5 MB come smaller', async () => {
  const noise = await sharp({ create: { width: 1600, height: 1600, channels: 3, background: '#888', noise: gaussian } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const song = await readFile(join(media, 'tagged.mp3'));
  const frame = Buffer.concat([Buffer.from('APIC\0\0\0\0\0\0\0image/png\0\x03\0', 'latin1'), noise]);
  frame.writeUInt32BE(frame.length - 10, 4);
  const size = Buffer.from([21, 14, 7, 0].map((shift) => (frame.length >> shift) & 0x7f));
  await folder({
    'A.mp3': Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), size, frame, song.subarray(-4000)]),
    'B/b.wav': 'untagged_wave.wav',
    'B/cover.png': noise,
    'C/c.wav': 'untagged_wave.wav',
    'C/cover.png': Buffer.concat([png, Buffer.alloc(6 * 1024 * 1024)]),
  });
  const log = createLog('silent');
  const reader = imageReader({ log });
  const all = createCovers(undefined, async (bytes) => {
    const image = await reader.read(bytes);
    return typeof image === 'string' ? null : image.full;
  });
  const { list } = await openMediaLibrary({ folder: dir.path, log });
  const answers = await Promise.all(list().map((item) => all.of(item, () => Promise.resolve(accept({})))));
  await reader.close();
  const seen = answers.map((cover) => (cover.ok ? [cover.value.mime, cover.value.bytes.length < noise.length] : null));
  // What begins like a picture and is none is refused, in the process that decodes it.
  expect(seen).toEqual([['image/webp', true], ['image/webp', true], null]);
});

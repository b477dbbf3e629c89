/** Pictures in media files of every sort, as players get them. */
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { parseBuffer } from 'music-metadata';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hidePicture, patched } from './hidden-picture.ts';

const media = join(import.meta.dirname, '../../../../testkit/media');

let dir: TempDir;
beforeEach(async () => {
  dir = await makeTempDir('picture');
});
afterEach(() => dir.remove());

async function patchesOf(bytes: Buffer) {
  const path = join(dir.path, 'file');
  await writeFile(path, bytes);
  const file = await open(path);
  try {
    return await hidePicture(file, bytes.length);
  } finally {
    await file.close();
  }
}

/** As it is sent, in chunks of this size. */
async function sent(bytes: Buffer, first = 0, last = bytes.length - 1, chunk = 512): Promise<Buffer> {
  const part = Buffer.from(bytes.subarray(first, last + 1));
  const chunks = Array.from({ length: Math.ceil(part.length / chunk) }, (_, n) =>
    part.subarray(n * chunk, (n + 1) * chunk),
  );
  return await buffer(patched(Readable.from(chunks), { first, last }, await patchesOf(bytes)));
}

/** An ID3 tag of this version with a title and a picture, before the sound of a real file. */
async function withTag(version: 2 | 3 | 4): Promise<Buffer> {
  const song = await readFile(join(media, 'tagged.mp3'));
  const sevenBits = (size: number) => Buffer.from([21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f));
  const eightBits = (size: number) => Buffer.from([24, 16, 8, 0].map((shift) => (size >> shift) & 0xff));
  const frame = (name: string, body: Buffer): Buffer => {
    const size = version === 4 ? sevenBits(body.length) : eightBits(body.length).subarray(version === 2 ? 1 : 0);
    return Buffer.concat([Buffer.from(name), size, Buffer.alloc(version === 2 ? 0 : 2), body]);
  };
  const picture = Buffer.alloc(900, 7);
  const [title, kind] = version === 2 ? ['TT2', 'PIC'] : ['TIT2', 'APIC'];
  const about = version === 2 ? '\0PNG\x03\0' : '\0image/png\0\x03\0';
  const frames = Buffer.concat([
    frame(title, Buffer.from('\0Rain', 'latin1')),
    frame(kind, Buffer.concat([Buffer.from(about, 'latin1'), picture])),
  ]);
  const old = 10 + song.subarray(6, 10).reduce((sum, byte) => sum * 128 + byte, 0);
  return Buffer.concat([
    Buffer.from([0x49, 0x44, 0x33, version, 0, 0]),
    sevenBits(frames.length),
    frames,
    song.subarray(old),
  ]);
}

const files: readonly [string, () => Promise<Buffer>][] = [
  ['an M4A', () => readFile(join(media, 'tagged.m4a'))],
  ['an MP3', () => readFile(join(media, 'tagged.mp3'))],
  ...([2, 3, 4] as const).map(
    (version) => [`ID3 2.${String(version)}`, () => withTag(version)] as [string, () => Promise<Buffer>],
  ),
];

describe.each(files)('%s with a picture inside', (_name, read) => {
  test('has the same sound and words for players, and no picture', async () => {
    const file = await read();
    const before = await parseBuffer(file);
    expect(before.common.picture).toHaveLength(1);
    const after = await parseBuffer(await sent(file));
    expect(after.common.picture).toBeUndefined();
    expect(after.common.title).toBe(before.common.title);
    expect(after.format.duration).toBe(before.format.duration);
  });

  test('differs from the file in the name of the picture alone, in whatever ranges and chunks it is sent', async () => {
    const file = await read();
    const whole = await sent(file);
    const changed = [...whole.keys()].filter((at) => whole[at] !== file[at]);
    expect(changed.length).toBeGreaterThan(0);
    expect((changed.at(-1) ?? 0) - (changed[0] ?? 0)).toBeLessThan(4);
    const around = fc.integer({ min: Math.max(0, (changed[0] ?? 0) - 8), max: (changed[0] ?? 0) + 12 });
    await fc.assert(
      fc.asyncProperty(around, around, fc.integer({ min: 1, max: 7 }), async (a, b, chunk) => {
        const [first, last] = [Math.min(a, b), Math.max(a, b)];
        expect(await sent(file, first, last, chunk)).toEqual(whole.subarray(first, last + 1));
      }),
      { numRuns: 40 },
    );
  });
});

test.each(['tagged.flac', 'tagged.ogg', 'film.mp4', 'film.webm', 'untagged_wave.wav'])(
  '%s is sent as it is',
  async (name) => {
    const file = await readFile(join(media, name));
    expect(await sent(file)).toEqual(file);
  },
);

test('a file cut off or altered anywhere is still read to an end', async () => {
  const whole = await Promise.all(files.map(([, read]) => read()));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...whole), fc.nat(), fc.nat(), fc.nat(255), async (file, cut, at, byte) => {
      const bad = Buffer.from(file.subarray(0, cut % file.length));
      if (bad.length > 0) bad[at % Math.min(bad.length, 6200)] = byte;
      expect((await patchesOf(bad)).length).toBeLessThan(10);
    }),
    { numRuns: 150 },
  );
});

describe('the boxes of an MP4', () => {
  const box = (name: string, ...inside: Buffer[]): Buffer => {
    const body = Buffer.concat(inside);
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + body.length);
    head.write(name, 4, 'latin1');
    return Buffer.concat([head, body]);
  };
  /** Its length in the 64 bits after its name. */
  const longBox = (name: string, ...inside: Buffer[]): Buffer => {
    const body = Buffer.concat(inside);
    const head = Buffer.alloc(16);
    head.writeUInt32BE(1);
    head.write(name, 4, 'latin1');
    head.writeBigUInt64BE(BigInt(16 + body.length), 8);
    return Buffer.concat([head, body]);
  };
  /** It goes to the end of the file. */
  const lastBox = (name: string, ...inside: Buffer[]): Buffer => {
    const bytes = box(name, ...inside);
    bytes.writeUInt32BE(0);
    return bytes;
  };
  const start = box('ftyp', Buffer.from('M4A '));
  const meta = (...inside: Buffer[]) => box('meta', Buffer.alloc(4), ...inside);
  const picture = box('covr', Buffer.alloc(40, 7));
  const way = box('udta', meta(box('ilst', picture)));
  const namesHidden = async (file: Buffer) =>
    (await patchesOf(file)).map(({ at, bytes }) => [file.toString('latin1', at, at + 4), bytes.toString('latin1')]);

  test.each([
    ['of usual lengths', [box('moov', way)]],
    ['of lengths in 64 bits, and before it', [longBox('mdat', Buffer.alloc(99)), longBox('moov', way)]],
    ['that goes to the end', [box('mdat', Buffer.alloc(99)), lastBox('moov', way)]],
  ])('a picture is found in boxes %s', async (_, boxes) => {
    expect(await namesHidden(Buffer.concat([start, ...boxes]))).toEqual([['covr', 'free']]);
  });

  test.each([
    ['is longer than it says', [box('moov').fill(0, 3, 4), box('moov', way)]],
    ['is cut off in its 64-bit length', [Buffer.concat([longBox('moov', way).subarray(0, 12)])]],
    ['goes to the end, before the picture', [lastBox('free'), box('moov', way)]],
    ['is the three hundredth on the way', [...Array.from({ length: 300 }, () => box('free')), box('moov', way)]],
  ])('where a box %s, the file is sent as it is', async (_, boxes) => {
    expect(await namesHidden(Buffer.concat([start, ...boxes]))).toEqual([]);
  });

  test('a box that says less than its own head, or a file that ends before it should, is sent as it is', async () => {
    // Read on after so few bytes, it would seem to lead to the next box.
    const broken = Buffer.from([0, 0, 0, 4, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(await namesHidden(Buffer.concat([start, broken, box('moov', way)]))).toEqual([]);
    const path = join(dir.path, 'short');
    await writeFile(path, start);
    await using file = await open(path);
    // The size when the folder was read; the file has been truncated since.
    expect(await hidePicture(file, start.length + 500)).toEqual([]);
  });
});

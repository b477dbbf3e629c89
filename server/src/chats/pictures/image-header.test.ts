/** Reading what a picture would cost, on files of a real encoder and on files built to mislead. */
import { jpegOfScans } from '@tunemate/testkit/fuzz/hostile-images';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { readHead } from './image-header.ts';

const noisy = (width: number, height: number) =>
  sharp(Buffer.from(Array.from({ length: width * height * 3 }, (_, index) => (index * 7919) % 251)), {
    raw: { width, height, channels: 3 },
  });

describe('what a picture says of itself', () => {
  test.each([
    ['jpeg', () => noisy(90, 60).jpeg({ quality: 100 }), 1],
    ['progressive jpeg', () => noisy(90, 60).jpeg({ progressive: true }), 10],
    ['png', () => noisy(90, 60).png(), 1],
    ['lossy webp', () => noisy(90, 60).webp(), 1],
    ['lossless webp', () => noisy(90, 60).webp({ lossless: true }), 1],
    [
      'extended webp',
      () =>
        noisy(90, 60)
          .withExif({ IFD0: { Copyright: 'x' } })
          .webp(),
      1,
    ],
  ])('reads size and passes of a %s', async (_name, make, scans) => {
    const head = readHead(await make().toBuffer());
    expect(head).toMatchObject({ width: 90, height: 60, isHeavy: false });
    expect([scans, head?.scans === 1]).toEqual([scans, scans === 1]);
  });

  test('counts each scan of the picture, and none of the pictures inside it or behind it', () => {
    expect(readHead(jpegOfScans(7))?.scans).toBe(7);
    const preview = jpegOfScans(3);
    const marker = Buffer.from([0xff, 0xe1, (preview.length + 2) >> 8, (preview.length + 2) & 0xff]);
    expect(readHead(jpegOfScans(7, 64, Buffer.concat([marker, preview])))?.scans).toBe(7);
    expect(readHead(Buffer.concat([jpegOfScans(7), jpegOfScans(9)]))?.scans).toBe(7);
  });

  test('is led past no scan by filling, restarts or escaped bytes', () => {
    const whole = jpegOfScans(7);
    const end = whole.length - 2;
    for (const between of [[0xff], [0xff, 0xd0], [0xff, 0x00], [0xff, 0x02, 0x7f, 0x7f], [0, 1, 2]]) {
      const again = whole.subarray(whole.lastIndexOf(Buffer.from([0xff, 0xda])), end);
      const file = Buffer.concat([whole.subarray(0, end), Buffer.from(between), again, whole.subarray(end)]);
      expect([between, readHead(file)?.scans]).toEqual([between, 8]);
    }
  });

  test('reads depth and interlace of a PNG', async () => {
    expect(readHead(await noisy(90, 60).png({ progressive: true }).toBuffer())?.isHeavy).toBe(true);
    expect(readHead(await noisy(90, 60).toColourspace('rgb16').png().toBuffer())?.isHeavy).toBe(true);
  });

  test('finds no picture in anything else, however short or cut', async () => {
    const whole = await noisy(90, 60).jpeg({ progressive: true }).toBuffer();
    for (let length = 0; length < 64; length += 1) {
      expect(() => readHead(whole.subarray(0, length))).not.toThrow();
      expect(() => readHead(Buffer.concat([whole.subarray(0, length), Buffer.alloc(40, 0xff)]))).not.toThrow();
    }
    expect(readHead(Buffer.from('GIF89a'.padEnd(64)))).toBeNull();
    expect(readHead(Buffer.from('RIFF____WEBPVP9 '.padEnd(64)))).toBeNull();
    const png = await noisy(90, 60).png().toBuffer();
    png.write('IDAT', 12, 'latin1');
    expect(readHead(png)).toBeNull();
  });
});

/** Pictures as phones, cameras and scanners make them, and what travels in their place. */
import { describe, expect, test } from 'vitest';
import type { Uid } from '@tunemate/protocol';
import { shrinkPicture, uploadImage } from './images.ts';

const taken = ['image/jpeg', 'image/png', 'image/webp'];

/** A picture of noise, which no format makes small; the lower half stays empty where it is `clear`. */
async function drawn(width: number, height: number, type: string, isClear = false): Promise<File> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  const bottom = isClear ? height / 2 : height;
  // PNG would make little of a tile that repeats.
  const [across, down] = type === 'image/png' ? [width, bottom] : [256, 256];
  const tile = context?.createImageData(across, down);
  if (!context || !tile) throw new Error('this browser does not draw');
  for (let at = 0; at < tile.data.length; at += 1) tile.data[at] = at % 4 === 3 ? 255 : Math.random() * 255;
  for (let x = 0; x < width; x += across) for (let y = 0; y < bottom; y += down) context.putImageData(tile, x, y);
  if (isClear) context.clearRect(0, bottom, width, height);
  return new File([await canvas.convertToBlob({ type, quality: 0.9 })], `a.${type.slice(6)}`, { type });
}

async function sizeOf(file: File): Promise<[number, number]> {
  const { width, height } = await createImageBitmap(file);
  return [width, height];
}

/** The picture as a camera marks it that was held upright: to be turned, with the place where it was taken. */
async function held(picture: File): Promise<File> {
  const bytes = new Uint8Array(await picture.arrayBuffer());
  const tiff = [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0];
  const exif = [...new TextEncoder().encode('Exif\0\0'), ...tiff, ...new TextEncoder().encode('GPS 52.52 N 13.40 E')];
  const part = Uint8Array.from([0xff, 0xe1, 0, exif.length + 2, ...exif]);
  return new File([bytes.slice(0, 2), part, bytes.slice(2)], picture.name, { type: picture.type });
}

describe('what is large travels smaller', () => {
  test.each([
    ['a photo of 24 megapixels', 6000, 4000, 'image/jpeg', [2560, 1707], 'image/jpeg'],
    ['an upright photo', 2000, 4000, 'image/jpeg', [1280, 2560], 'image/jpeg'],
    ['a panorama', 9000, 900, 'image/jpeg', [2560, 256], 'image/jpeg'],
    ['a screenshot', 2880, 900, 'image/png', [2560, 800], 'image/webp'],
    ['a WebP', 4000, 500, 'image/webp', [2560, 320], 'image/webp'],
  ] as const)('%s', async (_kind, width, height, type, size, becomes) => {
    const file = await drawn(width, height, type);
    const sent = await shrinkPicture(file, taken);
    expect([sent.type, await sizeOf(sent), sent.size < file.size]).toEqual([becomes, size, true]);
  });
});

test('a photo is upright without its marks, and does not say where it was taken', async () => {
  const sent = await shrinkPicture(await held(await drawn(4000, 2000, 'image/jpeg')), taken);
  expect(await sizeOf(sent)).toEqual([1280, 2560]);
  // Longer than what noise holds by chance, and no difference of thousands of lines.
  expect((await sent.text()).includes('GPS 52.52')).toBe(false);
});

test('what is transparent stays so', async () => {
  const sent = await shrinkPicture(await drawn(3000, 600, 'image/png', true), taken);
  const canvas = new OffscreenCanvas(1, 1);
  const context = canvas.getContext('2d');
  context?.drawImage(await createImageBitmap(sent), 0, -500);
  expect(context?.getImageData(0, 0, 1, 1).data[3]).toBe(0);
});

test('other kinds that this browser reads become one that the server takes', async () => {
  const gif = Uint8Array.from(atob('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs='), (letter) => letter.charCodeAt(0));
  const bitmap = [0x42, 0x4d, 58, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 24];
  const bmp = Uint8Array.from([...bitmap, ...Array.from({ length: 25 }, () => 0), 255, 0, 0, 0]);
  const photo = await drawn(300, 200, 'image/jpeg');
  for (const [file, type] of [
    [new File([gif], 'a.gif', { type: 'image/gif' }), 'image/webp'],
    [new File([bmp], 'a.bmp', { type: 'image/bmp' }), 'image/jpeg'],
    // Some systems know no type for a photo.
    [new File([photo], 'IMG_1.HEIC'), 'image/jpeg'],
  ] as const) {
    expect([file.name, (await shrinkPicture(file, taken)).type]).toEqual([file.name, type]);
  }
});

test('a small picture, and what this browser can not read, travel as they are', async () => {
  const small = await drawn(400, 300, 'image/png');
  const unread = new File([new Uint8Array(2_000_000)], 'a.heic', { type: 'image/heic' });
  const words = new File(['hello'], 'a.txt', { type: 'text/plain' });
  for (const file of [small, unread, words]) expect(await shrinkPicture(file, taken)).toBe(file);
});

const smallestGif = 'R0lGODdhAQABAIAAAP8AAP///ywAAAAAAQABAAACAkQBADs=';

/** What became of a picture, and the first bytes of each that travelled. The server takes what is a JPEG. */
async function sent(file: File) {
  const heads: number[] = [];
  const answer = await uploadImage(
    async (_address, init) => {
      const [first = 0] = new Uint8Array(await new Response(init?.body ?? null).arrayBuffer());
      heads.push(first);
      const isJpeg = first === 0xff;
      return Response.json(isJpeg ? { ok: true, value: {} } : { ok: false, error: { code: 'input/unsupported' } });
    },
    'ivoivoivoivoivoivoivo1' as Uid,
    file,
  );
  return { heads, code: answer.ok ? null : answer.error.code };
}

test('a picture under the name of another kind becomes one that the server takes', async () => {
  const bytes = Uint8Array.from(atob(smallestGif), (character) => character.charCodeAt(0));
  expect(await sent(new File([bytes], 'a.jpg', { type: 'image/jpeg' }))).toEqual({ heads: [0x47, 0xff], code: null });
});

test('what no browser reads is refused once, for what it is', async () => {
  const torn = new File(['torn'], 'a.jpg', { type: 'image/jpeg' });
  expect(await sent(torn)).toEqual({ heads: [0x74], code: 'input/unsupported' });
});

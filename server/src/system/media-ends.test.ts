/** Files as a loss of power or a failing disk leaves them, beside those that programs write. */
import { copyFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { m4aBytes, webpBytes } from '@tunemate/testkit/media-bytes';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { damageOf } from './media-ends.ts';

test('a picture that was written whole is, and what was emptied, cut or filled with zeros is not', async () => {
  await using dir = await makeTempDir('ends');
  const path = join(dir.path, 'one.webp');
  expect(await damageOf(path)).toBe('missing');
  for (const width of [1, 63, 64]) {
    const picture = await sharp({ create: { width, height: 9, channels: 3, background: 'red' } })
      .webp()
      .toBuffer();
    await writeFile(path, picture);
    expect(await damageOf(path)).toBeNull();
    for (const bytes of [0, 11, picture.length - 1]) {
      const cut = join(dir.path, 'cut.webp');
      await copyFile(path, cut);
      await truncate(cut, bytes);
      expect(await damageOf(cut)).toBe('damaged');
    }
    await writeFile(path, Buffer.alloc(picture.length));
    expect(await damageOf(path)).toBe('damaged');
  }
  await writeFile(path, webpBytes('odd'));
  expect(await damageOf(path)).toBeNull();
});

test('sound that was written whole is, and what was cut or has none of its parts is not', async () => {
  await using dir = await makeTempDir('ends');
  const path = join(dir.path, 'one.m4a');
  const sound = m4aBytes('sound');
  await writeFile(path, sound);
  expect(await damageOf(path)).toBeNull();
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.alloc(64),
    sound.subarray(0, -1),
    Buffer.concat([sound, sound.subarray(0, 3)]),
  ]) {
    await writeFile(path, bytes);
    expect(await damageOf(path)).toBe('damaged');
  }
  await writeFile(join(dir.path, 'notes.txt'), 'text');
  expect(await damageOf(join(dir.path, 'notes.txt'))).toBeNull();
});

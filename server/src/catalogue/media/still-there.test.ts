/** Copies as a loss of power or a failing disk leaves them. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { expect, test } from 'vitest';
import { openCopy } from './still-there.ts';

const media = join(import.meta.dirname, '../../../../testkit/media');

test.each([
  ['empty', (whole: Buffer) => whole.subarray(0, 0)],
  ['half', (whole: Buffer) => whole.subarray(0, whole.length / 2)],
  ['full of zeros', (whole: Buffer) => Buffer.alloc(whole.length)],
])('a copy that is %s is not sent, and is removed, so that it is made again (MEDIA-3)', async (_what, broken) => {
  await using dir = await makeTempDir('copy');
  const path = join(dir.path, 'copy.m4a');
  const whole = await readFile(join(media, 'tagged.m4a'));
  const named: string[] = [];
  const openIt = () => openCopy(path, (name) => void named.push(name));
  await writeFile(path, whole);
  await (await openIt())?.close();
  expect(named).toEqual([]);
  await writeFile(path, broken(whole));
  expect(await openIt()).toBeNull();
  expect(named).toEqual(['copy.m4a']);
  await expect(stat(path)).rejects.toThrow('ENOENT');
  expect(await openIt()).toBeNull();
});

/** How far the walk through a folder goes. media-library.test.ts walks folders with links and circles. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { expect, test } from 'vitest';
import { isInside, isOfSystem, walkFolder } from './folder-walk.ts';

test('a path is inside a folder by whole names, also for the root of the disk', () => {
  expect([isInside('/music', '/music'), isInside('/music', '/music/a'), isInside('/', '/music')]).toEqual([
    ...[true, true, true],
  ]);
  expect([isInside('/music', '/music2'), isInside('/music/a', '/music')]).toEqual([false, false]);
});

test('folders within folders are read to the sixteenth, and the operator learns which was not', async () => {
  await using dir = await makeTempDir('deep');
  const levels = Array.from({ length: 18 }, (_, n) => `level${String(n)}`);
  await mkdir(join(dir.path, ...levels), { recursive: true });
  for (const depth of [16, 17]) await writeFile(join(dir.path, ...levels.slice(0, depth), 'song.mp3'), '');
  const steps: string[][] = [];
  for await (const step of walkFolder(dir.path)) {
    steps.push(step.type === 'found' ? [step.file.relativePath] : [step.relativePath, step.reason]);
  }
  expect(steps).toEqual([[join(...levels.slice(0, 17)), 'too-deep'], [join(...levels.slice(0, 16), 'song.mp3')]]);
});

test.each([
  '.DS_Store',
  '._Song.mp3',
  '.Trash-1000',
  '.Trashes',
  '.stfolder',
  '.stversions',
  '.git',
  '@eaDir',
  'lost+found',
  '$RECYCLE.BIN',
])('%s is of a system', (name) => expect(isOfSystem(name)).toBe(true));

test.each([
  '...And Justice for All',
  '.hack SIGN',
  '...Baby One More Time.wav',
  '.38 Special',
  '.gitara',
  '_private',
  '.cached.mp3',
])('%s is of a person', (name) => expect(isOfSystem(name)).toBe(false));

/** How far the walk through a folder goes. media-library.test.ts walks folders with links and circles. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { expect, test } from 'vitest';
import { isInside, walkFolder } from './folder-scan.ts';

test('what is inside a folder is told by whole names, also for the root of the disk', () => {
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

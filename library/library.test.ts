/** The committed library is what its manifest says: complete, playable by its tags, small. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseFile } from 'music-metadata';
import { expect, test } from 'vitest';

interface Item {
  id: string;
  file: string;
  title: string;
  artist: string;
  kind: 'audio' | 'video';
  durationSeconds: number;
  cover: string;
  mime: string;
}

const here = import.meta.dirname;
const { items } = JSON.parse(await readFile(join(here, 'library.json'), 'utf8')) as { items: Item[] };

test.each(items)('$title is tagged, typed and as long as the manifest says', async (item) => {
  const { common, format } = await parseFile(join(here, item.file), { duration: true });
  expect(common).toMatchObject({ title: item.title, artist: item.artist });
  expect(Math.abs((format.duration ?? 0) - item.durationSeconds)).toBeLessThan(0.1);
  expect(item.durationSeconds).toBeGreaterThanOrEqual(item.kind === 'video' ? 60 : 90);
  expect(format.hasVideo === true).toBe(item.kind === 'video');
  expect(item.mime).toBe({ m4a: 'audio/mp4', mp4: 'video/mp4' }[item.file.split('.')[1] ?? '']);
});

test('the library has four tracks that every browser seeks exactly, three films, and stays under 12 MB', async () => {
  const formats = (kind: string): string[] => items.filter((item) => item.kind === kind).map(({ mime }) => mime);
  expect(formats('audio').length).toBeGreaterThanOrEqual(4);
  expect(new Set(formats('audio'))).toEqual(new Set(['audio/mp4']));
  expect(formats('video').length).toBeGreaterThanOrEqual(3);
  const sizes = await Promise.all(
    items.flatMap(({ file, cover }) => [file, cover]).map(async (path) => (await stat(join(here, path))).size),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(12_000_000);
});

test('every file of the library is in its manifest', async () => {
  for (const folder of ['media', 'covers']) {
    const listed = items.map(({ file, cover }) => (folder === 'media' ? file : cover)).sort();
    expect((await readdir(join(here, folder))).map((name) => `${folder}/${name}`).sort()).toEqual(listed);
  }
});

/** The demo fills a server, opens two of its people signed in, and leaves a folder alone that holds anything. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTempDir } from '../services/temp-dir.ts';
import { openDemo } from './demo.ts';

/** As a browser: follows the link, keeps the cookie, and answers who is signed in at the page it leads to. */
async function whoIsAt(url: string): Promise<{ page: URL; name: string | undefined }> {
  const link = await fetch(url, { redirect: 'manual' });
  const page = new URL(link.headers.get('location') ?? '');
  const cookie = link.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const session = await fetch(new URL('/api/session', page), { headers: { cookie, origin: page.origin } });
  const { value } = (await session.json()) as { value: { user?: { name: string } } };
  return { page, name: value.user?.name };
}

test('the demo fills a fresh folder, and its two addresses open two people signed in, each under a host of its own', async () => {
  await using folder = await makeTempDir('demo-test');
  const demo = await openDemo(folder.path);
  const visits = await Promise.all(demo.urls.map(whoIsAt));
  const wrong = await fetch(new URL('/guessed', demo.urls[0]));
  await demo.close();

  expect(visits.map(({ name }) => name)).toEqual(['Mira', 'Ada']);
  expect(new Set(visits.map(({ page }) => page.hostname)).size).toBe(2);
  expect(visits.every(({ page }) => page.pathname.startsWith('/tunemate/'))).toBe(true);
  expect(wrong.status).toBe(404);
});

test('the demo refuses a folder that holds anything, and starts nothing', async () => {
  await using folder = await makeTempDir('demo-test');
  await writeFile(join(folder.path, 'tunemate.sqlite'), '');
  await expect(openDemo(folder.path)).rejects.toThrow('not empty');
});

/**
 * Films on another server, by a pasted link: a stream and a file from a host that the operator allows, watched by two
 * in step, with subtitles of the stream; and links and redirects that lead elsewhere.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Route } from '@playwright/test';
import { wordedStream } from '@tunemate/testkit/browsers/worded-stream';
import { serve } from '@tunemate/testkit/network/serve';
import { orNotRun } from './not-run.ts';
import { isPlaying, type Person, positionOf } from './person.ts';
import { comeTogether, expectTogether } from './room-story.ts';
import { test as withServer } from './with-server.ts';

const host = 'films.example';
const film = join(import.meta.dirname, '../library/media/two-reels.mp4');

interface FilmServer {
  files: ReadonlyMap<string, Buffer>;
  /** What browsers asked for. */
  asked: string[];
}

const test = withServer.extend<{ films: FilmServer | null }>({
  serverEnv: { MEDIA_HOSTS: host },
  films: async ({ browserName }, provide) => {
    expect(browserName).toBe('chromium');
    const stream = await orNotRun(() => Promise.resolve(wordedStream(film, 'avc1.4D401F,mp4a.40.2')));
    const files = new Map([...(stream ?? []), ['reels.mp4', await readFile(film)] as const]);
    await provide(stream === null ? null : { files, asked: [] });
  },
});

/** Answers this person's browser in the place of the other server: nothing in this test may need a real name. */
async function serveFilms({ context }: Person, { files, asked }: FilmServer, elsewhere: string): Promise<void> {
  await context.route(`https://${host}/**`, async (route: Route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    asked.push(name);
    const cors = { 'access-control-allow-origin': '*' };
    if (name === 'moved.mp4') return await route.fulfill({ status: 302, headers: { location: elsewhere } });
    const file = files.get(name);
    if (file === undefined) return await route.fulfill({ status: 404, headers: cors });
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(route.request().headers()['range'] ?? '') ?? [];
    const last = to === '' ? file.length - 1 : Math.min(Number(to), file.length - 1);
    await route.fulfill({
      status: 206,
      headers: {
        ...cors,
        'content-type': name.endsWith('.vtt') ? 'text/vtt' : 'video/mp4',
        'accept-ranges': 'bytes',
        'content-range': `bytes ${from}-${String(last)}/${String(file.length)}`,
      },
      body: file.subarray(Number(from), last + 1),
    });
  });
}

async function search({ page }: Person, words: string): Promise<void> {
  const field = page.getByLabel('Search videos');
  await field.fill(words);
  await field.press('Enter');
}

const results = ({ page }: Person) => page.getByRole('region', { name: 'Search Results' });

async function play(person: Person, file: string): Promise<void> {
  await search(person, `https://${host}/${file}`);
  await results(person)
    .getByRole('button', { name: new RegExp(file.replace(/\.\w+$/, '')) })
    .first()
    .click();
}

async function expectInStep(mara: Person, ada: Person): Promise<void> {
  await expectTogether(mara, ada);
  // How exactly a player follows is said beside it.
  await expect(ada.page.getByText(/^±\d+ ms$/).first()).toBeVisible();
}

/** Pauses, seeks and goes on. */
async function expectControls(mara: Person, ada: Person): Promise<void> {
  await mara.page.getByRole('button', { name: 'Pause' }).click();
  await expect.poll(() => isPlaying(ada)).toBe(false);
  const seek = mara.page.getByRole('slider', { name: 'Seek' });
  await seek.press('Home');
  for (let presses = 0; presses < 4; presses += 1) await seek.press('ArrowRight');
  await expect.poll(() => positionOf(ada)).toBeGreaterThan(15);
  await mara.page.getByRole('button', { name: 'Play', exact: true }).click();
  await expectInStep(mara, ada);
}

/** On the device of one alone. The German words of the stream are fetched by no other page. */
async function readSubtitles(mara: Person, ada: Person, { asked }: FilmServer): Promise<void> {
  expect(asked.filter((name) => name.endsWith('.vtt'))).toEqual([]);
  await ada.page.getByRole('button', { name: 'Subtitles' }).click();
  await ada.page.getByRole('radio', { name: 'Deutsch' }).click();
  await ada.page.keyboard.press('Escape');
  await mara.page.getByRole('button', { name: 'Pause' }).click();
  const [seek, words] = [mara.page.getByRole('slider', { name: 'Seek' }), 'Ich lasse das Fenster offen'];
  await seek.press('Home');
  await seek.press('ArrowRight');
  await expect(ada.page.getByText(words)).toBeVisible();
  await expect(mara.page.getByText(words)).toHaveCount(0);
  await mara.page.getByRole('button', { name: 'Play', exact: true }).click();
}

test('two watch a stream and a film of an allowed host in step; no link or redirect leads elsewhere', async ({
  member,
  films,
}) => {
  if (films === null) return;
  let asked = 0;
  const inside = await serve((_request, response) => {
    asked += 1;
    response.end();
  });
  const address = new URL(inside.url).host;
  const [mara, ada] = [await member('Mara'), await member('Ada')];
  for (const person of [mara, ada]) await serveFilms(person, films, `http://${address}/reels.mp4`);
  await comeTogether(mara, ada, 'video', 'Film by Link');

  await test.step('a stream, with subtitles for one of them', async () => {
    await play(mara, 'worded.m3u8');
    await expectInStep(mara, ada);
    await expectControls(mara, ada);
    await readSubtitles(mara, ada, films);
  });

  await test.step('a film, which the guest proposes', async () => {
    await search(ada, `https://${host}/reels.mp4`);
    await results(ada).getByRole('button', { name: 'Propose reels' }).click();
    await mara.page.getByRole('button', { name: '1 Proposal' }).click();
    await mara.page.getByRole('button', { name: 'Add reels', exact: true }).click();
    await mara.page.getByRole('button', { name: 'Close', exact: true }).click();
    await mara.page.getByRole('button', { name: 'Next', exact: true }).click();
    await expectInStep(mara, ada);
    await expectControls(mara, ada);
  });
  for (const { complaints } of [mara, ada]) expect(complaints).toEqual([]);

  await test.step('a film that is sent from a network inside, and links into it', async () => {
    await play(mara, 'moved.mp4');
    for (const { page } of [mara, ada]) {
      await expect(page.getByText('This track could not be fetched. Trying again…').first()).toBeVisible();
    }
    for (const link of ['https://other.example/a.mp4', `https://${host}.other.example/a.mp4`]) {
      await search(mara, link);
      await expect(results(mara).getByText('This server plays no films from that host.')).toBeVisible();
    }
    for (const link of [`https://${address}/a.mp4`, 'https://[::1]/a.mp4', 'https://localhost/a.mp4']) {
      await search(mara, link);
      await expect(results(mara).getByText('No results found')).toBeVisible();
    }
  });
  await play(mara, 'reels.mp4');
  await expectInStep(mara, ada);
  await inside.close();
  expect(asked).toBe(0);
});

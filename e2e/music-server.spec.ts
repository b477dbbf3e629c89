/** An evening with music of the host's own music server: browsed by artist, played, heard by a guest; and it goes away. */
import { expect } from '@playwright/test';
import { startSupysonic, type TestSupysonic } from '@tunemate/testkit/services/supysonic';
import { orNotRun } from './not-run.ts';
import { isPlaying, positionOf, spreadMs } from './person.ts';
import { comeTogether } from './room-story.ts';
import { test as withServer } from './with-server.ts';

const album = { artist: 'Ada Byrd', album: 'Ferries', seconds: 600 };
const tracks = [
  { ...album, file: 'Ada Byrd/Ferries/01.flac', title: 'Night Ferry', number: 1 },
  { ...album, file: 'Ada Byrd/Ferries/02.flac', title: 'Morning Ferry', number: 2 },
];

const test = withServer.extend<{ music: TestSupysonic | null }>({
  music: async ({ browserName }, provide) => {
    const music = await orNotRun(() => startSupysonic(tracks));
    expect(browserName).toBe('chromium');
    await provide(music);
    await music?.stop();
  },
  serverEnv: async ({ music }, provide) => {
    await provide(music?.env ?? {});
  },
});

test('a host plays from the music server by artist, a guest hears it, and a server that is away ends nothing', async ({
  member,
  music,
}) => {
  const [mara, ada] = [await member('Mara'), await member('Ada')];
  await comeTogether(mara, ada, 'audio', 'Ferry Evening');
  const library = mara.page.getByRole('region', { name: 'Library', exact: true });
  await mara.page.getByRole('button', { name: 'Library' }).first().click();
  await library
    .getByRole('list', { name: 'Artists' })
    .getByRole('button', { name: /^Ada Byrd/ })
    .click();
  await library.getByRole('button', { name: 'Play Night Ferry', exact: true }).click();

  await expect.poll(() => isPlaying(ada)).toBe(true);
  const before = await positionOf(ada);
  await expect.poll(() => positionOf(ada)).toBeGreaterThan(before + 1);
  await expect.poll(async () => Math.abs(await spreadMs(mara, ada))).toBeLessThan(250);
  await mara.page.getByRole('slider', { name: 'Seek' }).press('ArrowRight');
  await expect.poll(() => positionOf(ada)).toBeGreaterThan(before + 5);

  // Away: both read it, and the room goes on by itself once the server is back.
  await music?.kill();
  await library.getByRole('button', { name: 'Play Morning Ferry', exact: true }).click();
  for (const { page } of [mara, ada]) {
    await expect(page.getByText('This track could not be fetched. Trying again…').first()).toBeVisible();
  }
  await music?.restart();
  await expect.poll(() => isPlaying(ada)).toBe(true);
});

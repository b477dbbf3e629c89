/** The server is replaced by one of a newer build while pages of the one before are open, with the worker that ships. */
import { expect, type Page, test } from '@playwright/test';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { firstBuild, nextBuild } from './next-build.ts';
import { closeVisits, createRoom, haveAccount, isPlaying, playFromLibrary, visitor } from './person.ts';
import { tracks } from './room-story.ts';

const newer = ({ page }: { page: Page }) => page.getByText('There is a newer Tunemate', { exact: true });

/** The worker of the newest build has stored its files. */
const shells = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('tunemate-shell-')));

test('a newer build is offered once nothing plays, one press opens it, and a part that is gone reloads the page', async ({
  browser,
}) => {
  const web = await makeTempDir('web');
  await firstBuild(web.path);
  const server = await startServerProcess({ program: ['e2e/folder-server.ts'], env: { WEB_FOLDER: web.path } });
  const mara = await visitor(browser, server.url, 'Mara', 'reduce', 'allow');
  const { page } = mara;
  const replace = async (before: string, after: string): Promise<void> => {
    const [shell = ''] = await shells(page);
    await server.stop();
    await nextBuild(web.path, before, after);
    await server.restart();
    await expect.poll(() => shells(page)).toEqual([`${shell}0`]);
  };
  try {
    await haveAccount(mara, server);
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    await expect.poll(async () => (await shells(page)).length).toBe(1);
    await createRoom(mara, 'audio', 'Kitchen Radio');
    await playFromLibrary(mara, 'audio', tracks.audio);
    await expect.poll(() => isPlaying(mara)).toBe(true);

    await test.step('not in the middle of a track', async () => {
      await replace('Create Audio Room', 'Open an Audio Room');
      await page.evaluate(() => navigator.serviceWorker.ready);
      expect(await isPlaying(mara)).toBe(true);
      await expect(newer(mara)).toHaveCount(0);
      await page.getByRole('link', { name: 'Tunemate home' }).click();
      await expect(page.getByRole('link', { name: 'Create Audio Room' })).toBeVisible();
      await expect(newer(mara)).toHaveCount(0);
      expect(await isPlaying(mara)).toBe(true);
    });

    await test.step('once nothing plays it is offered, and one press opens it', async () => {
      await page.getByRole('button', { name: 'Leave Kitchen Radio' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
      await expect(page.getByRole('link', { name: 'Return to Kitchen Radio' })).toHaveCount(0);
      await expect(newer(mara)).toBeVisible();
      await page.getByRole('button', { name: 'Use it now' }).click();
      await expect(page.getByRole('link', { name: 'Open an Audio Room' })).toBeVisible();
      await expect(newer(mara)).toHaveCount(0);
    });

    await test.step('a page whose part is gone after the update reloads itself, once', async () => {
      // Without a worker, which had stored the part.
      const theo = await visitor(browser, server.url, 'Theo');
      await haveAccount(theo, server);
      let loads = 0;
      theo.page.on('load', () => (loads += 1));
      await replace('Open an Audio Room', 'Start an Audio Room');
      await theo.page.getByRole('link', { name: 'Notifications' }).first().click();
      await expect(theo.page.getByRole('heading', { name: 'Notifications', level: 1 })).toBeVisible();
      await theo.page.getByRole('link', { name: 'Tunemate home' }).click();
      await expect(theo.page.getByRole('link', { name: 'Start an Audio Room' })).toBeVisible();
      expect(loads).toBe(1);
    });
    // While the server is replaced it refuses connections.
    expect(mara.complaints.filter((line) => !line.startsWith('WebSocket connection'))).toEqual([]);
  } finally {
    await closeVisits();
    await server.dispose();
    await web.remove();
  }
});

/** The app without a network, and what a shared computer keeps of a user who signed out. With the worker that ships. */
import { expect } from '@playwright/test';
import { haveAccount, leaveBy, log, type Person, uidOf, visitor, write } from './person.ts';
import { test } from './with-server.ts';

/** The names of this browser's caches, and the addresses in them. */
const storedBy = ({ page }: Person) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const all = names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => [name, url]));
    return (await Promise.all(all)).flat().map(([name = '', url = '']) => `${name} ${new URL(url).pathname}`);
  });

test('without a network home and the last chats open as they were, what is written waits, and signing out leaves nothing', async ({
  browser,
  server,
  member,
}) => {
  const mara = await visitor(browser, server.url, 'Mara Line', 'reduce', 'allow');
  await haveAccount(mara, server);
  const theo = await member('Theo Line');
  const [maraUid, theoUid] = [await uidOf(mara), await uidOf(theo)];
  const { page, context } = mara;

  await test.step('the worker stores the app, and the page what was read', async () => {
    await page.goto(`/chat/${theoUid}`);
    await write(page, 'See you on the train');
    await theo.page.goto(`/chat/${maraUid}`);
    await write(theo.page, 'Platform nine');
    await expect(log(page).getByText('Platform nine')).toBeVisible();
    const stored = () => storedBy(mara);
    await expect.poll(stored).toContain(`tunemate-kept /kept/${maraUid}/chat/${theoUid}`);
    await page.goto('/chats');
    await expect(page.getByRole('link', { name: /Theo Line.*Platform nine/ })).toBeVisible();
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    await expect.poll(stored).toContainEqual(expect.stringMatching(/^tunemate-shell-\w+ \/assets\/HomeScreen-/));
    await expect.poll(() => page.evaluate(() => localStorage.getItem('tunemate/kept-home'))).toContain('Mara Line');
    const keptList = () =>
      page.evaluate(async (key) => (await caches.match(key))?.text() ?? '', `/kept/${maraUid}/chats`);
    await expect.poll(keptList).toContain('Platform nine');
    expect((await stored()).filter((one) => /\/(?:api|media)\//.test(one))).toEqual([]);
  });

  await test.step('without a network', async () => {
    await context.setOffline(true);
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Mara Line', level: 1 })).toBeVisible();
    await expect(page.getByText('You are offline')).toBeVisible();
    await page.goto('/chats');
    await page.getByRole('link', { name: /Theo Line.*Platform nine/ }).click();
    await expect(log(page).getByText('See you on the train')).toBeVisible();
    await write(page, 'In the tunnel');
    await expect(log(page).getByText('In the tunnel')).toBeVisible();
    await page.reload();
    await expect(log(page).getByText('In the tunnel')).toBeVisible();
    await expect(log(theo.page).getByText('In the tunnel')).toHaveCount(0);
  });

  await test.step('with a network again what was written is sent, once', async () => {
    await context.setOffline(false);
    await expect(log(theo.page).getByText('In the tunnel')).toHaveCount(1);
    await expect(page.getByText('You are offline')).toHaveCount(0);
    await expect(log(page).getByText('In the tunnel')).toHaveCount(1);
  });

  await test.step('signed out, nothing of hers is left, with or without a network', async () => {
    await page.goto('/');
    await leaveBy(page, () => page.getByRole('button', { name: 'Logout' }).click());
    // The server asks the browser to clear all that it has of this origin, the worker included.
    await expect.poll(() => storedBy(mara)).toEqual([]);
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(theoUid);
  });
});

/** What a user does with their chats: finds an old message, pins, archives, and deletes a chat for themselves. */
import { expect, type Page } from '@playwright/test';
import { entry, uidOf, write as send } from './person.ts';
import { test } from './with-server.ts';

const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Chats' }).getByRole('listitem').filter({ hasText: name });

async function write(page: Page, words: string): Promise<void> {
  await send(page, words);
  await expect(entry(page, words)).toHaveCount(1);
}

async function choose(page: Page, name: string, act: string): Promise<void> {
  await row(page, name)
    .getByRole('link')
    .click({ button: 'right', position: { x: 120, y: 20 } });
  await page.getByRole('dialog', { name }).getByRole('button', { name: act }).click();
}

test('an old message is found and opened; a chat is pinned, archived, deleted for one person, and begins anew', async ({
  member,
}) => {
  const [mara, theo] = [await member('Mara List'), await member('Theo List')];
  await mara.page.setViewportSize({ width: 390, height: 844 });
  await theo.page.goto(`/chat/${await uidOf(mara)}`);
  await mara.page.goto(`/chat/${await uidOf(theo)}`);
  await write(mara.page, 'The café opens at eight');
  await write(theo.page, 'Déjà-vu, I was there');
  for (let n = 1; n <= 6; n += 1) {
    await write(theo.page, `Song ${String(n)} of the evening`);
    await write(mara.page, `Answer ${String(n)} of the evening`);
  }

  await test.step('words lead to the message', async () => {
    await mara.page.goto('/chats');
    await mara.page.getByRole('link', { name: 'Search chats' }).click();
    await mara.page.getByLabel('Words in messages').fill('deja');
    await mara.page.getByRole('list', { name: 'Messages found' }).getByRole('link').click();
    await expect(entry(mara.page, 'Déjà-vu')).toBeFocused();
    await mara.page.goBack();
    await expect(mara.page.getByLabel('Words in messages')).toHaveValue('deja');
  });

  await test.step('a pinned chat that is archived comes back with a new message', async () => {
    await mara.page.goto('/chats');
    await choose(mara.page, 'Theo List', 'Pin');
    await expect(row(mara.page, 'Theo List')).toContainText('Pinned');
    await choose(mara.page, 'Theo List', 'Archive');
    await expect(row(mara.page, 'Theo List')).toHaveCount(0);
    await write(theo.page, 'Are you there?');
    await expect(row(mara.page, 'Theo List')).toContainText('Are you there?');
  });

  await test.step('what one person deletes for themselves the other keeps', async () => {
    await choose(mara.page, 'Theo List', 'Delete chat for me');
    await mara.page.getByRole('button', { name: 'Delete for me' }).click();
    await expect(mara.page.getByText('No private chats yet.')).toBeVisible();
    await expect(entry(theo.page, 'The café opens')).toHaveCount(1);
    await write(theo.page, 'A new beginning');
    await row(mara.page, 'Theo List').getByRole('link').click();
    await expect(entry(mara.page, 'A new beginning')).toBeVisible();
    await expect(mara.page.getByRole('log', { name: 'Messages' }).getByRole('article')).toHaveCount(1);
    await mara.page.reload();
    await expect(mara.page.getByRole('log', { name: 'Messages' }).getByRole('article')).toHaveCount(1);
  });
});

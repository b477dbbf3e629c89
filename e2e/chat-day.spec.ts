/** A day of two people, one at a desk and one with a phone that loses its connection: replies, edits, deletions, reactions. */
import { expect, type Page } from '@playwright/test';
import { uidOf } from './person.ts';
import { test } from './with-server.ts';

const log = (page: Page) => page.getByRole('log', { name: 'Messages' });
const entry = (page: Page, words: string) => log(page).getByRole('article').filter({ hasText: words });

async function write(page: Page, words: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(words);
  await page.keyboard.press('Enter');
}

async function choose(page: Page, words: string, act: string): Promise<void> {
  // By key: where the message field has the focus, a press elsewhere closes the keyboard and moves the messages.
  await entry(page, words).first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: act }).click();
}

test('a day of two people: what each does to a message is the same on both screens, over a lost connection and a reload', async ({
  member,
}) => {
  const [mara, theo] = [await member('Mara Day'), await member('Theo Day')];
  await theo.page.setViewportSize({ width: 390, height: 844 });
  await mara.page.goto(`/chat/${await uidOf(theo)}`);
  await theo.page.goto(`/chat/${await uidOf(mara)}`);

  await test.step('an answer quotes, and its quote leads back', async () => {
    await write(mara.page, 'Which take, the slow one?');
    await entry(theo.page, 'Which take').focus();
    await theo.page.keyboard.press('r');
    await expect(theo.page.getByText('Reply to Mara Day')).toBeVisible();
    await write(theo.page, 'The slow one, always');
    const quote = entry(mara.page, 'The slow one, always').getByRole('button', { name: /Answers\s+You/ });
    await quote.click();
    await expect(entry(mara.page, 'Which take').first()).toBeFocused();
  });

  await test.step('a reaction shows on both, and a press takes it back', async () => {
    await entry(mara.page, 'The slow one, always').click({ button: 'right' });
    await mara.page.getByRole('menuitemcheckbox', { name: 'Fire' }).click();
    await expect(
      entry(theo.page, 'The slow one, always').getByRole('button', { name: 'Fire by Mara Day' }),
    ).toBeVisible();
    await entry(mara.page, 'The slow one, always').getByRole('button', { name: 'Fire by you' }).click();
    await expect(theo.page.getByRole('button', { name: 'Fire by Mara Day' })).toHaveCount(0);
  });

  await test.step('what the phone does without a connection is done once it has one', async () => {
    await theo.context.setOffline(true);
    await choose(theo.page, 'The slow one, always', 'Edit');
    await write(theo.page, 'The slow one, at nine');
    await expect(entry(theo.page, 'at nine')).toContainText('Sending');
    await choose(theo.page, 'Which take, the slow one?', 'Reply');
    await write(theo.page, 'Written in a tunnel');
    // Meanwhile, at the desk.
    await write(mara.page, 'A secret');
    await choose(mara.page, 'A secret', 'Delete for both');
    await mara.page.getByRole('button', { name: 'Delete for both' }).click();
    await theo.context.setOffline(false);
    await expect(entry(mara.page, 'The slow one, at nine')).toContainText('edited');
    await expect(entry(mara.page, 'Written in a tunnel')).toHaveCount(1);
    await expect(entry(theo.page, 'Message deleted')).toBeVisible();
    await expect(theo.page.getByText('A secret')).toHaveCount(0);
    await expect(entry(theo.page, 'at nine')).not.toContainText('Sending');
  });

  await test.step('deleting for oneself can be undone, and leaves the other’s screen as it was', async () => {
    await choose(theo.page, 'Which take, the slow one?', 'Delete for me');
    await theo.page.getByRole('button', { name: 'Undo' }).click();
    await expect(log(theo.page).getByText('Which take, the slow one?', { exact: true }).first()).toBeVisible();
    await choose(mara.page, 'Written in a tunnel', 'Delete for me');
    await expect(entry(mara.page, 'Written in a tunnel')).toHaveCount(0);
    await expect(entry(theo.page, 'Written in a tunnel')).toHaveCount(1);
  });

  await test.step('after a reload both see the same as before, and a draft is still there', async () => {
    await theo.page.getByRole('textbox', { name: 'Message' }).fill('half a th');
    for (const { page } of [mara, theo]) await page.reload();
    await expect(theo.page.getByRole('textbox', { name: 'Message' })).toHaveValue('half a th');
    for (const { page } of [mara, theo]) {
      await expect(entry(page, 'The slow one, at nine')).toContainText('edited');
      await expect(entry(page, 'Message deleted')).toBeVisible();
    }
    await expect(entry(mara.page, 'Written in a tunnel')).toHaveCount(0);
    await expect(entry(theo.page, 'Written in a tunnel')).toHaveCount(1);
  });
});

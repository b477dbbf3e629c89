/** A day of two people, one at a desk and one with a phone that loses its connection: replies, edits, deletions, reactions. */
import { expect, type Page } from '@playwright/test';
import { pngPixel } from '@tunemate/testkit/media-bytes';
import { entry, uidOf, write, log } from './person.ts';
import { test } from './with-server.ts';

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

async function edit(page: Page, words: string, next: string): Promise<void> {
  await choose(page, words, 'Edit');
  await write(page, next);
  await expect(entry(page, next)).toHaveCount(1);
}

async function deleteForBoth(page: Page, words: string): Promise<void> {
  await choose(page, words, 'Delete for both');
  await page.getByRole('button', { name: 'Delete for both' }).click();
  await expect(entry(page, words)).toHaveCount(0);
}

async function reactWithFire(page: Page, words: string): Promise<void> {
  await entry(page, words).first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemcheckbox', { name: 'Fire' }).click();
}

/** Which of these the messages say or show, from the first to the last; the window has room for all of them. */
async function order(page: Page, known: readonly string[]): Promise<string[]> {
  const texts = await log(page)
    .getByRole('article')
    .evaluateAll((all) =>
      all.map((one) => {
        const labels = Array.from(one.querySelectorAll('[aria-label], img'), (each) =>
          String(each.getAttribute('aria-label') ?? each.getAttribute('alt')),
        );
        // What a message answers is quoted above it.
        const own = one.cloneNode(true) as Element;
        for (const quote of own.querySelectorAll('button')) quote.remove();
        return [own.textContent, ...labels].join(' ');
      }),
    );
  return texts.map((text) => known.find((each) => text.includes(each)) ?? text);
}

test('a phone that is offline for half the day has all of it at once afterwards, and nothing twice', async ({
  member,
}) => {
  const [mara, theo] = [await member('Mara Noon'), await member('Theo Noon')];
  const [desk, phone] = [mara.page, theo.page];
  await phone.setViewportSize({ width: 390, height: 844 });
  // Before Theo has answered she is among the people he does not know.
  const row = phone.getByRole('listitem').filter({ hasText: 'Mara Noon' });

  await test.step('in the morning both write', async () => {
    await desk.goto(`/chat/${await uidOf(theo)}`);
    await write(desk, 'Good morning');
    await phone.goto('/chats');
    await row.getByRole('link').click();
    await write(phone, 'Morning, slept well');
    await write(phone, 'The red line is late');
    // The order is that in which the server stores them.
    await expect(entry(desk, 'The red line is late')).toBeVisible();
    await write(desk, 'Bring the records');
    await write(desk, 'And the needle');
    await expect(entry(phone, 'And the needle')).toBeVisible();
    await expect(entry(desk, 'And the needle')).toContainText('Read');
  });

  await test.step('the phone goes offline, and its chat is still there', async () => {
    await theo.context.setOffline(true);
    await write(phone, 'Stuck at the bridge');
    await expect(entry(phone, 'Stuck at the bridge')).toContainText('Sending');
    await expect(entry(phone, 'Good morning')).toBeVisible();
  });

  await test.step('meanwhile at the desk: new messages, and changes of the old ones', async () => {
    await write(desk, 'Lunch at noon?');
    await edit(desk, 'Lunch at noon?', 'Lunch at one?');
    await write(desk, 'A secret');
    await deleteForBoth(desk, 'A secret');
    await edit(desk, 'Bring the records', 'Bring the blue records');
    await deleteForBoth(desk, 'And the needle');
    await reactWithFire(desk, 'The red line is late');
    await reactWithFire(desk, 'slept well');
    await entry(desk, 'slept well').first().getByRole('button', { name: 'Fire by you' }).click();
    await entry(desk, 'slept well').first().press('r');
    await write(desk, 'So did I');
    await desk.locator('input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: pngPixel });
    await expect(log(desk).getByRole('img', { name: 'Photo' })).toBeVisible();
    await desk.getByRole('button', { name: 'Record a voice message' }).click();
    await expect(desk.getByRole('form', { name: 'Recording' }).getByText(/^0:(?:0[1-9]|[1-5]\d)$/)).toBeVisible();
    await desk.keyboard.press('Enter');
    await expect(log(desk).getByRole('button', { name: /^Play voice message/ })).toBeVisible();
    await write(desk, 'Where are you?');
    await expect(entry(desk, 'Where are you?')).toContainText('Sent');
  });

  await test.step('meanwhile on the phone: what is done waits, and nothing of the desk is there', async () => {
    await entry(phone, 'Good morning').first().press('r');
    await write(phone, 'Back at four');
    await edit(phone, 'slept well', 'Morning, slept like a stone');
    await deleteForBoth(phone, 'The red line is late');
    await reactWithFire(phone, 'Bring the records');
    await choose(phone, 'And the needle', 'Delete for me');
    await phone.getByRole('textbox', { name: 'Message' }).fill('half a thought');
    await expect(entry(phone, 'Back at four')).toContainText('Sending');
    await expect(entry(phone, 'Where are you?')).toHaveCount(0);
    await expect(entry(desk, 'Stuck at the bridge')).toHaveCount(0);
    await phone.goBack();
    await expect(row).toBeVisible();
  });

  await test.step('once it is back, the list counts what is new, and the ticks say delivered, not read', async () => {
    await theo.context.setOffline(false);
    await expect(row).toContainText('Back at four');
    await expect(row).toContainText('5 unread');
    await expect(entry(desk, 'Where are you?')).toContainText('Delivered');
    await row.getByRole('link').click();
    await expect(log(phone).getByRole('separator', { name: 'New messages' })).toBeAttached();
    await expect(entry(desk, 'Where are you?')).toContainText('Read');
  });

  const both = [
    ...['Good morning', 'slept like a stone', 'Message deleted', 'Bring the blue records', 'Message deleted'],
    ...['Lunch at one?', 'Message deleted', 'So did I', 'Photo', 'voice message', 'Where are you?'],
    ...['Stuck at the bridge', 'Back at four'],
  ];
  const seen = {
    desk: both,
    // Without the needle, which the phone has deleted for itself.
    phone: both.filter((_, at) => at !== 4),
  };
  async function expectTheSame(): Promise<void> {
    for (const [name, page] of [['desk', desk] as const, ['phone', phone] as const]) {
      await page.setViewportSize({ width: name === 'desk' ? 1280 : 390, height: 2400 });
      await expect.poll(() => order(page, both), name).toEqual(seen[name]);
      await expect(entry(page, 'slept like a stone').first()).toContainText('edited');
      await expect(entry(page, 'Bring the blue records').first()).toContainText('edited');
      const fire = log(page).getByRole('button', { name: /Fire by/ });
      await expect(fire).toHaveCount(1);
      await expect(fire).toHaveAccessibleName(name === 'phone' ? 'Fire by you' : 'Fire by Theo Noon');
      const photo = log(page).getByRole('img', { name: 'Photo' });
      await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
      await expect(log(page).getByText('Sending')).toHaveCount(0);
    }
  }
  await test.step('both screens say the same in one order, now and after a reload, and the draft is kept', async () => {
    await expectTheSame();
    await expect(phone.getByRole('textbox', { name: 'Message' })).toHaveValue('half a thought');
    for (const page of [desk, phone]) await page.reload();
    await expectTheSame();
    await expect(phone.getByRole('textbox', { name: 'Message' })).toHaveValue('half a thought');
    await phone.goto('/chats');
    await expect(row).toBeVisible();
    await expect(row).not.toContainText('unread');
  });
});

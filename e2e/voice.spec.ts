/** A voice message, from one person's microphone to what the other hears. Chromium's own microphone beeps. */
import { expect } from '@playwright/test';
import { uidOf, write } from './person.ts';
import { test } from './with-server.ts';

test('one records a voice message, the other hears it, and the ticks turn', async ({ member }) => {
  const [mara, theo] = [await member('Mara Voice'), await member('Theo Voice')];
  const [toTheo, toMara] = [`/chat/${await uidOf(theo)}`, `/chat/${await uidOf(mara)}`];

  await test.step('Mara signs in without another load of the page, records two seconds and sends them', async () => {
    await mara.page.goto(toTheo);
    await mara.page.getByRole('button', { name: 'Record a voice message' }).click();
    const strip = mara.page.getByRole('form', { name: 'Recording' });
    await expect(strip.getByText(/^0:(?:0[2-9]|[1-5]\d)$/)).toBeVisible();
    await mara.page.keyboard.press('Enter');
    await expect(mara.page.getByRole('button', { name: /^Play voice message, 0:0\d/ })).toBeVisible();
    await expect(mara.page.getByRole('article')).toHaveText(/Sent|Delivered/);
  });

  await test.step('Theo has it in the list, and its sound is that of a microphone', async () => {
    await theo.page.goto('/chats');
    await theo.page.getByRole('link', { name: /Mara Voice.*Voice message, 0:0\d/ }).click();
    await expect(theo.page.getByText('Not played yet')).toBeAttached();
    const sound = theo.page.waitForResponse(/\/api\/chats\/voices\//);
    await theo.page.getByRole('button', { name: 'Play voice message' }).click();
    await expect(theo.page.getByRole('button', { name: 'Pause voice message' })).toBeVisible();
    const address = (await sound).url();
    const heard = await theo.page.evaluate(async (url) => {
      const bytes = await (await fetch(url)).arrayBuffer();
      const { duration, ...buffer } = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(bytes).then((it) => ({
        duration: it.duration,
        loudest: it.getChannelData(0).reduce((most, each) => Math.max(most, Math.abs(each)), 0),
      }));
      return { duration, ...buffer };
    }, address);
    expect(heard.duration).toBeGreaterThan(1.5);
    expect(heard.loudest).toBeGreaterThan(0.05);
    await expect(theo.page.getByRole('button', { name: 'Play voice message' })).toBeVisible();
    await expect(theo.page.getByText('Not played yet')).not.toBeAttached();
  });

  await test.step('once Theo has answered', async () => {
    await write(theo.page, 'Heard it');
    await expect(theo.page.getByRole('log').getByText('Heard it')).toBeVisible();
  });

  await test.step('Mara sees that it was read, and deletes it for both: it can’t be heard any more', async () => {
    await mara.page.goto(toTheo);
    const message = mara.page.getByRole('article').first();
    await expect(message).toHaveText(/Read/);
    await message.press('Enter');
    await mara.page.getByRole('menuitem', { name: 'Delete for both' }).click();
    await mara.page.getByRole('button', { name: 'Delete for both' }).click();
    await theo.page.goto(toMara);
    await expect(theo.page.getByRole('log').getByText('Message deleted')).toBeVisible();
    await expect(theo.page.getByRole('button', { name: 'Play voice message' })).toHaveCount(0);
  });
});

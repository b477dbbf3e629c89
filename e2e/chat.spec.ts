/** Two people write to each other in private; a third sees nothing of it. On one process with SQLite. */
import { expect, type Page } from '@playwright/test';
import { pngPixel } from '@tunemate/testkit/media-bytes';
import { sees } from './notices.ts';
import { entry, log, uidOf, write } from './person.ts';
import { test } from './with-server.ts';

/** Every tick that the bubble with these words shows, in order, from before it is written. */
async function recordTicks(page: Page, words: string): Promise<() => Promise<string[]>> {
  await page.evaluate((text) => {
    const seen: string[] = [];
    Object.assign(globalThis, { seenTicks: seen });
    const look = (): void => {
      const bubble = Array.from(document.querySelectorAll('[role="log"] p')).find((one) =>
        one.textContent?.includes(text),
      );
      const tick = /Sending|Sent|Delivered|Read/.exec(bubble?.textContent ?? '')?.[0];
      if (tick !== undefined && tick !== seen.at(-1)) seen.push(tick);
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
  }, words);
  return async () => await page.evaluate(() => (globalThis as unknown as { seenTicks: string[] }).seenTicks);
}

test(
  'two people write, lose nothing offline or over a reload, share a photo, and one blocks the other',
  { tag: '@short' },
  async ({ member, server }) => {
    const [mara, theo, eve] = [await member('Mara Chat'), await member('Theo Chat'), await member('Eve Chat')];
    const theoUid = await uidOf(theo);

    await test.step('the list says that there is nothing yet', async () => {
      await mara.page.goto('/chats');
      await expect(mara.page.getByText('No private chats yet.')).toBeVisible();
    });

    await test.step('messages arrive live in both directions, and home counts them', async () => {
      await mara.page.goto(`/chat/${theoUid}`);
      await write(mara.page, 'Are you still up? https://example.org/tea');
      await expect(theo.page.getByRole('banner').getByRole('link', { name: /^Chat 1 unread/ })).toBeVisible();
      await theo.page.goto('/chats');
      await theo.page.getByRole('link', { name: /Mara Chat.*Are you still up/ }).click();
      const link = log(theo.page).getByRole('link', { name: 'https://example.org/tea' });
      await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
      await write(theo.page, 'Just put the kettle on');
      await expect(log(mara.page).getByText('Just put the kettle on')).toBeVisible();
    });

    await test.step('a message shows a clock, then one tick, then two, and that it was read', async () => {
      const ticks = await recordTicks(mara.page, 'From the second verse');
      await write(mara.page, 'From the second verse');
      // Read and delivered may come as one.
      const shown = async () => (await ticks()).filter((tick) => tick !== 'Delivered');
      await expect.poll(shown).toEqual(['Sending', 'Sent', 'Read']);
    });

    await test.step('what is written offline waits under a clock and is delivered once', async () => {
      await mara.context.setOffline(true);
      await write(mara.page, 'Written in a tunnel');
      await expect(entry(mara.page, 'Written in a tunnel')).toContainText('Sending');
      await mara.context.setOffline(false);
      await expect(entry(mara.page, 'Written in a tunnel')).toContainText(/Delivered|Read/);
      await expect(log(theo.page).getByText('Written in a tunnel')).toHaveCount(1);
    });

    await test.step('a message that was not sent when the page closed is sent by the next page that opens', async () => {
      await mara.context.setOffline(true);
      await write(mara.page, 'Written before the end');
      await expect(entry(mara.page, 'Written before the end')).toContainText('Sending');
      await mara.page.close();
      await mara.context.setOffline(false);
      mara.page = await mara.context.newPage();
      await mara.page.goto('/chats');
      await expect(log(theo.page).getByText('Written before the end')).toHaveCount(1);
      await expect(mara.page.getByText('Written before the end')).toBeVisible();
    });

    await test.step('the list shows whether the other person is online', async () => {
      await expect(mara.page.getByRole('link', { name: /Online\s*Theo Chat/ })).toBeVisible();
    });

    await test.step('markup is shown as it was written, and does nothing', async () => {
      const markup = '<script>alert(1)</script><svg onload=alert(1)><a href="javascript:alert(1)">&#x3c;</a>{{7*7}}';
      await mara.page.goto(`/chat/${theoUid}`);
      await write(mara.page, markup);
      for (const { page } of [mara, theo]) await expect(log(page).getByText(markup)).toBeVisible();
      await expect(log(theo.page).getByRole('link', { name: /alert/ })).toHaveCount(0);
      expect(server.log()).not.toContain('page.csp-violation');
    });

    await test.step('a photo is seen by the two and by no other person', async () => {
      await mara.page.goto(`/chat/${theoUid}`);
      await mara.page
        .locator('input[type=file]')
        .setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: pngPixel });
      for (const { page } of [mara, theo]) {
        const photo = log(page).getByRole('img', { name: 'Photo' });
        await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
      }
      await log(theo.page).getByRole('button', { name: 'Photo' }).click();
      await theo.page.getByRole('dialog', { name: 'Photo' }).getByRole('button', { name: 'Close' }).click();
      const address = await log(mara.page).getByRole('img', { name: 'Photo' }).getAttribute('src');
      const statusFor = (page: Page) => page.evaluate(async (path) => (await fetch(path)).status, address ?? '');
      expect([await statusFor(theo.page), await statusFor(eve.page)]).toEqual([200, 404]);
    });

    await test.step('after a block one line stands in place of the composer, for both', async () => {
      await theo.page.getByRole('button', { name: 'More' }).click();
      await theo.page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
      await theo.page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click();
      await expect(theo.page.getByText('You can’t write to Mara Chat now.')).toBeVisible();
      await expect(mara.page.getByText(/^You can’t write to Theo/)).toBeVisible();
      await expect(mara.page.getByRole('textbox', { name: 'Message' })).toHaveCount(0);
      await theo.page.getByRole('button', { name: 'More' }).click();
      await theo.page.getByRole('dialog').getByRole('button', { name: 'Unblock' }).click();
      await theo.page.getByRole('alertdialog').getByRole('button', { name: 'Unblock' }).click();
      await expect(theo.page.getByRole('textbox', { name: 'Message' })).toBeVisible();
      await write(mara.page, 'Hello?');
      await expect(log(theo.page).getByText('Hello?')).toBeVisible();
    });

    await test.step('the avatar asks for a soulmate by key, and says that the request went', async () => {
      await mara.page.getByRole('button', { name: /^Theo Chat\. Hold or double-click/ }).press('Enter');
      await mara.page.getByRole('alertdialog').getByRole('button', { name: 'Ask' }).click();
      await sees(mara.page, 'Invitation sent!');
    });

    await test.step('on a small screen keys of the page write at the caret, erase and send', async () => {
      const { page } = theo;
      await page.setViewportSize({ width: 390, height: 844 });
      const field = page.getByRole('textbox', { name: 'Message' });
      await field.click();
      await expect(field).toHaveAttribute('inputmode', 'none');
      const press = async (...names: string[]): Promise<void> => {
        for (const name of names) {
          await page
            .getByRole('group', { name: /^Keyboard/ })
            .getByRole('button', { name, exact: true })
            .click();
        }
      };
      await press('Shift', 'H', 'o', 'p');
      await field.press('ArrowLeft');
      await press('Backspace', 'i', 'Emoji', '🎧', 'ABC letters');
      await expect(field).toHaveValue('Hi🎧p');
      await press('Backspace', '123 numbers', '7', 'Enter');
      await expect(log(mara.page).getByText('Hi7p')).toBeVisible();
      await expect(field).toHaveValue('');
      await press('Use this device’s keyboard');
      await expect(field).not.toHaveAttribute('inputmode', 'none');
      await page.reload();
      await page.getByRole('textbox', { name: 'Message' }).click();
      await expect(page.getByRole('group', { name: /^Keyboard/ })).toHaveCount(0);
      await page.getByRole('button', { name: 'On-screen keyboard' }).click();
      await expect(page.getByRole('group', { name: 'Keyboard, letters' })).toBeVisible();
      await press('Emoji');
      await expect(log(page).getByText('Hi7p')).toBeInViewport({ ratio: 1 });
      // Panels differ in height; the newest message stands right above the one that is open.
      const belowPx = () => log(page).evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
      for (const panel of ['ABC letters', 'Emoji']) {
        await press(panel);
        await expect.poll(belowPx).toBeLessThanOrEqual(1);
      }
    });
    // Errors that the browser logs for a connection that the test cut.
    const complaints = [mara, theo, eve].flatMap((person) => person.complaints);
    expect(complaints.filter((line) => !line.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
  },
);

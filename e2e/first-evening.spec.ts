/**
 * The first evening on a fresh server without a mail server: its owner signs up on the machine itself, and a friend with a
 * phone in another network comes by the link of the QR code, is let in and hears the music, over plain http.
 */
import { chromium, devices, expect, type Page } from '@playwright/test';
import { chromiumLaunch } from '@tunemate/testkit/browsers/chromium';
import { makeSecondNetwork } from '@tunemate/testkit/network/second-network';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { sees } from './notices.ts';
import { orNotRun } from './not-run.ts';
import { closeVisits, emailOf, isPlaying, password, visitor } from './person.ts';
import { test } from './with-server.ts';

/** What a person presses and fills, counted, and the seconds since the first look at the page, to be read in the log. */
function hands(page: Page) {
  const sinceMs = performance.now();
  let presses = 0;
  const press = async (name: string, on = page): Promise<void> => {
    presses += 1;
    await on
      .getByRole('button', { name, exact: true })
      .or(on.getByRole('link', { name, exact: true }))
      .first()
      .click();
  };
  const fill = async (label: string, text: string): Promise<void> => {
    presses += 1;
    await page.getByLabel(label, { exact: true }).fill(text);
  };
  const soFar = () => `${String(presses)} presses, ${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
  return { press, fill, count: () => presses, soFar };
}

test('a friend in another network comes in by the QR code on the first evening', async ({ browser }) => {
  const network = await orNotRun(makeSecondNetwork);
  if (network === null) return;
  const server = await startServerProcess({ env: { HOST: '0.0.0.0', PUBLIC_URL: '' } });
  const { executablePath, args } = chromiumLaunch({ prefersShell: true, isBrief: true });
  const phone = await chromium.launch({ executablePath: await network.wrap(executablePath), args });
  try {
    const here = server.url.replace('127.0.0.1', 'localhost');
    const owner = await visitor(browser, here, 'Lena');
    const own = hands(owner.page);
    await owner.page.goto('/signup');
    await own.fill('Name', 'Lena Fjord');
    await own.fill('Email', emailOf('Lena'));
    await own.fill('Password', password);
    await own.press('Create Account');
    const opening = owner.context.waitForEvent('page');
    await own.press('Open the mail');
    const mail = await opening;
    await own.press('Verify Email', mail);
    await own.press('Try it now');
    await expect.poll(() => isPlaying(owner)).toBe(true);
    expect(own.count()).toBeLessThanOrEqual(7);
    const toSound = own.soFar();

    // A phone without an account plays along first.
    await owner.page.getByRole('button', { name: 'Hold your phone beside it' }).click();
    const sheet = owner.page.getByRole('dialog', { name: 'Hold your phone beside it' });
    const beside = `http://${await sheet.getByText('/beside/').innerText()}`;
    const held = await visitor(phone, new URL(beside).origin, 'Held', 'reduce', 'block', devices['Pixel 5']);
    await held.page.goto(beside);
    await held.page.getByRole('button', { name: 'Play here, too' }).click();
    await expect(held.page.getByText('In step with the other device')).toBeVisible();
    await sheet.getByRole('button', { name: 'Close' }).click();
    await owner.page.getByRole('button', { name: 'Pause' }).first().click();
    await expect(held.page.getByText('Paused on the other device')).toBeVisible();
    await owner.page.getByRole('button', { name: 'Play', exact: true }).first().click();
    await expect(held.page.getByText('In step with the other device')).toBeVisible();
    await held.context.close();

    await owner.page.getByRole('button', { name: 'Link', exact: true }).click();
    await sees(owner.page, 'Room link copied to clipboard!');
    const link = await owner.page.evaluate(() => navigator.clipboard.readText());
    expect(new URL(link).hostname).not.toBe('localhost');
    await expect(owner.page.getByText('Works for people in your network.').first()).toBeVisible();

    const theo = await visitor(phone, new URL(link).origin, 'Theo', 'reduce', 'block', devices['Pixel 5']);
    const friend = hands(theo.page);
    await theo.page.goto(link);
    await friend.press('Create an account');
    await friend.fill('Name', 'Theo Brandt');
    await friend.press('Next');
    await friend.fill('Email', emailOf('Theo'));
    await friend.press('Next');
    await friend.fill('Password', password);
    await friend.press('Create Account');
    await expect(theo.page.getByRole('heading', { name: 'Hello, Theo' })).toBeVisible();

    const home = await owner.context.newPage();
    await home.goto('/');
    await expect(home.getByText('You run this server')).toBeVisible();
    await home.getByRole('button', { name: 'Let in' }).click();
    await expect(theo.page.getByText('Waiting for Host Approval...')).toBeVisible();
    expect(friend.count()).toBeLessThanOrEqual(10);
    console.log(`owner: ${toSound} to the first sound; friend: ${friend.soFar()} to the door`);

    await owner.page.getByRole('button', { name: 'Accept' }).first().click();
    await expect.poll(() => isPlaying(theo)).toBe(true);
    // Over plain http Chromium says of every page that this header needs https.
    const ofTheo = theo.complaints.filter((line) => !line.startsWith('The Cross-Origin-Opener-Policy header'));
    expect([...owner.complaints, ...ofTheo]).toEqual([]);
  } finally {
    await closeVisits();
    await phone.close();
    await server.dispose();
    await network.remove();
  }
});

/**
 * What a shared computer keeps of its user after a full evening, however the session ended. Everything that a page can
 * store is listed; what stays is named here, and is of the device and not of a person.
 */
import { expect, type Page } from '@playwright/test';
import { createHttpVisitor } from '@tunemate/testkit/network/http-visitor';
import type { ServerProcess } from '@tunemate/testkit/services/process';
import {
  createRoom,
  emailOf,
  haveAccount,
  isPlaying,
  leaveBy,
  password,
  type Person,
  playFromLibrary,
  uidOf,
  visitor,
  write,
} from './person.ts';
import { tracks } from './room-story.ts';
import { test } from './with-server.ts';

/** Settings of the device: how loud it is, what it has learned of its players, which hints it has shown. */
const ofDevice =
  /^tunemate\/(?:look|voice-speed|request-sound|visited|install-hint-left|device-sound|players|sound|subtitles|keyboard|first-steps-hidden|chatbot-popup-shown|tab|reloaded-at)$/;

interface Stored {
  readonly keys: string[];
  /** Addresses in caches that are no file of the app. */
  readonly cached: string[];
  readonly databases: string[];
  /** All values, to be searched for what is private. */
  readonly text: string;
}

const storedIn = (page: Page): Promise<Stored> =>
  page.evaluate(async () => {
    const all = [...Object.entries(localStorage), ...Object.entries(sessionStorage)] as [string, string][];
    const cached: string[] = [];
    const bodies: string[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const path = new URL(request.url).pathname;
        if (/^\/(?:assets\/|login$|[\w-]+\.(?:png|svg|webmanifest|js|woff2)$)/.test(path)) continue;
        cached.push(`${name} ${path}`);
        bodies.push((await (await cache.match(request))?.text()) ?? '');
      }
    }
    const databases = (await indexedDB.databases()).map(({ name }) => name ?? '');
    return { keys: all.map(([key]) => key).toSorted(), cached, databases, text: JSON.stringify([all, cached, bodies]) };
  });

const message = ({ page }: Person) => page.getByRole('textbox', { name: 'Message' });

/** Theo speaks, and Mara hears it. */
async function hearVoice({ page }: Person, theo: Person, maraUid: string): Promise<void> {
  await theo.page.goto(`/chat/${maraUid}`);
  await theo.page.getByRole('button', { name: 'Record a voice message' }).click();
  await expect(theo.page.getByRole('form', { name: 'Recording' }).getByText(/^0:(?:0[1-9]|[1-5]\d)$/)).toBeVisible();
  await theo.page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Play voice message' }).click();
  await expect(page.getByText('Not played yet')).not.toBeAttached();
}

/** A room with the library; answers its code. */
async function playInRoom(mara: Person): Promise<string> {
  const { page } = mara;
  const code = await createRoom(mara, 'audio', 'Our Wedding List');
  await playFromLibrary(mara, 'audio', tracks.audio);
  await expect.poll(() => isPlaying(mara)).toBe(true);
  await page.getByRole('button', { name: 'Leave' }).first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('heading', { name: mara.name, level: 1 })).toBeVisible();
  return code;
}

/**
 * An evening that leaves a trace: a chat, a draft, a notification that was pressed, and a message that waits for the
 * network; where it `isFull`, in every place, with a voice message that is heard and a room with the library. Answers
 * what must be read nowhere afterwards.
 */
async function spendEvening(mara: Person, theo: Person, isFull: boolean): Promise<string[]> {
  const { page, context } = mara;
  const [maraUid, theoUid] = [await uidOf(mara), await uidOf(theo)];
  const secrets = ['under the mat', 'Half a secret', 'tunnel', maraUid, theoUid, mara.name, theo.name, '@example'];
  await page.goto(`/chat/${theoUid}`);
  await write(mara.page, 'The key is under the mat');
  if (isFull) await hearVoice(mara, theo, maraUid);
  await page.goto('/chats');
  await page.getByRole('link', { name: /Theo/ }).first().click();
  await message(mara).fill('Half a secret');
  await page.evaluate(async (path) => {
    await (await caches.open('tunemate-taps')).put(path, new Response('1'));
  }, `/chat/${theoUid}`);
  if (isFull) {
    secrets.push(await playInRoom(mara), 'Wedding');
    await page.goto(`/chat/${theoUid}`);
    await expect(message(mara)).toHaveValue('Half a secret');
  }
  await context.setOffline(true);
  await write(mara.page, 'Sent from the tunnel');
  await message(mara).fill('Half a secret');
  await expect.poll(async () => (await storedIn(page)).text).toContain('Sent from the tunnel');
  return secrets;
}

async function expectNothing({ page }: Pick<Person, 'page'>, secrets: readonly string[]): Promise<void> {
  const left = async () => {
    const { keys, cached, databases, text } = await storedIn(page);
    return {
      keys: keys.filter((key) => !ofDevice.test(key)),
      cached,
      databases,
      read: secrets.filter((secret) => text.includes(secret)),
    };
  };
  await expect.poll(left).toEqual({ keys: [], cached: [], databases: [], read: [] });
  // A page that goes on could store it again.
  await page.waitForTimeout(1500);
  expect(await left()).toEqual({ keys: [], cached: [], databases: [], read: [] });
}

/** Another device of the same account. */
async function elsewhere({ name }: Person, { url }: ServerProcess) {
  const device = createHttpVisitor(url, url);
  await device.call('POST /api/accounts/sign-in', { email: emailOf(name), password });
  return device;
}

async function logOut(page: Page): Promise<void> {
  await page.goto('/');
  // Logout asks before it deletes what waits to be sent.
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).join())).not.toContain('tunemate/outbox');
  await leaveBy(page, () => page.getByRole('button', { name: 'Logout' }).click());
}

type Ending = (mara: Person, server: ServerProcess) => Promise<Page>;

/** What ends a session clears it in one place of the page that is open, and in one of a page that opens afterwards. */
const fullEvenings = ['she signs out', 'another device ends her sessions while the page is closed'];

const endings: Record<string, Ending> = {
  'she signs out': async ({ page, context }) => {
    await context.setOffline(false);
    await logOut(page);
    return page;
  },
  'she tries to sign out without a network, reads that she is not, and does it later': async ({ page, context }) => {
    await page.getByRole('link', { name: 'Tunemate home' }).click();
    await page.getByRole('button', { name: 'Logout' }).click();
    const unsent = page.getByRole('alertdialog', { name: 'Log out without sending?' });
    await unsent.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('alertdialog', { name: 'You are still logged in' })).toBeVisible();
    await page.getByRole('button', { name: 'OK' }).click();
    await context.setOffline(false);
    await logOut(page);
    return page;
  },
  'she signs out in another tab': async ({ page, context }) => {
    await context.setOffline(false);
    const other = await context.newPage();
    await logOut(other);
    await other.close();
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
    return page;
  },
  'another device ends her sessions': async (mara, server) => {
    await (await elsewhere(mara, server)).call('POST /api/accounts/sign-out-everywhere', {});
    await mara.context.setOffline(false);
    await expect(mara.page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
    return mara.page;
  },
  'another device ends her sessions while the page is closed': async (mara, server) => {
    await mara.page.close();
    await (await elsewhere(mara, server)).call('POST /api/accounts/sign-out-everywhere', {});
    await mara.context.setOffline(false);
    const page = await mara.context.newPage();
    await page.goto('/');
    await expect(page.getByRole('link', { name: 'Log In' })).toBeVisible();
    return page;
  },
  'another device deletes her account': async (mara, server) => {
    await (await elsewhere(mara, server)).call('POST /api/accounts/delete', { password });
    await mara.context.setOffline(false);
    await expect(mara.page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
    return mara.page;
  },
};

for (const [index, [ending, end]] of Object.entries(endings).entries()) {
  test(`after ${ending}, nothing of hers is left in this browser`, async ({ browser, server, member }) => {
    const theo = await member('Theo');
    const mara = await visitor(browser, server.url, `Mara ${String(index)}`, 'reduce', 'allow');
    await haveAccount(mara, server);
    const secrets = await spendEvening(mara, theo, fullEvenings.includes(ending));
    await expectNothing({ page: await end(mara, server) }, secrets);
  });
}

/** What this device shows of a user's data while the server can't be reached. The worker has a journey: e2e/installed. */
import { expect, test } from 'vitest';
import { pageLoads } from '../../testing/screens/browser.ts';
import { mara } from '../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { ok } from '../../testing/screens/fake-server.ts';
import { button, gone, heading, link, shown, words } from '../../testing/screens/find.ts';
import { closePage, openPage, signedOut } from '../../testing/screens/open-page.tsx';
import { aConversationRow, aNotification, aTunemate } from '../../testing/screens/people.ts';

const isStored = async (key: string): Promise<boolean> => (await caches.match(`/kept/${key}`)) !== undefined;

/** As the page stored it, so that the test's own end does not delete it before. */
async function storedHome(): Promise<Response> {
  const { server } = await openPage('/', {
    own: { tunemates: [aTunemate('Theo')], notifications: [aNotification()], unreadChats: 1 },
    prepare: (stand) => {
      stand.on('chats/list', () => ok({ conversations: [aConversationRow('Theo')] }));
      stand.on('POST /api/accounts/sign-out', () => ok({}));
    },
  });
  await shown(heading(mara.name));
  await expect.poll(() => server.asked('session/hello').length).toBe(1);
  await expect.poll(() => isStored('home')).toBe(true);
  const stored = await caches.match('/kept/home');
  if (!stored) throw new Error('it was there');
  return stored;
}

const keep = async (key: string, stored: Response) => (await caches.open('tunemate-kept')).put(`/kept/${key}`, stored);

test('home is stored, and shown while the server can’t be reached, with nobody online and nothing unread', async () => {
  const stored = await storedHome();
  await closePage();
  await keep('home', stored);
  const { server } = await openPage('/', { prepare: (stand) => stand.disconnect() });
  await shown(heading(mara.name));
  await shown(words('Theo'));
  await gone(words('Online'));
  await gone(link(/unread/));
  await expectAccessible();
  server.reconnect();
  await expect.poll(() => server.asked('session/hello').length).toBe(1);
});

test('of another version, or of a user who is signed out, nothing is shown', async () => {
  const stored = await storedHome();
  const { value } = (await stored.clone().json()) as { value: object };
  await closePage();
  await keep('home', new Response(JSON.stringify({ build: 'another', value })));
  await openPage('/', { prepare: (stand) => stand.disconnect() });
  await shown(heading("Can't reach the server"));
  await closePage();
  await keep('home', stored);
  await openPage('/', { session: signedOut });
  await expect.poll(() => isStored('home')).toBe(false);
});

test('a newer version is offered outside of rooms, keeps typed text, and can wait', async () => {
  const { app } = await openPage('/chats', {
    prepare: (stand) => stand.on('chats/list', () => ok({ conversations: [] })),
  });
  await shown(heading('Chats'));
  app.hasNewer.set(true);
  await shown(words('There is a newer Tunemate'));
  expect(document.activeElement).toBe(document.body);
  await expectAccessible('all');
  await button('Use it now').click();
  await expect.poll(pageLoads).toEqual(['/chats']);
  await button('Later').click();
  await gone(words('There is a newer Tunemate'));
});

test('an app that can be kept says so on home; the steps of an iPhone are a sheet; Not now hides it for 30 days', async () => {
  const { app } = await openPage('/');
  await shown(heading(mara.name));
  app.installing.set('steps');
  await shown(heading('Keep Tunemate on this device'));
  await expectAccessible('all');
  await button('Add it').click();
  await shown(words('Choose Add to Home Screen'));
  await expectAccessible('all');
  await button('Close').click();
  await button('Not now').click();
  await gone(heading('Keep Tunemate on this device'));
  expect(Number(localStorage.getItem('tunemate/install-hint-left'))).toBeGreaterThan(0);
});

test('signing out deletes what was stored, and nothing is stored after it', async () => {
  await storedHome();
  await button('Logout').click();
  await expect.poll(() => isStored('home')).toBe(false);
  await new Promise((resolve) => {
    setTimeout(resolve, 1500);
  });
  expect(await isStored('home')).toBe(false);
});

/**
 * What this device shows of a user's data while the server can't be reached. The worker has a journey: e2e/installed.
 */
import type { Result, SessionState, UserSnapshot, YourRoom } from '@tunemate/protocol';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { pageLoads } from '../../testing/screens/browser.ts';
import { aSnapshot, mara, uidOf } from '../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { type FakeServer, ok, refused } from '../../testing/screens/fake-server.ts';
import { button, gone, heading, link, shown, words } from '../../testing/screens/find.ts';
import { closePage, openPage, signedOut } from '../../testing/screens/open-page.tsx';
import { aConversation, aConversationRow, aNotification, aTunemate } from '../../testing/screens/people.ts';

const homeKey = 'tunemate/kept-home';
const homeNow = (): string | null => localStorage.getItem(homeKey);

/** Opens home, and waits until the page has stored it. */
async function storedHome(rooms: readonly YourRoom[] = []): Promise<string> {
  const { server } = await openPage('/', {
    own: { tunemates: [aTunemate('Theo')], notifications: [aNotification()], unreadChats: 1 },
    prepare: (stand) => {
      stand.on('chats/list', () => ok({ conversations: [aConversationRow('Theo')] }));
      stand.on('POST /api/accounts/sign-out', () => ok({}));
      stand.on('rooms/mine', () => ok({ rooms: [...rooms] }));
    },
  });
  await shown(heading(mara.name));
  await expect.poll(() => server.asked('session/hello').length).toBe(1);
  await expect.poll(homeNow).not.toBeNull();
  return homeNow() ?? '';
}

/** What pages stored, so that each test need not wait for it anew. */
const taken = new Map<string, string>();

/** Home as a page stored it that is closed; the end of a page deletes it. */
async function leaveHome(rooms: readonly YourRoom[] = []): Promise<string> {
  const key = JSON.stringify(rooms);
  const stored = taken.get(key) ?? (await storedHome(rooms));
  taken.set(key, stored);
  await closePage();
  localStorage.setItem(homeKey, stored);
  return stored;
}

/** The browser says so, and the page need not wait for its next attempt. */
function backOnline(server: FakeServer): void {
  server.reconnect();
  window.dispatchEvent(new Event('online'));
}

test('home is stored, and shown while the server can’t be reached, with no person online and nothing unread', async () => {
  await leaveHome();
  const { server } = await openPage('/', { prepare: (stand) => stand.disconnect() });
  await shown(heading(mara.name));
  await shown(words('Theo'));
  await gone(words('Online'));
  await gone(link(/unread/));
  await expectAccessible();
  backOnline(server);
  await expect.poll(() => server.asked('session/hello').length).toBe(1);
});

test.each(['/chats', `/chat/${uidOf('Theo')}`])(
  'nothing of %s loads for ever without a network: what is not on this device says so',
  async (path) => {
    await leaveHome();
    const { server } = await openPage(path, { prepare: (stand) => stand.disconnect() });
    const missing = words('This is not on this device. It is shown once there is a connection.');
    await shown(missing);
    await gone(words('Loading...'));
    await expectAccessible();
    server.on('chats/open', () => ok(aConversation('Theo')));
    backOnline(server);
    await gone(missing);
  },
);

const evening: YourRoom = {
  ...{ kind: 'video', code: '7F3A9C', name: 'Friday Slow Burn', host: mara.uid, hostName: mara.name, people: 2 },
  ...{ endsAt: null, isPlaying: true, title: 'Slow Satellite', thumbnail: null },
};

/** As if the page was opened from its picture on the home screen. */
function openInstalled(): void {
  const ask = window.matchMedia.bind(window);
  const isIt = { matches: true } as MediaQueryList;
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => (query.includes('display-mode') ? isIt : ask(query)));
  onTestFinished(() => void vi.restoreAllMocks());
}

/** Home as it was stored, on a page whose server answers only with what the test resolves. */
async function openStored(rooms: readonly YourRoom[] = []) {
  const session = Promise.withResolvers<Result<SessionState>>();
  const hello = Promise.withResolvers<Result<UserSnapshot>>();
  await leaveHome(rooms);
  const { server } = await openPage('/', {
    prepare: (stand) => {
      stand.on('GET /api/session', () => session.promise);
      stand.on('session/hello', () => hello.promise);
      stand.on('rooms/mine', async () => {
        const answer = await hello.promise;
        return answer.ok ? ok({ rooms: [] }) : answer;
      });
    },
  });
  return { server, session, hello };
}

test('an installed app shows home as it was before the server answers, with its rooms, and the answer takes its place', async () => {
  openInstalled();
  const { server, session, hello } = await openStored([evening]);
  await shown(heading(mara.name));
  await shown(link('Return to Friday Slow Burn'));
  await shown(words('Theo'));
  await gone(words('Online'));
  await gone(link(/unread/));
  expect(server.asked('chats/list')).toEqual([]);
  session.resolve(ok({ status: 'signed-in', user: mara }));
  hello.resolve(ok(aSnapshot({ tunemates: [aTunemate('Ada')], unreadChats: 2 })));
  await shown(words('Ada'));
  await gone(words('Theo'));
  await gone(link('Return to Friday Slow Burn'));
});

test('an installed app keeps the place of the chats that waited, and nothing moves when they come', async () => {
  openInstalled();
  const conversations = ['Theo', 'Ivo'].map((name) => aConversationRow(name, {}, { unread: 1 }));
  const hello = Promise.withResolvers<void>();
  const prepare = (server: FakeServer): void => {
    server.on('chats/list', () => ok({ conversations }));
    // Of the list, which is newer, two wait.
    server.on('session/hello', async () => {
      if (homeNow() !== null) await hello.promise;
      return ok({ ...aSnapshot({ unreadChats: 2, chatsWaiting: 1 }), serverNowMs: Date.now() });
    });
  };
  await openPage('/', { prepare });
  await expect.poll(homeNow).toContain('"chatsWaiting":2');
  const stored = homeNow() ?? '';
  await closePage();
  localStorage.setItem(homeKey, stored);
  const { server } = await openPage('/', { prepare });
  await shown(heading('Video rooms'));
  const top = (): number => heading('Video rooms').element().getBoundingClientRect().top;
  const before = top();
  expect(server.asked('chats/list')).toEqual([]);
  hello.resolve();
  await expect.poll(() => page.getByRole('list', { name: 'Chats waiting' }).getByRole('link').length).toBe(2);
  expect(top()).toBe(before);
});

test('a page that never shows home keeps the rooms that home showed last', async () => {
  await leaveHome([evening]);
  await openPage('/notifications', { own: { tunemates: [aTunemate('Ada')] } });
  await shown(heading('Notifications'));
  await expect.poll(homeNow).toContain('Ada');
  expect(homeNow()).toContain(evening.code);
});

test('the answer that the session is over takes the stored home away and deletes it', async () => {
  openInstalled();
  const { session, hello, server } = await openStored([evening]);
  await shown(heading(mara.name));
  server.on('GET /api/session', () => ok(signedOut));
  session.resolve(ok(signedOut));
  hello.resolve(refused('auth/required'));
  await gone(heading(mara.name));
  await shown(link('Log In').first());
  await expect.poll(homeNow).toBeNull();
});

test('a tab, which may be on a shared computer, shows nothing of the user before the server answers', async () => {
  const { session, hello } = await openStored([evening]);
  await new Promise((resolve) => {
    setTimeout(resolve, 300);
  });
  await gone(heading(mara.name));
  session.resolve(ok(signedOut));
  hello.resolve(refused('auth/required'));
  await shown(link('Log In').first());
  await expect.poll(homeNow).toBeNull();
});

test('the answer that another user is signed in deletes the stored home before the page loads anew', async () => {
  openInstalled();
  const { session, hello } = await openStored();
  await shown(heading(mara.name));
  session.resolve(ok({ status: 'signed-in', user: { ...mara, uid: uidOf('Ivo'), name: 'Ivo' } }));
  hello.resolve(refused('auth/required'));
  await expect.poll(pageLoads).toEqual(['/']);
  expect(homeNow()).toBeNull();
});

test('of another version, or of a user who is signed out, nothing is shown', async () => {
  const stored = await leaveHome();
  const { value } = JSON.parse(stored) as { value: object };
  localStorage.setItem(homeKey, JSON.stringify({ build: 'another', value }));
  await openPage('/', { prepare: (stand) => stand.disconnect() });
  await shown(heading("Can't reach the server"));
  await closePage();
  localStorage.setItem(homeKey, stored);
  await openPage('/', { session: signedOut });
  await expect.poll(homeNow).toBeNull();
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
  await expect.poll(homeNow).toBeNull();
  await new Promise((resolve) => {
    setTimeout(resolve, 1500);
  });
  expect(homeNow()).toBeNull();
});

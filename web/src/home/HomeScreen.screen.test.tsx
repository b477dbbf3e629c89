import type { ConversationRow, RoomCode } from '@tunemate/protocol';
import { aSnapshot, mara, maraUid, uidOf } from '../../testing/connection-fixtures.ts';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../testing/screens/browser.ts';
import { ok, refused, silence } from '../../testing/screens/fake-server.ts';
import { button, field, focused, gone, heading, leadsTo, link, shown, words } from '../../testing/screens/find.ts';
import { closePage, openPage, signedOut } from '../../testing/screens/open-page.tsx';
import {
  aConversationRow,
  aNotification,
  aTunemate,
  ivoUid,
  longName,
  presenceOf,
  tunemates,
} from '../../testing/screens/people.ts';
import { navigate } from '../store/address.ts';
import { endFirstSound, expectFirstSound } from '../store/first-sound.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Each button, and the page it opens. */
const ways = [
  ['Join Soulmate Room', '/soulmate'],
  ['Join Tunemate Video Room', '/join'],
  ['Join Tunemate Audio Room', '/join-audio-room'],
  ['Create Video Room', '/create'],
  ['Create Audio Room', '/create-audio-room'],
  ['Chat', '/chats'],
  ['Notifications', '/notifications'],
] as const;
const ivo = { uid: ivoUid, name: 'Ivo Baranov', presence: presenceOf(ivoUid) };

test('a visitor sees all buttons, and each leads to signing in first', async () => {
  await openPage('/', { session: signedOut });
  await shown(heading('Login to see your Soulmate'));
  await leadsTo(link('Log In'), '/login');
  for (const [name, path] of ways) await leadsTo(link(name), `/login?next=${encodeURIComponent(path)}`);
  await expectAccessible('all');
});

test('shows loading until the session is known', async () => {
  await openPage('/', { session: signedOut, prepare: (server) => server.on('GET /api/session', silence) });
  await shown(words('Loading...'));
  await expectAccessible();
});

test('shows loading until the first snapshot arrives', async () => {
  await openPage('/', { prepare: (server) => server.on('session/hello', silence) });
  await shown(words('Loading...'));
  await gone(heading('Add your Soulmate'));
});

/** The cumulative layout shift that the browser reports, without shifts after input. */
function watchMoves(): { stop: () => number } {
  let sum = 0;
  const observer = new PerformanceObserver((list) => {
    const moves = list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[];
    for (const { value, hadRecentInput } of moves) sum += hadRecentInput ? 0 : value;
  });
  observer.observe({ type: 'layout-shift' });
  return {
    stop() {
      observer.disconnect();
      return sum;
    },
  };
}

test('nothing on home moves when its lists and its rooms arrive, one after the other', async () => {
  const moves = watchMoves();
  const room = { kind: 'video', code: '7F3A9C', name: 'Friday Slow Burn', host: ivoUid, hostName: 'Ivo' } as const;
  const people = tunemates(3);
  const writers = ['Ivo', 'Ada', 'Noor', 'Theo'];
  const greeted = Promise.withResolvers<void>();
  const listed = Promise.withResolvers<void>();
  const hears = { uid: people[0]!.uid, title: 'Walking Home', artist: null, thumbnail: null, untilMs: null };
  const rooms = [{ ...room, people: 2, endsAt: null, isPlaying: false, title: null, thumbnail: null }];
  await openPage('/', {
    prepare: (server) => {
      server.on('session/hello', async () => {
        await greeted.promise;
        const unread = { unreadChats: 9, chatsWaiting: 4 };
        return ok({ ...aSnapshot({ tunemates: people, hears: [hears], ...unread }), serverNowMs: Date.now() });
      });
      server.on('chats/list', async () => {
        await listed.promise;
        return ok({ conversations: writers.map((name) => aConversationRow(name, {}, { unread: 2 })) });
      });
      server.on('rooms/mine', async () => {
        await greeted.promise;
        await pause(400);
        return ok({ rooms });
      });
    },
  });
  await shown(words('Loading...'));
  greeted.resolve();
  await shown(page.getByRole('list', { name: 'Your rooms' }));
  await shown(heading(mara.name));
  await shown(page.getByRole('list', { name: 'Tunemates hear' }));
  const top = (): number => heading('Video rooms').element().getBoundingClientRect().top;
  const before = top();
  listed.resolve();
  await expect.poll(() => page.getByRole('list', { name: 'Chats waiting' }).getByRole('link').length).toBe(3);
  expect(top()).toBe(before);
  await pause(200);
  // 'Offline' becomes 'Online', a letter shorter, once the connection is there.
  expect(moves.stop()).toBeLessThan(0.001);
});

test('nothing on home moves where the code of what people hear arrives late', async () => {
  const moves = watchMoves();
  const people = tunemates(3);
  const hears = { uid: people[0]!.uid, title: 'Walking Home', artist: null, thumbnail: null, untilMs: null };
  expectFirstSound();
  await openPage('/', { own: { tunemates: people, hears: [hears] } });
  await shown(heading(mara.name));
  endFirstSound();
  await shown(page.getByRole('list', { name: 'Tunemates hear' }));
  await pause(200);
  expect(moves.stop()).toBeLessThan(0.001);
});

test('home does not wait for the list of rooms when the server refuses it', async () => {
  await openPage('/', { prepare: (server) => server.on('rooms/mine', () => refused('limit/too-many')) });
  await shown(heading(mara.name));
});

test("shows the user's name and presence once, 'Add your Soulmate', and a button for each page", async () => {
  await openPage('/');
  await shown(heading(mara.name));
  await shown(words('Online'));
  await expect.poll(() => words(mara.name).elements().length).toBe(1);
  await shown(heading('Your first evening'));
  await shown(heading('Add your Soulmate'));
  for (const [name, path] of ways) await leadsTo(page.getByRole('main').getByRole('link', { name }), path);
  await expect.element(link('Log In')).not.toBeInTheDocument();
  expect(document.title).toBe('Home · Tunemate');
  await expectAccessible('all');
});

test('shows the soulmate with presence, and a link to their chat in the menu', async () => {
  const { server } = await openPage('/', { own: { soulmate: ivo } });
  const card = page.getByRole('region', { name: 'Soulmate' });
  await shown(card.getByRole('heading', { name: 'Ivo Baranov' }));
  await shown(card.getByText('Online'));
  await leadsTo(
    page.getByRole('complementary', { name: 'Menu' }).getByRole('link', { name: /Ivo Baranov/ }),
    `/chat/${ivoUid}`,
  );
  await expectAccessible();
  server.tell({ type: 'presence/changed', presence: presenceOf(ivoUid, 'offline') });
  await shown(card.getByText('Offline'));
});

test("the popup 'Chatbot coming soon...' opens by itself, can be closed, and opened again", async () => {
  await openPage('/');
  const popup = page.getByRole('complementary', { name: 'Chatbot coming soon...' });
  await shown(popup);
  await popup.getByRole('button', { name: 'Dismiss' }).click();
  await gone(popup);
  await button('Chatbot').click();
  await shown(popup);
});

test.for([
  [1280, 800, signedOut],
  [390, 844, signedOut],
  [1366, 768, undefined],
  [390, 844, undefined],
] as const)("the popup 'Chatbot coming soon...' lies over no control at %i × %i", async ([width, height, session]) => {
  await page.viewport(width, height);
  await openPage('/', session && { session });
  const popup = page.getByRole('complementary', { name: 'Chatbot coming soon...' });
  await shown(popup);
  const { top, bottom, left, right } = popup.element().getBoundingClientRect();
  for (const control of document.querySelectorAll('main :is(a, button)')) {
    if (popup.element().contains(control)) continue;
    const box = control.getBoundingClientRect();
    const isApart = box.bottom <= top || box.top >= bottom || box.right <= left || box.left >= right;
    expect(isApart, control.textContent).toBe(true);
  }
});

test('shows the number of unread chats and notifications on the buttons and in the title of the page', async () => {
  const { server } = await openPage('/', {
    own: { notifications: [aNotification()], unreadChats: 2 },
    prepare: (stand) =>
      stand.on('chats/list', () => ok({ conversations: [aConversationRow('Ivo', {}, { unread: 2 })] })),
  });
  for (const place of [page.getByRole('navigation', { name: 'Messages' }), page.getByRole('banner')]) {
    await shown(place.getByRole('link', { name: 'Notifications 1 new' }));
    await shown(place.getByRole('link', { name: 'Chat 2 unread' }));
  }
  await expect.poll(() => document.title).toBe('(3) Home · Tunemate');
  await expectAccessible();
  server.tell({ type: 'notifications/read' });
  await expect.poll(() => document.title).toBe('(2) Home · Tunemate');
});

test('lists three chats with unread words, the newest first, of people whom the user answered', async () => {
  const row = (name: string, timestamp: number, more: Partial<ConversationRow> = {}) =>
    aConversationRow(name, { timestamp, text: `words of ${name}` }, { unread: 1, ...more });
  const conversations = [
    row('Read', 9000, { unread: 0 }),
    row('Stranger', 9000, { isStranger: true }),
    row('Away', 9000, { isArchived: true }),
    ...[row('Ivo', 1000), row('Ada', 2000), row('Noor', 3000), row('Theo', 4000)],
  ];
  const { server } = await openPage('/', {
    own: { unreadChats: 6, tunemates: tunemates(1) },
    prepare: (stand) => stand.on('chats/list', () => ok({ conversations })),
  });
  const list = page.getByRole('list', { name: 'Chats waiting' });
  const names = () =>
    list
      .getByRole('link')
      .elements()
      .map((each) => each.querySelector('strong')?.textContent);
  await expect.poll(names).toEqual(['Theo', 'Noor', 'Ada']);
  await shown(list.getByText('words of Theo'));
  await leadsTo(list.getByRole('link', { name: /Theo/ }), `/chat/${uidOf('Theo')}`);
  await leadsTo(link('All chats'), '/chats');
  await expectAccessible('all');
  const marks = { uid: maraUid, deliveredUpTo: 1, readUpTo: 1 };
  for (const { pairId } of conversations) server.tell({ type: 'chats/marked', pairId, marks, unread: 0 });
  await gone(list);
});

test('shows that the user is offline when the connection is lost', async () => {
  const { server } = await openPage('/');
  await shown(words('Online'));
  server.disconnect();
  await shown(words('Offline'));
});

test('the longest names and fifty tunemates fit the page', async () => {
  const long = aTunemate(longName, { metIn: ['video', 'audio'] });
  await openPage('/', {
    session: { status: 'signed-in', user: { ...mara, name: longName } },
    own: {
      user: { ...mara, name: longName },
      soulmate: { ...ivo, name: longName },
      tunemates: [long, ...tunemates(49)],
    },
  });
  await shown(words('50 / 50'));
  await expect.poll(() => page.getByRole('list', { name: 'Tunemates' }).getByRole('listitem').length).toBe(50);
  await expectAccessible();
});

test('on a phone the menu is a drawer that keeps the focus and returns it when closed', async () => {
  await lookOnPhone();
  await openPage('/', { own: { tunemates: tunemates(3) } });
  await gone(page.getByText('Logout'));
  await button('Menu').click();
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  await focused(drawer.getByRole('button', { name: 'Close menu' }));
  await shown(drawer.getByText('Tunemates'));
  await expectAccessible('this');
  await userEvent.keyboard('{Escape}');
  await gone(drawer);
  await focused(button('Menu'));
});

test('the first Tab reaches a link that skips to the content', async () => {
  await openPage('/');
  await shown(heading(mara.name));
  await userEvent.tab();
  await focused(button('Skip to content'));
  await userEvent.keyboard('{Enter}');
  await focused(page.getByRole('main'));
});

test('the heading of each new screen gets the focus', async () => {
  await openPage('/', { session: signedOut });
  await link('Log In').click();
  await focused(heading('Hear the same second'));
  await shown(field('Email'));
});

test('a visitor reads what this is and can sign up, unless sign-up is closed', async () => {
  await openPage('/', { session: signedOut });
  await leadsTo(link('Sign Up'), '/signup');
  await shown(words(/everybody hears the same second/));
});

test('the heading of home has the focus, also when what home waits for comes later', async () => {
  const rooms = Promise.withResolvers<void>();
  await openPage('/soulmate', {
    prepare: (stand) => stand.on('rooms/mine', () => rooms.promise.then(() => ok({ rooms: [] }))),
  });
  await shown(heading('Soulmate Streaming Room'));
  navigate('/');
  await shown(words('Loading...'));
  rooms.resolve();
  await focused(heading(mara.name));
});

test('a visitor of a closed server has no way to sign up', async () => {
  await openPage('/', { session: signedOut, config: { signUp: 'closed' } });
  await leadsTo(link('Log In'), '/login');
  await gone(link('Sign Up'));
});

test('a phone shows in its first screen what is unread and what waits for an answer', async () => {
  const invited = { kind: 'audio', code: '7F3A9C', name: 'Kitchen Radio', hasEnded: false } as const;
  const room = { ...invited, code: '7F3A9C' as never, letsInUntil: Date.now() + 60_000 };
  const soulmate = { id: 'n2', type: 'soulmate', message: 'Ivo asks you to be soulmates' } as const;
  await lookOnPhone();
  const { server } = await openPage('/', {
    own: { unreadChats: 3, notifications: [aNotification({ room }), aNotification(soulmate)] },
    prepare: (stand) => {
      stand.on('chats/list', () => ok({ conversations: [aConversationRow('Ivo', {}, { unread: 3 })] }));
      stand.on('soulmate/accept', () => ok({ soulmate: ivo }));
    },
  });
  const band = page.getByRole('banner');
  await expect.element(band.getByRole('link', { name: 'Chat 3 unread' })).toBeInViewport({ ratio: 1 });
  await expect.element(band.getByRole('link', { name: 'Notifications 2 new' })).toBeInViewport({ ratio: 1 });
  await expect.element(button('Accept')).toBeInViewport({ ratio: 1 });
  await expect.element(link('Join')).toBeInViewport({ ratio: 1 });
  await expect
    .element(page.getByRole('list', { name: 'Waiting for you' }).getByRole('listitem').first())
    .toMatchTextContent(/Ivo asks/);
  await expectAccessible('all');
  await shown(page.getByRole('group', { name: /^Ivo/ }).getByRole('button', { name: 'Accept' }));
  await button('Accept').click();
  await expect.poll(() => server.asked('soulmate/accept').length).toBe(1);
  await button('Not now').click();
  await gone(link('Join'));
});

test('beside the menu of a narrow window a request keeps its words in lines above its keys', async () => {
  await page.viewport(820, 1180);
  await openPage('/', {
    own: { notifications: [aNotification({ id: 'n9', type: 'tunemate', senderName: longName })] },
  });
  const asks = page.getByText(/asks you to be tunemates/);
  await shown(asks);
  const { bottom, width } = asks.element().getBoundingClientRect();
  expect(width).toBeGreaterThan(200);
  expect(button('Accept').element().getBoundingClientRect().top).toBeGreaterThan(bottom);
});

test('a new user reads three things to do first, one press away, until they are hidden on this device', async () => {
  const created = { code: '7F3A9C' as RoomCode };
  const { server } = await openPage('/', { prepare: (stand) => stand.on('rooms/create', () => ok(created)) });
  await shown(heading('Three things to do first'));
  await leadsTo(link('Type a code'), '/join');
  await leadsTo(link('Create a room'), '/create');
  await expectAccessible('all');
  await button('Hide these three').click();
  await gone(heading('Three things to do first'));
  await closePage();
  await openPage('/');
  await shown(heading(mara.name));
  await gone(heading('Three things to do first'));
  expect(server.asked('rooms/create')).toEqual([]);
});

test("'Try it now' opens a room of one's own by one press, and says why when it can't", async () => {
  const { server } = await openPage('/', {
    prepare: (stand) => stand.on('rooms/create', () => refused('room/too-many-live-rooms')),
  });
  await button('Try it now').click();
  await shown(words('Failed to create room'));
  await button('OK').click();
  server.on('rooms/create', () => ok({ code: '7F3A9C' as RoomCode }));
  server.leaveUnanswered();
  await button('Try it now').click();
  await expect.poll(() => location.pathname).toBe('/audio-room/7F3A9C');
  expect(server.asked('rooms/create').at(-1)).toMatchObject({ kind: 'audio', name: `Room of ${mara.name}` });
});

test.each([
  ['a tunemate', { tunemates: tunemates(1) }],
  ['a soulmate', { soulmate: ivo }],
])('who has %s is not new', async (_what, own) => {
  await openPage('/', { own });
  await shown(heading(mara.name));
  await shown(heading(/^[A-Z][a-z]+day (?:morning|afternoon|evening|night)$/));
  await gone(heading('Three things to do first'));
});

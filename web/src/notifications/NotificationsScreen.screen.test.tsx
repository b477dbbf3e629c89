import type { Notification, Result, RoomCode, Value } from '@tunemate/protocol';
import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { maraUid, uidOf } from '../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { ok, refused, silence, type FakeServer } from '../../testing/screens/fake-server.ts';
import {
  arrivedAt,
  button,
  focused,
  gone,
  heading,
  leadsTo,
  link,
  modal,
  shown,
  words,
} from '../../testing/screens/find.ts';
import { beUsed } from '../../testing/screens/browser.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import { settled } from '../../testing/screens/settled.ts';
import { navigate } from '../store/address.ts';
import { aNotification, ivoUid, longName, presenceOf } from '../../testing/screens/people.ts';

afterEach(() => vi.restoreAllMocks());

const request = aNotification({ id: 'n2', type: 'soulmate', message: 'Ivo asks you to be soulmates' });
const ivo = { uid: ivoUid, name: 'Ivo', presence: presenceOf(ivoUid) };

const open = (notifications: Notification[], prepare: (server: FakeServer) => void = () => undefined) =>
  openPage('/notifications', { own: { notifications }, prepare });

/** Beside a notification; the band has one to all chats. */
const chat = () => page.getByRole('main').getByRole('link', { name: 'Chat' });

test('shows that there are no notifications, with a link home', async () => {
  await open([]);
  await shown(words('No notifications'));
  await leadsTo(link('Back to Home'), '/');
  await expectAccessible();
});

test('shows that it loads until the first snapshot', async () => {
  await open([], (server) => server.on('session/hello', silence));
  await shown(heading('Notifications'));
  await expect.element(page.getByText('Loading...')).toBeInTheDocument();
  await expectAccessible();
});

test('a queue that a tunemate shares is named with its sender, who is a press away', async () => {
  await open([aNotification({ type: 'queue', message: 'Ivo shares a saved queue with you' })]);
  await shown(words('shares a saved queue with you'));
  await leadsTo(chat(), `/chat/${ivoUid}`);
  await gone(link('Ask to Join'));
});

test('opening the inbox marks notifications as read', async () => {
  const { server } = await open([aNotification()]);
  await expect.poll(() => server.asked('notifications/markRead').length).toBe(1);
});

test('a page that another site opened marks nothing until the user presses something', async () => {
  beUsed(false);
  const { server } = await open([aNotification()]);
  await shown(words(/^Ivo invites you/));
  window.dispatchEvent(new Event('focus'));
  expect(server.asked('notifications/markRead')).toEqual([]);
  beUsed(true);
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(() => server.asked('notifications/markRead').length).toBe(1);
});

test.each([
  ['just now', 0, 1],
  ['minutes ago', 120_000, 0],
])('the tap on a push message %s is a press', async (_when, beforeMs, times) => {
  beUsed(false);
  const records = await caches.open('tunemate-taps');
  await records.put('/notifications', new Response(String(Date.now() - beforeMs)));
  const { server } = await open([aNotification()]);
  await shown(words(/^Ivo invites you/));
  if (times > 0) await expect.poll(() => server.asked('notifications/markRead').length).toBe(times);
  // Taken, so that the next page does not take it again.
  await expect.poll(() => records.match('/notifications')).toBeUndefined();
  expect(server.asked('notifications/markRead')).toHaveLength(times);
});

test('a notification that arrives while the page is hidden stays unread until the page is visible', async () => {
  let isSeen = false;
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => (isSeen ? 'visible' : 'hidden'));
  const { server } = await open([aNotification({ isRead: true })]);
  await shown(words(/^Ivo invites you/));
  server.tell({ type: 'notifications/added', notification: aNotification({ id: 'n9', timestamp: 9 }), removed: [] });
  await expect.poll(() => document.title).toBe('(1) Notifications · Tunemate');
  expect(server.asked('notifications/markRead')).toEqual([]);
  isSeen = true;
  document.dispatchEvent(new Event('visibilitychange'));
  await expect.poll(() => server.asked('notifications/markRead').length).toBe(1);
});

test('shows who invites, with a clock time for today or else the date, and can be dismissed', async () => {
  const noon = new Date();
  noon.setHours(12, 0, 0, 0);
  const { server } = await open(
    [
      aNotification({ id: 'today', timestamp: noon.getTime() }),
      aNotification({
        id: 'past',
        senderName: 'Ada',
        message: 'Ada invites you to listen',
        timestamp: Date.UTC(2025, 2, 4, 12),
      }),
    ],
    (stand) => stand.on('notifications/dismiss', () => refused('server/busy')),
  );
  const items = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem');
  await expect.element(items.first()).toHaveTextContent('IIvo invites you to listen12:00Chat');
  await expect.element(items.last()).toHaveTextContent('AAda invites you to listen04/03/2025Chat');
  await expectAccessible('all');
  await button('Dismiss Ada').click();
  await modal('That did not work').getByRole('button', { name: 'OK' }).click();
  server.on('notifications/dismiss', ({ id }) => {
    server.tell({ type: 'notifications/removed', id });
    return ok({});
  });
  await button('Dismiss Ada').click();
  await gone(button('Dismiss Ada'));
  await shown(button('Dismiss Ivo'));
});

test('a line parts notifications, and none stands under the card of a request', async () => {
  await open([request, aNotification({ id: 'n3' }), aNotification({ id: 'n4', senderName: 'Ada' })]);
  await shown(button('Dismiss Ada'));
  const lines = [...document.querySelectorAll('main li > div')].map((item) => {
    const { borderTopWidth, borderBottomWidth } = getComputedStyle(item);
    return [borderTopWidth, borderBottomWidth].map(Number.parseFloat);
  });
  expect(lines).toEqual([
    [0, 0],
    [0, 1],
    [0, 0],
  ]);
});

const aRoom = (more: Partial<NonNullable<Notification['room']>>) =>
  ({ kind: 'video', code: '7F3A9C' as RoomCode, name: 'Friday', letsInUntil: null, hasEnded: false, ...more }) as const;

test.each([
  ['video', '/join?code=7F3A9C'],
  ['audio', '/join-audio-room?code=7F3A9C'],
] as const)('a tap on an invitation into a %s room asks to join it, once', async (kind, path) => {
  const { server } = await open([aNotification({ timestamp: Date.now(), room: aRoom({ kind }) })], (stand) => {
    stand.on('rooms/askToJoin', () => ok({ code: '7F3A9C' as RoomCode, status: 'pending' }));
    stand.on('rooms/cancelRequest', () => ok({}));
  });
  await leadsTo(link('Ask to Join'), path);
  await expectAccessible();
  await link('Ask to Join').click();
  await shown(heading('Waiting for Host Approval...'));
  await arrivedAt(path);
  await link('Back to Home').click();
  await arrivedAt('/');
  history.back();
  await arrivedAt(path);
  await shown(button('Join Session'));
  expect(server.asked('rooms/askToJoin')).toEqual([{ kind, code: '7F3A9C' }]);
});

test('the host’s invitation offers Join and Chat; one to a room that has ended, or an old one, Chat alone', async () => {
  const [nowMs, hourMs] = [Date.now(), 3_600_000];
  await open([
    aNotification({ id: 'n1', timestamp: nowMs, room: aRoom({ letsInUntil: nowMs + 12 * hourMs }) }),
    aNotification({ id: 'n2', timestamp: nowMs - 1, senderUid: uidOf('Ada'), room: aRoom({ hasEnded: true }) }),
    aNotification({ id: 'n3', timestamp: nowMs - 13 * hourMs, senderUid: uidOf('Noor'), room: aRoom({}) }),
  ]);
  await leadsTo(link('Join'), '/join?code=7F3A9C');
  await shown(words(/Video room, you can come straight in/));
  await shown(words(/The room has ended/));
  await shown(words(/The invitation is older than 12 hours/));
  await expect.poll(() => chat().elements().length).toBe(3);
  await expect.poll(() => link(/Join/).elements().length).toBe(1);
  await expectAccessible('all');
});

test('an invitation has a link to the chat with its sender, with a room and without', async () => {
  const room = aRoom({});
  await open([
    aNotification({ id: 'n1', timestamp: 2000 }),
    aNotification({ id: 'n2', timestamp: 1000, senderUid: uidOf('Ada'), room }),
  ]);
  await leadsTo(chat().first(), `/chat/${ivoUid}`);
  await leadsTo(chat().last(), `/chat/${uidOf('Ada')}`);
  await expectAccessible();
});

test('that a report was read is shown without a chat, and can be dismissed', async () => {
  const message = 'Tunemate says that your report was read';
  const { server } = await open(
    [aNotification({ id: 'r1', type: 'report', senderName: 'Tunemate', senderUid: ivoUid, message })],
    (stand) => stand.on('notifications/dismiss', () => ok({})),
  );
  await shown(words(/your report was read$/));
  const list = page.getByRole('list', { name: 'Notifications' });
  expect(list.getByRole('link').elements()).toEqual([]);
  // The product's mark: a person of any name has an avatar there.
  expect(list.element().querySelectorAll('svg[viewBox="0 0 40 28"]')).toHaveLength(1);
  await expectAccessible('all');
  await button('Dismiss Tunemate').click();
  await expect.poll(() => server.asked('notifications/dismiss')).toEqual([{ id: 'r1' }]);
});

test.each([
  ['video', 'Video room'],
  ['audio', 'Audio room'],
] as const)(
  'a %s room that ended without its host has its sleeve and no link, and can be dismissed',
  async (kind, detail) => {
    const room = aRoom({ kind, name: 'Friday Slow Burn', hasEnded: true });
    const message = 'Friday Slow Burn ended because you were away';
    const { server } = await open(
      [
        aNotification({ id: 'a1', type: 'host-away', senderName: 'Tunemate', senderUid: maraUid, message, room }),
        aNotification({ id: 'n1', timestamp: 1000 }),
      ],
      (stand) =>
        stand.on('notifications/dismiss', ({ id }) => {
          stand.tell({ type: 'notifications/removed', id });
          return ok({});
        }),
    );
    const item = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem').first();
    // No letter of an avatar comes before the words.
    await expect.element(item).toMatchTextContent(new RegExp(`^${message}.* · ${detail}$`));
    expect(item.getByRole('link').elements()).toEqual([]);
    await expectAccessible('all');
    await button('Dismiss Friday Slow Burn').click();
    await gone(words(/ended because you were away/));
    expect(server.asked('notifications/dismiss')).toEqual([{ id: 'a1' }]);
    await shown(button('Dismiss Ivo'));
  },
);

test('an invitation has the sleeve of its room at the avatar, and one without a room has none', async () => {
  await open([aNotification({ id: 'n1', room: aRoom({}) }), aNotification({ id: 'n2', senderUid: uidOf('Ada') })]);
  const items = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem');
  await expect.poll(() => items.length).toBe(2);
  const sleeves = items.elements().map((item) => item.querySelector('[style*="--sleeve: 26px"]') !== null);
  expect(sleeves).toEqual([true, false]);
  await expectAccessible('all');
});

test('a room that soon ends without its host leads back into it', async () => {
  const room = aRoom({ kind: 'audio', name: 'Friday Slow Burn', hasEnded: false });
  const message = 'Friday Slow Burn ends soon unless you return';
  await open([
    aNotification({ id: 'a1', type: 'host-away', senderName: 'Tunemate', senderUid: maraUid, message, room }),
  ]);
  const item = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem').first();
  await expect.element(item).toMatchTextContent(new RegExp(`^${message}`));
  await leadsTo(item.getByRole('link', { name: 'Return to room' }), `/audio-room/${room.code}`);
  await expectAccessible('all');
});

test('two rooms that ended while their host was away come live, the later one first', async () => {
  const { server } = await open([aNotification({ timestamp: 1000 })]);
  await shown(button('Dismiss Ivo'));
  for (const [index, name] of ['Film night', longName].entries()) {
    const message = `${name} ended because you were away`;
    const of = {
      type: 'host-away',
      senderName: 'Tunemate',
      senderUid: maraUid,
      message,
      timestamp: 2000 + index,
    } as const;
    const room = aRoom({ name, hasEnded: true, kind: index === 0 ? 'video' : 'audio' });
    server.tell({
      type: 'notifications/added',
      notification: aNotification({ id: `a${index}`, ...of, room }),
      removed: [],
    });
  }
  const items = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem');
  await expect.poll(() => items.length).toBe(3);
  await expect.element(items.first()).toMatchTextContent(new RegExp(`^${longName} ended because you were away`));
  await expect.element(items.nth(1)).toMatchTextContent(/^Film night ended because you were away/);
  await expectAccessible('all');
});

test('the focus goes to the heading when the key that was pressed is gone with its row', async () => {
  const { server } = await open([request, aNotification()], (stand) => {
    stand.on('soulmate/accept', ({ id }) => {
      stand.tell({ type: 'notifications/removed', id });
      return ok({ soulmate: ivo });
    });
    stand.on('notifications/dismiss', ({ id }) => {
      stand.tell({ type: 'notifications/removed', id });
      return ok({});
    });
  });
  // A screen reader that comes to the key reads whose it is.
  const keys = page.getByRole('group', { name: 'Ivo asks you to be soulmates' });
  await keys.getByRole('button', { name: 'Accept' }).click();
  await gone(button('Accept'));
  await focused(heading('Notifications'));
  await button('Dismiss Ivo').click();
  await focused(heading('Notifications'));
  expect(server.asked('notifications/dismiss')).toHaveLength(1);
});

test('accepts a soulmate request with one request only', async () => {
  const { server } = await open([request], (stand) => stand.on('soulmate/accept', silence));
  await shown(button('Decline'));
  await expectAccessible('all');
  await button('Accept').click();
  await expect.element(button('Accept')).toHaveAttribute('aria-busy', 'true');
  await button('Decline').click();
  expect(server.asked('soulmate/accept')).toEqual([{ id: 'n2' }]);
  server.tell({ type: 'soulmate/changed', soulmate: ivo });
  server.tell({ type: 'notifications/removed', id: 'n2' });
  await shown(words('No notifications'));
});

test.for([
  ['Accept', 'tunemates/accept'],
  ['Decline', 'tunemates/decline'],
] as const)('a request to be tunemates says where they met, and is answered by %s', async ([key, name]) => {
  const met = {
    kind: 'audio',
    code: '7F3A9C' as never,
    name: 'Kitchen Radio',
    letsInUntil: null,
    hasEnded: false,
  } as const;
  const asked = aNotification({ id: 'n5', type: 'tunemate', message: 'Ivo asks you to be tunemates', room: met });
  const { server } = await open([asked], (stand) => stand.on(name, () => ok({})));
  await shown(words(/You met in Kitchen Radio/));
  await gone(link('Ask to join'));
  await expectAccessible('all');
  await button(key).click();
  await expect.poll(() => server.asked(name)).toEqual([{ id: 'n5' }]);
});

test('the keys of a request to keep what both hear are seen on the ground of the page', async () => {
  await open([aNotification({ id: 'n6', type: 'music', message: 'Ivo would like to keep what you hear together' })]);
  await shown(button('Decline'));
  await expectAccessible('all');
});

test('who keeps what both hear is led to it, unless they are on another screen by then', async () => {
  const answer = Promise.withResolvers<Result<Value<'music/keep'>>>();
  const { server } = await open([aNotification({ id: 'n6', type: 'music' })], (stand) =>
    stand.on('music/keep', () => answer.promise),
  );
  await button('Accept').click();
  await expect.poll(() => server.asked('music/keep')).toHaveLength(1);
  navigate('/create');
  await shown(heading('Create a video room'));
  server.leaveUnanswered();
  answer.resolve(ok({ outcome: 'done' }));
  expect(await settled(() => location.pathname)).toBe('/create');
});

test('declines a soulmate request', async () => {
  const { server } = await open([request], (stand) => stand.on('soulmate/decline', () => ok({})));
  await button('Decline').click();
  await expect.poll(() => server.asked('soulmate/decline')).toEqual([{ id: 'n2' }]);
});

test.each([
  ['soulmate/taken', 'They already have a soulmate.'],
  ['soulmate/self-taken', 'You already have a soulmate.'],
  ['access/not-found', 'This request is no longer open.'],
] as const)('shows why a request could not be accepted: %s', async (code, sentence) => {
  await open([request], (server) => server.on('soulmate/accept', () => refused(code)));
  await button('Accept').click();
  await shown(modal('That did not work').getByText(sentence));
  await expectAccessible();
});

test('a notification that arrives while the inbox is open is shown first, and the newest twenty are kept', async () => {
  const twenty = Array.from({ length: 20 }, (_, index) =>
    aNotification({ id: `n${String(index)}`, timestamp: 1000 + index, senderName: longName, isRead: true }),
  );
  const { server } = await open(twenty);
  await expect.poll(() => page.getByRole('listitem').length).toBe(20);
  await expectAccessible();
  server.tell({
    type: 'notifications/added',
    notification: aNotification({ id: 'new', message: 'Ivo invites you to listen' }),
    removed: ['n0'],
  });
  await expect.element(page.getByRole('listitem').first()).toMatchTextContent(/Ivo invites you to listen/);
  expect(page.getByRole('listitem').length).toBe(20);
});

/** In a room: unread counts on its buttons and in the title, and messages of friends as a toast. */
import type { RoomKind } from '@tunemate/protocol';
import { afterEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { maraUid, uidOf } from '../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../testing/screens/browser.ts';
import { ok } from '../../testing/screens/fake-server.ts';
import {
  arrivedAt,
  button,
  field,
  focused,
  gone,
  heading,
  leadsTo,
  link,
  shown,
  words,
} from '../../testing/screens/find.ts';
import { aConversation, aConversationRow, aMessage, aNotification, aTunemate } from '../../testing/screens/people.ts';
import { aTrack, openRoom } from '../../testing/screens/rooms.ts';

const theo = { uid: uidOf('Theo'), name: 'Theo' };
const kim = { uid: uidOf('Kim'), name: 'Kim' };
const eve = { uid: uidOf('Eve'), name: 'Eve' };
const sent = (from: typeof theo, number: number) =>
  ({ type: 'chats/messageSent', message: aMessage(from.uid, number), other: from }) as const;

async function inRoom(kind: RoomKind = 'audio') {
  const room = await openRoom(kind, {
    playing: { tracks: [aTrack('f')] },
    own: { tunemates: [aTunemate('Theo'), aTunemate('Kim')], notifications: [aNotification()], unreadChats: 2 },
    prepare: (stand) => {
      stand.on('chats/list', () => ok({ conversations: [aConversationRow('Theo', {}, { unread: 2 })] }));
      stand.on('chats/open', () => ok(aConversation('Theo')));
      stand.on('chats/send', ({ clientId }) => ok({ message: aMessage(theo.uid, 9, { clientId }) }));
      stand.on('chats/mark', () => ok({}));
    },
  });
  await shown(link(/^Notifications/));
  // Its code comes after the room's.
  await expect.poll(() => document.querySelector('[data-message-toast]')).not.toBeNull();
  return room;
}

/** From where the toasts stand: they wait under the pointer. */
const pointAway = () => heading('Friday Slow Burn').hover();

/** The browser around the tests shows one page in a frame, which can't fill the screen. */
function fillScreen(fills: boolean): void {
  Object.defineProperty(document, 'fullscreenElement', {
    configurable: true,
    get: () => (fills ? document.querySelector('main')?.parentElement : null),
  });
  document.dispatchEvent(new Event('fullscreenchange'));
}
afterEach(() => Reflect.deleteProperty(document, 'fullscreenElement'));

test('unread chats and notifications are counted on the buttons of a room, on a phone on one bell, and in the title', async () => {
  await inRoom();
  await shown(link('Chat 2 unread'));
  await shown(link('Notifications 1 new'));
  await expect.poll(() => document.title).toBe('(3) Friday Slow Burn · Tunemate');
  await expectAccessible();
  await lookOnPhone();
  await shown(link('Notifications 3 new'));
});

test('on a phone the bell is named after where it leads: to the chats where nothing but messages is unread', async () => {
  await lookOnPhone();
  const { server } = await inRoom();
  server.tell({ type: 'notifications/read' });
  await leadsTo(link('Chat 2 unread'), '/chats');
  await gone(link(/^Notifications/));
  await expectAccessible();
});

test('a message of a friend shows as a toast; Reply answers in place, Escape closes the field, others only count', async () => {
  const { server } = await inRoom();
  server.tell(sent(eve, 1));
  server.tell(sent(theo, 3));
  server.tell(sent(theo, 4));
  await shown(words('message 3'));
  await shown(words('and 1 more'));
  expect(page.getByText('message 1').length).toBe(0);
  await button('Reply').click();
  await focused(field('Reply to Theo'));
  await expectAccessible('this');
  await userEvent.keyboard('{Escape}');
  await gone(field('Reply to Theo'));
  await focused(button('Reply'));
  await userEvent.keyboard('{Enter}');
  await field('Reply to Theo').fill('on my way');
  await userEvent.keyboard('{Enter}');
  await gone(words('message 3'));
  await expect.poll(() => server.asked('chats/send')).toMatchObject([{ uid: theo.uid, text: 'on my way' }]);
  // Who answers has read: both messages that the toast counted, and no other.
  const { pairId } = aMessage(theo.uid, 4);
  await expect
    .poll(() => server.asked('chats/mark').filter(({ readUpTo }) => readUpTo > 0))
    .toEqual([{ pairId, deliveredUpTo: 4, readUpTo: 4 }]);
});

test('an answer that is being written goes to no other person when its message is deleted', async () => {
  const { server } = await inRoom();
  server.tell(sent(theo, 3));
  server.tell(sent(kim, 1));
  await shown(words('message 3'));
  await button('Reply').click();
  await field('Reply to Theo').fill('for Theo alone');
  const deleted = aMessage(theo.uid, 3, { state: 'deleted', text: '', revision: 1 });
  server.tell({ type: 'chats/messageChanged', message: deleted, unread: 0 });
  await shown(words('message 1'));
  await gone(field(/^Reply to/));
  await userEvent.keyboard('{Enter}');
  await button('Reply').click();
  await expect.element(field('Reply to Kim')).toHaveValue('');
  expect(server.asked('chats/send')).toEqual([]);
});

test('an answer that is being written when the user leaves the room is a draft in its chat', async () => {
  const { server } = await inRoom();
  server.tell(sent(theo, 3));
  await button('Reply').click();
  await field('Reply to Theo').fill('half an ans');
  await link(/^Chat /).click();
  await link(/^Theo|Theo/).click();
  await arrivedAt(`/chat/${theo.uid}`);
  await expect.element(field('Message')).toHaveValue('half an ans');
});

test('a toast after one that was dismissed by key ends by itself', async () => {
  const { server } = await inRoom();
  await pointAway();
  server.tell(sent(theo, 3));
  await shown(words('message 3'));
  (button('Dismiss').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await gone(words('message 3'));
  server.tell(sent(theo, 4));
  await shown(words('message 4'));
  await gone(words('message 4'));
});

test('a message that comes in full screen is there afterwards, unless it was read elsewhere', async () => {
  const { server } = await inRoom('video');
  await pointAway();
  fillScreen(true);
  await shown(button('Exit full screen'));
  server.tell(sent(theo, 3));
  server.tell(sent(theo, 4));
  server.tell(sent(kim, 4));
  await expect.element(words('and 2 more')).toBeInTheDocument();
  const marks = { uid: maraUid, deliveredUpTo: 4, readUpTo: 3 };
  server.tell({ type: 'chats/marked', pairId: aMessage(theo.uid, 4).pairId, marks, unread: 1 });
  await expect.element(words('message 4')).toBeInTheDocument();
  // What the other has read of one's own is another matter.
  const others = { uid: kim.uid, deliveredUpTo: 4, readUpTo: 4 };
  server.tell({ type: 'chats/marked', pairId: aMessage(kim.uid, 4).pairId, marks: others, unread: null });
  // Longer than a toast lasts.
  await new Promise((done) => setTimeout(done, 8500));
  fillScreen(false);
  await shown(words('message 4'));
  await shown(words('and 1 more'));
  await button('Dismiss').click();
  await gone(words('message 4'));
});

test('on a tablet a toast is no wider than on a desktop', async () => {
  await page.viewport(768, 1024);
  const { server } = await inRoom();
  server.tell(sent(theo, 3));
  await shown(button('Reply'));
  const { left, right } = document.querySelector('[data-message-toast]')?.getBoundingClientRect() ?? new DOMRect();
  expect(right - left).toBeLessThanOrEqual(440);
  expect(Math.abs(left - (innerWidth - right))).toBeLessThanOrEqual(1);
});

test('on a phone Reply opens the chat, and the room goes on in its bar', async () => {
  await lookOnPhone();
  const { server } = await inRoom();
  server.tell(sent(theo, 3));
  await button('Reply').click();
  await arrivedAt(`/chat/${theo.uid}`);
  await shown(link(/^Return to room: /));
});

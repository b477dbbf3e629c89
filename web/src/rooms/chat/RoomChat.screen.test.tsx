import { maraUid, mara } from '../../../testing/connection-fixtures.ts';
import { describe, expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../../testing/screens/browser.ts';
import { renderOf } from '../../../testing/screens/render-of.ts';
import { ok, refused, silence } from '../../../testing/screens/fake-server.ts';
import { button, field, gone, shown, words } from '../../../testing/screens/find.ts';
import { aRoomMessage, testRoomCode, openRoom, type RoomVisit } from '../../../testing/screens/rooms.ts';

const messages = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => aRoomMessage(from + index));
const preview = (): Locator => page.getByRole('log', { name: 'Last 10 messages' });
const log = (): Locator => page.getByRole('log', { name: 'Chat' });

/** One kind stands for both: none of this is in the table of what differs between them. */
describe('the chat of a room', () => {
  const kind = 'audio';
  async function openChat(visit: RoomVisit = {}) {
    const room = await openRoom(kind, visit);
    await button('Click here to Start Chat').click();
    // Its code may not be loaded yet.
    await expect.element(field('Message')).toBeInTheDocument();
    return room;
  }
  async function write(text: string): Promise<void> {
    await field('Message').fill(text);
    await userEvent.keyboard('{Enter}');
  }

  test('while collapsed it shows exactly the last 10 messages, new ones included', async () => {
    const room = await openRoom(kind, { messages: messages(1, 12) });
    const lines = () => Array.from(preview().element().querySelectorAll('p'), (line) => line.textContent);
    await shown(preview().getByText(/message 12$/));
    expect(lines()).toHaveLength(10);
    expect(lines()[0]).toMatch(/message 3 /);
    await expectAccessible();
    room.tell({ type: 'rooms/messageSent', message: aRoomMessage(13) });
    await shown(preview().getByText(/message 13$/));
    expect(lines()).toHaveLength(10);
    expect(lines()[0]).toMatch(/message 4 /);
  });

  test('a room that is open for hours keeps no more of a closed chat than its latest messages', async () => {
    const room = await openRoom(kind, { messages: messages(1, 300) });
    room.tell({ type: 'rooms/messageSent', message: aRoomMessage(301) });
    await shown(preview().getByText(/message 301$/));
    await button('Click here to Start Chat').click();
    await shown(log().getByText(/^message 301$/));
    expect(log().getByRole('article').length).toBe(200);
  });

  test("expands by 'Click here to Start Chat' and collapses by 'Click here to Return Room'", async () => {
    await openChat({ messages: messages(1, 12) });
    await expect.element(button('Click here to Return Room')).toHaveAttribute('aria-expanded', 'true');
    await expect.poll(() => log().getByText(/^message \d+$/).length).toBe(12);
    await expectAccessible('all');
    await button('Click here to Return Room').click();
    await shown(preview());
  });

  test('a message is marked as sending until the server has it', async () => {
    const room = await openChat({ prepare: (server) => server.on('rooms/sendMessage', silence) });
    await write('Are we all here?');
    await expect.element(log().getByText('Sending')).toBeInTheDocument();
    await expect.element(field('Message')).toHaveValue('');
    await expect.poll(() => room.server.asked('rooms/sendMessage').length).toBe(1);
    const [sent] = room.server.asked('rooms/sendMessage');
    expect(sent).toMatchObject({ kind, code: testRoomCode, text: 'Are we all here?' });
    if (sent === undefined) return;
    const { clientId, text } = sent;
    room.tell({
      type: 'rooms/messageSent',
      message: aRoomMessage(1, { clientId, text, sender: maraUid, senderName: mara.name }),
    });
    await gone(log().getByText('Sending'));
    expect(log().getByText('Are we all here?').length).toBe(1);
  });

  test('a message that comes renders none of the rows above it again', async () => {
    const room = await openChat({ messages: messages(1, 12) });
    await expect.poll(() => log().getByText(/^message \d+$/).length).toBe(12);
    const first = log().getByRole('article').first().element();
    const before = renderOf(first);
    room.tell({ type: 'rooms/messageSent', message: aRoomMessage(13) });
    await shown(log().getByText(/^message 13$/));
    expect(renderOf(first)).toBe(before);
  });

  test('in a slow chat a guest’s next message stays in the field, which says how long to wait', async () => {
    const room = await openChat({
      isHost: false,
      settings: { slowSeconds: 15 },
      prepare: (server) => server.on('rooms/sendMessage', silence),
    });
    await shown(words('Slow chat: one message every 15 seconds.'));
    room.tell({
      type: 'rooms/messageSent',
      message: aRoomMessage(1, { sender: maraUid, senderName: mara.name, timestamp: Date.now() - 4000 }),
    });
    await shown(words(/^You can write again in 1?[0-9] seconds\.$/));
    await write('and another thing');
    await expect.element(page.getByRole('alert').getByText(/^You can write again in/)).toBeInTheDocument();
    await expectAccessible();
    expect(room.server.asked('rooms/sendMessage')).toEqual([]);
    await expect.element(field('Message')).toHaveValue('and another thing');
    room.tell({ type: 'rooms/set', settings: { slowSeconds: null } });
    await gone(words(/write again/));
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => room.server.asked('rooms/sendMessage')).toMatchObject([{ text: 'and another thing' }]);
  });

  test('the host of a slow chat writes as before', async () => {
    const room = await openChat({
      settings: { slowSeconds: 60 },
      prepare: (server) => server.on('rooms/sendMessage', silence),
      messages: [aRoomMessage(1, { sender: maraUid, timestamp: Date.now() })],
    });
    await write('welcome all');
    await expect.poll(() => room.server.asked('rooms/sendMessage').length).toBe(1);
    await gone(words(/^Slow chat/));
  });

  test('blank and too long messages stay in the field', async () => {
    const room = await openChat();
    await write('   ');
    await field('Message').fill('x'.repeat(2001));
    await shown(words('A message has at most 2,000 characters.'));
    await expectAccessible();
    await button('Send').click();
    expect(room.server.asked('rooms/sendMessage')).toEqual([]);
  });

  test('a failed message shows that it failed, and can be sent again or discarded', async () => {
    const room = await openChat({
      prepare: (server) => server.on('rooms/sendMessage', () => refused('limit/too-many', { retryAfterMs: 5000 })),
    });
    await write('hello');
    await shown(log().getByText(/^Not sent\./));
    await expectAccessible();
    room.server.on('rooms/sendMessage', ({ clientId, text }) =>
      ok({ message: aRoomMessage(1, { clientId, text, sender: maraUid, senderName: mara.name }) }),
    );
    await button('Send again').click();
    await gone(log().getByText(/^Not sent\./));
    room.server.on('rooms/sendMessage', () => refused('input/invalid'));
    await write('again');
    await shown(log().getByText(/It holds characters that cannot be shown\./));
    await button('Discard').click();
    await gone(log().getByText('again'));
  });

  test('closed, it says what was not sent', async () => {
    await openChat({ prepare: (server) => server.on('rooms/sendMessage', () => refused('input/invalid')) });
    await write('hello');
    await shown(log().getByText(/^Not sent\./));
    await button('Click here to Return Room').click();
    await shown(page.getByRole('button', { name: 'Click here to Start Chat 1 message not sent' }));
    await expect.element(preview()).toHaveTextContent(`${mara.name} hello Not sent.`);
  });

  test('earlier messages are loaded on request, and a page that failed can be loaded again', async () => {
    const room = await openChat({
      messages: messages(51, 100),
      hasEarlierMessages: true,
      prepare: (server) => server.on('rooms/earlierMessages', () => refused('server/failed')),
    });
    (button('Earlier messages').element() as HTMLElement).click();
    await expect.poll(() => room.server.asked('rooms/earlierMessages').length).toBe(1);
    await expect.element(button('Earlier messages')).not.toHaveAttribute('aria-busy');
    room.server.on('rooms/earlierMessages', () => ok({ messages: messages(1, 50), hasEarlierMessages: false }));
    const live: (string | null)[] = [];
    new MutationObserver(() => live.push(log().element().ariaLive)).observe(log().element(), {
      childList: true,
      subtree: true,
    });
    (button('Earlier messages').element() as HTMLElement).click();
    await expect.element(log().getByText('message 1', { exact: true })).toBeInTheDocument();
    await gone(button('Earlier messages'));
    // They are not read out; what arrives after them is.
    expect(live.at(-1)).toBe('off');
    await expect.poll(() => log().element().ariaLive, { timeout: 3000 }).toBeNull();
  });

  test('on a phone the on-screen keyboard writes into it', async () => {
    await lookOnPhone();
    await openChat({ messages: messages(1, 30) });
    await field('Message').click();
    await page
      .getByRole('group', { name: /^Keyboard/ })
      .getByRole('button', { name: 'h' })
      .click();
    await expect.element(field('Message')).toHaveValue('h');
    await expectAccessible('this');
  });
});

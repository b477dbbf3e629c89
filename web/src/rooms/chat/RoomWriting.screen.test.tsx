import { limits, type RoomId } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { mara, maraUid, uidOf } from '../../../testing/connection-fixtures.ts';
import { ok, refused, silence } from '../../../testing/screens/fake-server.ts';
import { button, field, focused, gone, modal, shown, words } from '../../../testing/screens/find.ts';
import { ivoUid } from '../../../testing/screens/people.ts';
import { aRoomMessage, openRoom, testRoomCode, type RoomVisit } from '../../../testing/screens/rooms.ts';

const log = (): Locator => page.getByRole('log', { name: 'Chat' });
const messageWith = (text: string): Locator => log().getByRole('article').filter({ hasText: text });
const menu = (): Locator => page.getByRole('group', { name: /^Message of/ });
const guests = [
  { uid: ivoUid, name: 'Ivo Baranov', online: true },
  { uid: uidOf('Ada'), name: 'Ada Okafor', online: true },
];
const own = { sender: maraUid, senderName: mara.name };
const quote = { id: 'm1', sender: ivoUid, senderName: 'Ivo Baranov', text: 'The first line', isGone: false };

/** One kind stands for both: none of this is in the table of what differs between them. */
describe('replies and edits in a room', () => {
  const kind = 'audio';
  async function openChat(visit: RoomVisit = {}) {
    const room = await openRoom(kind, {
      guests,
      prepare: (server) => {
        for (const name of ['rooms/deleteMessage', 'rooms/editMessage'] as const) server.on(name, () => ok({}));
      },
      ...visit,
    });
    await button('Click here to Start Chat').click();
    await expect.element(field('Message')).toBeInTheDocument();
    return room;
  }

  test('r answers the focused message; the line is quoted, and a press on it goes to the original', async () => {
    const room = await openChat({
      messages: [aRoomMessage(1, { text: 'The first line' })],
      prepare: (server) => server.on('rooms/sendMessage', silence),
    });
    (messageWith('The first line').element() as HTMLElement).focus();
    await userEvent.keyboard('r');
    await focused(field('Message'));
    await shown(words('Reply to Ivo Baranov'));
    await expectAccessible('both');
    await userEvent.keyboard('{Escape}');
    await gone(words('Reply to Ivo Baranov'));
    (messageWith('The first line').element() as HTMLElement).focus();
    await userEvent.keyboard('r');
    await field('Message').fill('So it is');
    await button('Send').click();
    await expect
      .poll(() => room.server.asked('rooms/sendMessage'))
      .toMatchObject([{ text: 'So it is', replyTo: 'm1' }]);
    const [sent] = room.server.asked('rooms/sendMessage');
    await gone(words('Reply to Ivo Baranov'));
    if (sent === undefined) return;
    const { clientId, text } = sent;
    room.tell({ type: 'rooms/messageSent', message: aRoomMessage(2, { ...own, clientId, text, reply: quote }) });
    await gone(log().getByText('Sending'));
    // In one step: the mark of where the press leads lasts a second.
    const toOriginal = messageWith('So it is').getByRole('button', { name: 'Answers Ivo Baranov The first line' });
    (toOriginal.element() as HTMLElement).click();
    await focused(log().getByRole('article').first());
    await expect.element(log().getByRole('article').first()).toHaveAttribute('data-lit', 'true');
    await expectAccessible('both');
  });

  test('what is answered, and an edit that is begun, are there again after a look at the room', async () => {
    const lookAtRoom = async () => {
      await button('Click here to Return Room').click();
      await gone(log());
      await button('Click here to Start Chat').click();
      await shown(log());
    };
    await openChat({
      messages: [aRoomMessage(1, { text: 'The first line' }), aRoomMessage(2, { ...own, timestamp: Date.now() })],
    });
    (messageWith('The first line').element() as HTMLElement).focus();
    await userEvent.keyboard('r');
    await field('Message').fill('So it is');
    await lookAtRoom();
    await shown(words('Reply to Ivo Baranov'));
    await expect.element(field('Message')).toHaveValue('So it is');
    await button('Cancel the reply').click();
    (messageWith('message 2').element() as HTMLElement).focus();
    await userEvent.keyboard('e');
    await field('Message').fill('another text');
    await lookAtRoom();
    await shown(words('Edit message'));
    await expect.element(field('Message')).toHaveValue('another text');
  });

  test('an original that is not loaded is loaded; one that was deleted shows so and leads nowhere', async () => {
    const room = await openChat({
      messages: [aRoomMessage(9, { reply: quote }), aRoomMessage(10, { reply: { ...quote, id: 'm8' } })],
      hasEarlierMessages: true,
      prepare: (server) => server.on('rooms/earlierMessages', () => refused('server/failed')),
    });
    room.tell({ type: 'rooms/messageDeleted', messageId: 'm8' });
    const dead = messageWith('message 10').getByRole('button', { name: 'Answers Ivo Baranov Message deleted' });
    await expect.element(dead).toBeDisabled();
    room.server.on('rooms/earlierMessages', () =>
      ok({ messages: [aRoomMessage(1, { text: 'The first line' })], hasEarlierMessages: false }),
    );
    await messageWith('message 9')
      .getByRole('button', { name: /^Answers/ })
      .click();
    await expect.poll(() => room.server.asked('rooms/earlierMessages').at(-1)).toMatchObject({ downTo: 'm1' });
    await focused(log().getByRole('article').first());
  });

  test('ArrowUp in the empty field edits the last own message, which is marked then', async () => {
    const room = await openChat({
      messages: [aRoomMessage(1), aRoomMessage(2, { ...own, text: 'helo', timestamp: Date.now() }), aRoomMessage(3)],
    });
    await field('Message').click();
    await userEvent.keyboard('{ArrowUp}');
    await shown(words('Edit message'));
    await expect.element(field('Message')).toHaveValue('helo');
    await field('Message').fill('hello');
    await userEvent.keyboard('{Enter}');
    await expect
      .poll(() => room.server.asked('rooms/editMessage'))
      .toMatchObject([{ messageId: 'm2', text: 'hello', edits: 1 }]);
    await gone(words('Edit message'));
    room.tell({ type: 'rooms/messageEdited', messageId: 'm2', text: 'hello', edits: 1 });
    await shown(messageWith('hello').getByText('edited'));
    await expectAccessible('both');
  });

  test('an edit that is refused says why, and its words come back into the field', async () => {
    await openChat({
      messages: [aRoomMessage(1, { ...own, text: 'helo', timestamp: Date.now() })],
      prepare: (server) => server.on('rooms/editMessage', () => refused('access/forbidden')),
    });
    await messageWith('helo').click({ button: 'right' });
    await menu().getByRole('button', { name: 'Edit' }).click();
    await field('Message').fill('hello');
    await userEvent.keyboard('{Enter}');
    await shown(words('Your edit was not stored. A message can be edited for 15 minutes.'));
    await expect.element(field('Message')).toHaveValue('hello');
    await shown(messageWith('helo'));
  });

  test('the words of a message that is deleted while it is answered go from above the field', async () => {
    const room = await openChat({ messages: [aRoomMessage(1, { text: 'The first line' })] });
    (messageWith('The first line').element() as HTMLElement).focus();
    await userEvent.keyboard('r');
    await shown(words('Reply to Ivo Baranov'));
    room.tell({ type: 'rooms/messageDeleted', messageId: 'm1' });
    await gone(words('The first line'));
    await shown(words('Reply to Ivo Baranov'));
  });

  test('an edit that is refused when the chat is closed says so in a dialog, and its words wait in the field', async () => {
    const answer = Promise.withResolvers<ReturnType<typeof refused>>();
    await openChat({
      messages: [aRoomMessage(1, { ...own, text: 'helo', timestamp: Date.now() })],
      prepare: (server) => server.on('rooms/editMessage', () => answer.promise),
    });
    await messageWith('helo').click({ button: 'right' });
    await menu().getByRole('button', { name: 'Edit' }).click();
    await field('Message').fill('hello');
    await userEvent.keyboard('{Enter}');
    await button('Click here to Return Room').click();
    await expect.element(field('Message')).not.toBeInTheDocument();
    answer.resolve(refused('access/forbidden'));
    const refusal = modal('Friday Slow Burn');
    await shown(refusal.getByText('Your edit was not stored. A message can be edited for 15 minutes.'));
    await refusal.getByRole('button', { name: 'OK' }).click();
    await button('Click here to Start Chat').click();
    await expect.element(field('Message')).toHaveValue('hello');
  });

  test('after 15 minutes an own message offers no edit', async () => {
    await openChat({
      messages: [aRoomMessage(1, { ...own, text: 'old', timestamp: Date.now() - limits.editableMs - 60_000 })],
    });
    await messageWith('old').click({ button: 'right' });
    await shown(menu().getByRole('button', { name: 'Reply' }));
    expect(menu().getByRole('button', { name: 'Edit' }).query()).toBeNull();
    await userEvent.keyboard('{Escape}e');
    expect(words('Edit message').query()).toBeNull();
  });

  test('the people who are typing are named, until their message is there', async () => {
    const room = await openChat({ messages: [] });
    const roomId = 'r'.repeat(22) as RoomId;
    // What is sent before the chat's field has subscribed is lost, as on a real connection.
    await expect
      .poll(() => {
        room.server.sendEphemeral({ type: 'rooms/typing', roomId, uid: ivoUid });
        return words('Ivo Baranov is typing…').query();
      })
      .not.toBeNull();
    room.server.sendEphemeral({ type: 'rooms/typing', roomId, uid: uidOf('Ada') });
    room.server.sendEphemeral({ type: 'rooms/typing', roomId, uid: uidOf('Nobody') });
    await shown(words('Ivo Baranov and Ada Okafor are typing…'));
    room.tell({ type: 'rooms/messageSent', message: aRoomMessage(1) });
    await shown(words('Ada Okafor is typing…'));
    await field('Message').fill('hi');
    await field('Message').fill('hi there');
    await expect.poll(() => room.server.asked('rooms/typing')).toMatchObject([{ kind, code: testRoomCode }]);
  });
});

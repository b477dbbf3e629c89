import { roomKinds, type RoomMessage, type StampName, type Uid } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { clientId, countingClientIds, uidOf } from '../../../testing/connection-fixtures.ts';
import { createFakeClock, settle } from '../../../testing/fake-clock.ts';
import { createFakeConnection } from '../../../testing/fake-connection.ts';
import { isTooLong } from '../../messages/outbox.ts';
import { memoryStorage } from '../../../testing/memory-storage.ts';
import { notSentBecause } from './ChatEntry.tsx';
import { createChatModel, createReactions, withMessageChange } from './chat-model.ts';
import { testRoomCode, guestUid, message, roomId, roomSnapshot } from '../../../testing/room-fixtures.ts';
import type { MessageLog } from '../../messages/message-log.ts';

describe.each(roomKinds)('the chat of a room of kind %s', (kind) => {
  const clock = createFakeClock();
  function chat(
    snapshot = roomSnapshot(kind, { messages: [message(1), message(2)], hasEarlierMessages: true }),
    storage = memoryStorage(),
  ) {
    const connection = createFakeConnection();
    const newClientId = countingClientIds();
    const ports = { connection, clock, storage, kind, code: testRoomCode, selfUid: guestUid, newClientId };
    const model = createChatModel(ports, snapshot);
    const ids = () => model.log.get().messages.map(({ id }) => id);
    return { connection, model, ids, storage };
  }
  const entered = (...numbers: number[]) => ({
    type: 'entered' as const,
    snapshot: roomSnapshot(kind, { messages: numbers.map((number) => message(number)), hasEarlierMessages: true }),
  });
  const mine = (number: number) =>
    message(50 + number, { clientId: clientId(number), sender: guestUid, text: `hello ${number}` });

  test.each(['', '  \n ', '\u200b\u2060'])('does not send a blank message (%j)', (text) => {
    const { connection, model } = chat();
    expect(model.send(text)).toBe(false);
    expect(connection.asked).toEqual([]);
  });

  test('shows a message as sending at once, and only once after it is confirmed', async () => {
    const { connection, model, ids } = chat();
    expect(model.send('  hello 1 ')).toBe(true);
    await settle();
    expect(model.waiting.get()).toMatchObject([{ clientId: clientId(1), text: 'hello 1', failure: null }]);
    expect(connection.last('rooms/sendMessage').payload).toEqual({
      kind,
      code: testRoomCode,
      clientId: clientId(1),
      text: 'hello 1',
    });
    model.receive({ type: 'rooms/messageSent', message: mine(1) });
    await connection.last('rooms/sendMessage').answer({ message: mine(1) });
    expect(ids()).toEqual(['m1', 'm2', 'm51']);
    expect(model.waiting.get()).toEqual([]);
  });

  test('a stamp on a message rises over the picture, and a removed one does not', () => {
    const { model } = chat();
    const stamped = { type: 'rooms/stamped', messageId: 'm1', uid: guestUid, stamp: 'love', count: 1 } as const;
    model.receive({ ...stamped, isOn: true });
    model.receive({ ...stamped, isOn: false });
    expect(model.reactions.rising.get().map(({ stamp }) => stamp)).toEqual(['love']);
  });

  test('sends messages one after another, as they were written', async () => {
    const { connection, model } = chat();
    model.send('hello 1');
    model.send('hello 2');
    await settle();
    expect(connection.count('rooms/sendMessage')).toBe(1);
    await connection.last('rooms/sendMessage').answer({ message: mine(1) });
    expect(connection.last('rooms/sendMessage').payload['text']).toBe('hello 2');
  });

  test('keeps the text of a message over the rate limit and shows when to try again', async () => {
    const { connection, model } = chat();
    model.send('hello 1');
    await settle();
    await connection.last('rooms/sendMessage').refuse('limit/too-many', 2100);
    const [failed] = model.waiting.get();
    expect(failed).toMatchObject({ clientId: clientId(1), text: 'hello 1' });
    expect(failed?.failure && notSentBecause(failed.failure)).toBe('Not sent. Try again in 3 seconds.');
    model.retry(clientId(1));
    await settle();
    expect(model.waiting.get()[0]?.failure).toBeNull();
    expect(connection.last('rooms/sendMessage').payload['clientId']).toBe(clientId(1));
    await connection.last('rooms/sendMessage').answer({ message: mine(1) });
    expect(model.waiting.get()).toEqual([]);
  });

  test('a failed message can be discarded', async () => {
    const { connection, model } = chat();
    model.send('hello 1');
    await settle();
    await connection.last('rooms/sendMessage').refuse('input/invalid');
    model.discard(clientId(1));
    expect(model.waiting.get()).toEqual([]);
  });

  test('loads earlier pages, and shows no message twice', async () => {
    const { connection, model, ids } = chat();
    const loading = model.loadEarlier();
    expect(model.earlier.get()).toBe('loading');
    expect(connection.last('rooms/earlierMessages').payload).toEqual({ kind, code: testRoomCode, before: 'm1' });
    await connection
      .last('rooms/earlierMessages')
      .answer({ messages: [message(0), message(1)], hasEarlierMessages: false });
    await loading;
    expect(ids()).toEqual(['m0', 'm1', 'm2']);
    await model.loadEarlier();
    expect(connection.count('rooms/earlierMessages')).toBe(1);
  });

  test('the next earlier page may be asked for as soon as one has come', async () => {
    const { connection, model } = chat();
    model.earlier.subscribe(() => void (model.earlier.get() === 'idle' && model.loadEarlier()));
    void model.loadEarlier();
    await connection
      .last('rooms/earlierMessages')
      .answer({ messages: [message(0), message(1)], hasEarlierMessages: true });
    expect(connection.count('rooms/earlierMessages')).toBe(2);
  });

  test('the messages that a closed chat let go of come back as an earlier page', async () => {
    const { connection, model, ids } = chat(entered(...Array.from({ length: 301 }, (_, at) => at + 1)).snapshot);
    model.letGo();
    expect([ids().length, ids()[0], model.log.get().hasEarlierMessages]).toEqual([200, 'm102', true]);
    void model.loadEarlier();
    await connection
      .last('rooms/earlierMessages')
      .answer({ messages: [message(100), message(101)], hasEarlierMessages: true });
    expect(ids().slice(0, 3)).toEqual(['m100', 'm101', 'm102']);
  });

  test('after a reconnect it keeps earlier messages and reads them again, for what changed meanwhile', async () => {
    const { connection, model, ids } = chat(roomSnapshot(kind, { messages: [message(1), message(2), message(3)] }));
    const snapshot = roomSnapshot(kind, { messages: [message(2), message(3), message(4)], hasEarlierMessages: true });
    model.receive({ type: 'entered', snapshot });
    expect(ids()).toEqual(['m1', 'm2', 'm3', 'm4']);
    expect(model.log.get().hasEarlierMessages).toBe(false);
    expect(connection.last('rooms/earlierMessages').payload).toMatchObject({ before: 'm2', downTo: 'm1' });
    model.receive({ type: 'rooms/messageDeleted', messageId: 'm0' });
    await connection.last('rooms/earlierMessages').answer({
      messages: [message(0), message(1, { text: 'new words', edits: 1 })],
      hasEarlierMessages: false,
    });
    expect(ids()).toEqual(['m0', 'm1', 'm2', 'm3', 'm4']);
    expect(model.log.get().messages.slice(0, 2)).toMatchObject([{ isDeleted: true }, { text: 'new words', edits: 1 }]);
  });

  test('an earlier page that comes while others are read again after a reconnect stays', async () => {
    const snapshot = roomSnapshot(kind, { messages: [message(3), message(4)], hasEarlierMessages: true });
    const { connection, model, ids } = chat(snapshot);
    void model.loadEarlier();
    const page = connection.last('rooms/earlierMessages');
    model.receive({
      type: 'entered',
      snapshot: roomSnapshot(kind, { messages: [message(4), message(5)], hasEarlierMessages: true }),
    });
    const again = connection.last('rooms/earlierMessages');
    expect(again.payload).toMatchObject({ before: 'm4', downTo: 'm3' });
    await page.answer({ messages: [message(1), message(2)], hasEarlierMessages: false });
    await again.answer({ messages: [message(3)], hasEarlierMessages: true });
    expect(ids()).toEqual(['m1', 'm2', 'm3', 'm4', 'm5']);
    expect(model.log.get().hasEarlierMessages).toBe(false);
  });

  test('who goes to a message waits for the page that is under way, which may hold it', async () => {
    const { connection, model, ids } = chat();
    void model.loadEarlier();
    let known: readonly string[] = [];
    void model.loadEarlier('m0').then(() => (known = ids()));
    await settle();
    expect(known).toEqual([]);
    await connection.last('rooms/earlierMessages').answer({ messages: [message(0)], hasEarlierMessages: false });
    await settle();
    expect(known).toContain('m0');
  });

  test('earlier messages that can’t be read again after a reconnect are loaded later', async () => {
    const { connection, model, ids } = chat(roomSnapshot(kind, { messages: [message(1), message(2)] }));
    model.receive({ type: 'entered', snapshot: roomSnapshot(kind, { messages: [message(2), message(3)] }) });
    await connection.last('rooms/earlierMessages').refuse('server/failed');
    expect(ids()).toEqual(['m2', 'm3']);
    expect(model.log.get().hasEarlierMessages).toBe(true);
  });

  test('keeps only the latest page when messages before it are missing', () => {
    const { model, ids } = chat();
    const snapshot = roomSnapshot(kind, { messages: [message(8), message(9)], hasEarlierMessages: true });
    model.receive({ type: 'entered', snapshot });
    expect(ids()).toEqual(['m8', 'm9']);
    expect(model.log.get().hasEarlierMessages).toBe(true);
  });

  test.each([
    ['scrolled to', (model: ReturnType<typeof chat>['model']) => void model.loadEarlier()],
    ['read again', (model: ReturnType<typeof chat>['model']) => model.receive(entered(2, 3))],
  ])('messages that are missing before the latest page are not left out by an older page: %s', async (_why, ask) => {
    const { connection, model, ids } = chat();
    ask(model);
    model.receive(entered(8, 9));
    await connection.last('rooms/earlierMessages').answer({ messages: [message(0)], hasEarlierMessages: false });
    expect(ids()).toEqual(['m8', 'm9']);
    expect(model.log.get().hasEarlierMessages).toBe(true);
    void model.loadEarlier();
    expect(connection.last('rooms/earlierMessages').payload).toMatchObject({ before: 'm8' });
  });

  test('recognises a message of the current user in the page fetched after a reconnect', async () => {
    const { model } = chat();
    model.send('hello 1');
    await settle();
    model.receive({ type: 'entered', snapshot: roomSnapshot(kind, { messages: [message(2), mine(1)] }) });
    expect(model.waiting.get()).toEqual([]);
  });

  test('shows the sender the same sequence as others, when the answer arrives before earlier messages', async () => {
    const { connection, model, ids } = chat();
    model.send('hello 1');
    await settle();
    // The server stored another message first; in a large room it arrives later than the answer to the sender.
    await connection
      .last('rooms/sendMessage')
      .answer({ message: message(4, { clientId: clientId(1), sender: guestUid }) });
    expect(ids()).toEqual(['m1', 'm2', 'm4']);
    model.receive({ type: 'rooms/messageSent', message: message(3) });
    model.receive({ type: 'rooms/messageSent', message: message(4, { clientId: clientId(1), sender: guestUid }) });
    expect(ids()).toEqual(['m1', 'm2', 'm3', 'm4']);
  });

  test('keeps messages that arrived while the page was being fetched', () => {
    const { model, ids } = chat();
    model.receive({ type: 'rooms/messageSent', message: message(4) });
    model.receive({ type: 'entered', snapshot: roomSnapshot(kind, { messages: [message(2), message(3)] }) });
    expect(ids()).toEqual(['m1', 'm2', 'm3', 'm4']);
  });

  test('a message that was unsent when the page closed is sent by the next visit with the same client id', async () => {
    const before = chat();
    before.model.send('hello 1');
    await settle();
    before.model.close();
    const after = chat(undefined, before.storage);
    await settle();
    expect(after.model.waiting.get()).toMatchObject([{ clientId: clientId(1), text: 'hello 1' }]);
    expect(after.connection.last('rooms/sendMessage').payload).toMatchObject({
      clientId: clientId(1),
      text: 'hello 1',
    });
    await after.connection.last('rooms/sendMessage').answer({ message: mine(1) });
    expect(chat(undefined, before.storage).model.waiting.get()).toEqual([]);
  });

  test('a message that the server stored before the page closed is not sent again', async () => {
    const before = chat();
    before.model.send('hello 1');
    await settle();
    before.model.close();
    const after = chat(roomSnapshot(kind, { messages: [message(2), mine(1)] }), before.storage);
    await settle();
    expect(after.model.waiting.get()).toEqual([]);
    expect(after.connection.count('rooms/sendMessage')).toBe(0);
  });

  test('an unsent message of one room is sent to no other room, and is deleted once the user has left', () => {
    const first = chat();
    first.model.send('hello 1');
    const { room, ...rest } = roomSnapshot(kind);
    const elsewhere = { ...rest, room: { ...room, roomId: 'q'.repeat(22) as typeof roomId } };
    expect(chat(elsewhere, first.storage).model.waiting.get()).toEqual([]);
    expect(chat(undefined, first.storage).model.waiting.get()).toHaveLength(1);
    first.model.giveUp();
    expect(chat(undefined, first.storage).model.waiting.get()).toEqual([]);
  });

  test('unsent messages are deleted when their room was not entered again within a day', () => {
    const first = chat();
    first.model.send('hello 1');
    clock.advance(24 * 60 * 60 * 1000);
    const { room, ...rest } = roomSnapshot(kind);
    chat({ ...rest, room: { ...room, roomId: 'q'.repeat(22) as typeof roomId } }, first.storage).model.send('hello 2');
    expect(chat(undefined, first.storage).model.waiting.get()).toEqual([]);
  });

  const quoteOfFirst = { id: 'm1', sender: guestUid, senderName: 'Ivo', text: 'message 1', isGone: false };

  test('a reply is sent with what it answers, also by the next visit', async () => {
    const { connection, model, storage } = chat();
    model.send('hello 1', quoteOfFirst);
    await settle();
    expect(connection.last('rooms/sendMessage').payload).toMatchObject({ text: 'hello 1', replyTo: 'm1' });
    const again = chat(undefined, storage);
    expect(again.model.waiting.get()).toMatchObject([{ reply: quoteOfFirst }]);
    await settle();
    expect(again.connection.last('rooms/sendMessage').payload).toMatchObject({ replyTo: 'm1' });
  });

  test('an edit changes the message and what quotes it, in order and once; a deletion takes both', () => {
    const { model } = chat(roomSnapshot(kind, { messages: [message(1), message(2, { reply: quoteOfFirst })] }));
    const edit = (edits: number, text: string) =>
      model.receive({ type: 'rooms/messageEdited', messageId: 'm1', text, edits });
    edit(1, 'one');
    edit(2, 'two');
    // A snapshot may be newer than changes that are delivered after it.
    edit(1, 'one');
    expect(model.log.get().messages[0]).toMatchObject({ text: 'two', edits: 2 });
    edit(3, 'three');
    expect(model.log.get().messages[1]?.reply).toMatchObject({ text: 'three', isGone: false });
    model.receive({ type: 'rooms/messageDeleted', messageId: 'm1' });
    expect(model.log.get().messages[0]).toMatchObject({ text: '', isDeleted: true });
    expect(model.log.get().messages[1]?.reply).toMatchObject({ text: '', isGone: true });
  });

  test('changes that arrive while an earlier page is under way change its messages too', async () => {
    const { connection, model } = chat();
    const loading = model.loadEarlier('m0');
    expect(connection.last('rooms/earlierMessages').payload).toMatchObject({ before: 'm1', downTo: 'm0' });
    model.receive({ type: 'rooms/messageEdited', messageId: 'm0', text: 'new words', edits: 1 });
    await connection.last('rooms/earlierMessages').answer({ messages: [message(0)], hasEarlierMessages: false });
    await loading;
    expect(model.log.get().messages[0]).toMatchObject({ id: 'm0', text: 'new words', edits: 1 });
  });

  test('counts characters as people see them: 2,000 emoji fit, one more does not', () => {
    const { model } = chat();
    expect(isTooLong('🔥'.repeat(2000))).toBe(false);
    expect(model.send('🔥'.repeat(2001))).toBe(false);
  });
});

describe('messages and stamps', () => {
  const self = uidOf('Mara');
  const log: MessageLog<RoomMessage> = { messages: [message(1), message(2)], hasEarlierMessages: false };
  const stamped = (uid: Uid, stamp: StampName, count: number, isOn = true) =>
    ({ type: 'rooms/stamped', messageId: 'm1', uid, stamp, isOn, count }) as const;

  describe('messages that are loaded', () => {
    test('lose their text and stamps when the host deletes them', () => {
      const before = withMessageChange(log, stamped(self, 'love', 1), self);
      const after = withMessageChange(before, { type: 'rooms/messageDeleted', messageId: 'm1' }, self);
      expect(after.messages[0]).toEqual({ ...message(1), text: '', isDeleted: true });
      expect(after.messages[1]).toEqual(message(2));
    });

    test('count stamps, mark the user’s own, and keep their sequence', () => {
      const other = uidOf('Ivo');
      const changes = [stamped(self, 'fire', 1), stamped(other, 'love', 1), stamped(other, 'fire', 2)];
      const after = changes.reduce((now, change) => withMessageChange(now, change, self), log);
      expect(after.messages[0]?.stamps).toEqual([
        { stamp: 'love', count: 1, isMine: false },
        { stamp: 'fire', count: 2, isMine: true },
      ]);
      const taken = [stamped(self, 'fire', 1, false), stamped(other, 'love', 0, false)];
      expect(taken.reduce((now, change) => withMessageChange(now, change, self), after).messages[0]?.stamps).toEqual([
        { stamp: 'fire', count: 1, isMine: false },
      ]);
    });

    test('stay as they are when the changed one is not loaded', () => {
      expect(withMessageChange(log, { type: 'rooms/messageDeleted', messageId: 'other' }, self)).toBe(log);
    });
  });

  describe('stamps that rise', () => {
    function start() {
      const timers: (() => void)[] = [];
      const reactions = createReactions((run) => {
        timers.push(run);
        return () => undefined;
      });
      return { reactions, pass: () => timers.splice(0).forEach((run) => run()) };
    }

    test('are twelve at most, and disappear when they have risen', () => {
      const { reactions } = start();
      for (let n = 0; n < 20; n += 1) reactions.rise('wow');
      expect(reactions.rising.get()).toHaveLength(12);
      reactions.risen(reactions.rising.get()[0]?.key ?? 0);
      expect(reactions.rising.get()).toHaveLength(11);
    });

    test('are announced as a number, once a minute at most', () => {
      const { reactions, pass } = start();
      for (let n = 0; n < 14; n += 1) reactions.rise('wow');
      expect(reactions.announced.get()).toBe('');
      pass();
      expect(reactions.announced.get()).toBe('14 reactions');
      reactions.rise('wow');
      expect(reactions.announced.get()).toBe('14 reactions');
      pass();
      expect(reactions.announced.get()).toBe('1 reaction');
      pass();
      expect(reactions.announced.get()).toBe('1 reaction');
    });
  });
});

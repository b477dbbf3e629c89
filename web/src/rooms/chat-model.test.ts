import { describe, expect, test } from 'vitest';
import { createChatModel, isTooLong } from './chat-model.ts';
import { createFakeConnection, settle } from './fake-connection.ts';
import { clientId, CODE, countingClientIds, KINDS, message, roomSnapshot } from './fixtures.ts';

describe.each(KINDS)('the chat of a room of kind %s', (kind) => {
  function chat(snapshot = roomSnapshot(kind, { messages: [message(1), message(2)], hasEarlierMessages: true })) {
    const connection = createFakeConnection();
    const model = createChatModel({ connection, kind, code: CODE, newClientId: countingClientIds() });
    model.receive({ type: 'entered', snapshot });
    const ids = () => model.log.get().messages.map(({ id }) => id);
    return { connection, model, ids };
  }
  const mine = (number: number) => message(50 + number, { clientId: clientId(number), text: `hello ${number}` });

  test.each(['', '  \n ', '\u200b\u2060'])('RCHAT-W1 sends nothing that is blank (%j)', (text) => {
    const { connection, model } = chat();
    expect(model.send(text)).toBe(false);
    expect(connection.asked).toEqual([]);
  });

  test('RCHAT-W2 shows a message at once as on its way, and once only when it is confirmed', async () => {
    const { connection, model, ids } = chat();
    expect(model.send('  hello 1 ')).toBe(true);
    await settle();
    expect(model.log.get().outgoing).toEqual([{ clientId: clientId(1), text: 'hello 1', failure: null }]);
    expect(connection.last('rooms/sendMessage').payload).toEqual({
      kind,
      code: CODE,
      clientId: clientId(1),
      text: 'hello 1',
    });
    model.receive({ type: 'rooms/messageSent', message: mine(1) });
    await connection.last('rooms/sendMessage').answer({ message: mine(1) });
    expect(ids()).toEqual(['m1', 'm2', 'm51']);
    expect(model.log.get().outgoing).toEqual([]);
  });

  test('RCHAT-W3 sends one after another, in the order in which they were written', async () => {
    const { connection, model } = chat();
    model.send('hello 1');
    model.send('hello 2');
    await settle();
    expect(connection.count('rooms/sendMessage')).toBe(1);
    await connection.last('rooms/sendMessage').answer({ message: mine(1) });
    expect(connection.last('rooms/sendMessage').payload['text']).toBe('hello 2');
  });

  test('RCHAT-W4 keeps the text of a message that came too fast and says when to try again', async () => {
    const { connection, model } = chat();
    model.send('hello 1');
    await settle();
    await connection.last('rooms/sendMessage').refuse('limit/too-many', 2100);
    expect(model.log.get().outgoing).toEqual([
      { clientId: clientId(1), text: 'hello 1', failure: 'Not sent. Try again in 3 seconds.' },
    ]);
    model.sendAgain(clientId(1));
    await settle();
    expect(model.log.get().outgoing[0]?.failure).toBeNull();
    expect(connection.last('rooms/sendMessage').payload['clientId']).toBe(clientId(1));
    await connection.last('rooms/sendMessage').answer({ message: mine(1) });
    expect(model.log.get().outgoing).toEqual([]);
  });

  test('RCHAT-W5 lets a message that failed be given up', async () => {
    const { connection, model } = chat();
    model.send('hello 1');
    await settle();
    await connection.last('rooms/sendMessage').refuse('input/invalid');
    model.discard(clientId(1));
    expect(model.log.get().outgoing).toEqual([]);
  });

  test('RCHAT-W6 pages back, and shows no message twice', async () => {
    const { connection, model, ids } = chat();
    const loading = model.loadEarlier();
    expect(model.earlier.get()).toBe('loading');
    expect(connection.last('rooms/earlierMessages').payload).toEqual({ kind, code: CODE, before: 'm1' });
    await connection
      .last('rooms/earlierMessages')
      .answer({ messages: [message(0), message(1)], hasEarlierMessages: false });
    await loading;
    expect(ids()).toEqual(['m0', 'm1', 'm2']);
    await model.loadEarlier();
    expect(connection.count('rooms/earlierMessages')).toBe(1);
  });

  test('RCHAT-W7 continues after a reconnect without losing what was paged in', () => {
    const { model, ids } = chat(roomSnapshot(kind, { messages: [message(1), message(2), message(3)] }));
    const snapshot = roomSnapshot(kind, { messages: [message(2), message(3), message(4)], hasEarlierMessages: true });
    model.receive({ type: 'entered', snapshot });
    expect(ids()).toEqual(['m1', 'm2', 'm3', 'm4']);
    expect(model.log.get().hasEarlierMessages).toBe(false);
  });

  test('RCHAT-W8 starts over from the latest page when messages between are missing', () => {
    const { model, ids } = chat();
    const snapshot = roomSnapshot(kind, { messages: [message(8), message(9)], hasEarlierMessages: true });
    model.receive({ type: 'entered', snapshot });
    expect(ids()).toEqual(['m8', 'm9']);
    expect(model.log.get().hasEarlierMessages).toBe(true);
  });

  test('RCHAT-W9 recognises its own message in the page fetched after a reconnect', async () => {
    const { model } = chat();
    model.send('hello 1');
    await settle();
    model.receive({ type: 'entered', snapshot: roomSnapshot(kind, { messages: [message(2), mine(1)] }) });
    expect(model.log.get().outgoing).toEqual([]);
  });

  test('RCHAT-W11 shows its author the order that everybody sees, when the answer overtakes what was said before', async () => {
    const { connection, model, ids } = chat();
    model.send('hello 1');
    await settle();
    // Another's message was taken first; in a large room it is told later than the answer to one's own.
    await connection.last('rooms/sendMessage').answer({ message: message(4, { clientId: clientId(1) }) });
    expect(ids()).toEqual(['m1', 'm2', 'm4']);
    model.receive({ type: 'rooms/messageSent', message: message(3) });
    model.receive({ type: 'rooms/messageSent', message: message(4, { clientId: clientId(1) }) });
    expect(ids()).toEqual(['m1', 'm2', 'm3', 'm4']);
  });

  test('RCHAT-W11 keeps what was told while the page was on its way', () => {
    const { model, ids } = chat();
    model.receive({ type: 'rooms/messageSent', message: message(4) });
    model.receive({ type: 'entered', snapshot: roomSnapshot(kind, { messages: [message(2), message(3)] }) });
    expect(ids()).toEqual(['m1', 'm2', 'm3', 'm4']);
  });

  test('RCHAT-W10 counts characters as people see them: 2,000 emoji fit, one more does not', () => {
    const { model } = chat();
    expect(isTooLong('🔥'.repeat(2000))).toBe(false);
    expect(model.send('🔥'.repeat(2001))).toBe(false);
  });
});

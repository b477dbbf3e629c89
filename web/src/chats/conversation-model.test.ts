import { pairId, type Conversation, type UserChange, type PresenceRecord } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { createFakeClock, settle } from '../../testing/fake-clock.ts';
import { aLiveConnection } from '../../testing/fake-link.ts';
import { aSnapshot, uidOf } from '../../testing/connection-fixtures.ts';
import { createConversationModel } from './conversation-model.ts';
import { createReceipts } from './chats-model.ts';
import { aMessage } from '../../testing/screens/people.ts';

const [me, theo] = [uidOf('M'), uidOf('T')];
const pair = pairId.parse(`${me}_${theo}`);
const online = { uid: theo, state: 'online', last_changed: 1 } as const;

const message = (number: number) => aMessage(theo, number, { text: `m${String(number)}`, timestamp: number });
/** Messages from one number to another, as a page of the server. */
function page(from: number, to: number) {
  const messages = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => message(from + index));
  return { messages, hasEarlierMessages: from > 1 };
}
function conversation(from: number, to: number, over: Partial<Conversation> = {}): Conversation {
  const other = { uid: theo, name: 'Theo' };
  const plain = {
    isGone: false,
    isSoulmate: false,
    isTunemate: true,
    isBlockedByMe: false,
    isClosed: false,
    presence: online,
    clearedUpTo: 0,
    revision: 0,
    changed: [],
  };
  return { pairId: pair, other, ...plain, ...page(from, to), marks: [], ...over };
}
const accepted = <T>(value: T) => ({ ok: true, value }) as const;
const sent = (number: number): UserChange => ({
  type: 'chats/messageSent',
  message: message(number),
  other: { uid: theo, name: 'Theo' },
});

async function opened(first: Conversation) {
  const clock = createFakeClock();
  const { connection, server, welcome } = aLiveConnection(clock);
  await welcome(aSnapshot());
  const model = createConversationModel({
    connection,
    clock,
    receipts: createReceipts(connection, clock),
    self: me,
    uid: theo,
    kept: { conversation: () => Promise.resolve(undefined), keepConversation: () => () => {} },
  });
  await settle();
  await server.answer('chats/open', accepted(first));
  const now = () => {
    const state = model.state.get();
    if (state.status !== 'open') throw new Error(state.status);
    return state.conversation;
  };
  const numbers = () => now().log.messages.map(({ number }) => number);
  /** The connection is lost and a new one is live, which the chats model reports with `renew`. */
  async function reconnect(): Promise<void> {
    server.lose();
    await clock.advanceAsync(60_000);
    await welcome(aSnapshot());
    model.renew();
    await settle();
  }
  const asked = (name: string) => server.waiting.filter((one) => one.name === name).map(({ payload }) => payload);
  return { model, server, clock, now, numbers, reconnect, asked };
}
const oneTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

test('messages missed while the connection was lost are fetched page by page, in order and each once', async () => {
  const { server, numbers, reconnect, asked } = await opened(conversation(1, 20));
  await reconnect();
  await server.answer('chats/open', accepted(conversation(111, 160)));
  expect(asked('chats/earlierMessages')).toEqual([{ pairId: pair, before: 111 }]);
  await server.answer('chats/earlierMessages', accepted(page(61, 110)));
  await server.answer('chats/earlierMessages', accepted(page(11, 60)));
  expect(asked('chats/earlierMessages')).toEqual([]);
  expect(numbers()).toEqual(oneTo(160));
});

test('an open chat whose missed messages were refused asks for them again until it is closed', async () => {
  const { model, server, clock, numbers, reconnect, asked } = await opened(conversation(1, 20));
  const refusal = { ok: false, error: { code: 'limit/too-many', retryAfterMs: 900 } } as const;
  await reconnect();
  await server.answer('chats/open', refusal);
  expect(asked('chats/open')).toEqual([]);
  await clock.advanceAsync(2000);
  await server.answer('chats/open', accepted(conversation(1, 21)));
  expect(numbers()).toEqual(oneTo(21));
  await reconnect();
  await server.answer('chats/open', refusal);
  model.close();
  await clock.advanceAsync(2000);
  expect(asked('chats/open')).toEqual([]);
});

test('no page is fetched when no message was missed', async () => {
  const { server, numbers, reconnect, asked } = await opened(conversation(1, 20));
  await reconnect();
  await server.answer('chats/open', accepted(conversation(1, 21)));
  expect(asked('chats/earlierMessages')).toEqual([]);
  expect(numbers()).toEqual(oneTo(21));
});

test('messages that arrive while missed pages are fetched are shown after them, each once', async () => {
  const { model, server, numbers, reconnect } = await opened(conversation(1, 10));
  await reconnect();
  model.receive(sent(61));
  await server.answer('chats/open', accepted(conversation(12, 61)));
  model.receive(sent(62));
  await server.answer('chats/earlierMessages', accepted(page(1, 11)));
  expect(numbers()).toEqual(oneTo(62));
});

test('no message is lost when the connection is lost again while missed pages are fetched', async () => {
  const { server, numbers, reconnect } = await opened(conversation(1, 10));
  await reconnect();
  await server.answer('chats/open', accepted(conversation(31, 80)));
  await reconnect();
  await server.answer('chats/earlierMessages', accepted(page(1, 30)));
  expect(numbers()).toEqual(oneTo(80));
  await server.answer('chats/open', accepted(conversation(41, 90)));
  expect(numbers()).toEqual(oneTo(90));
});

test('when too much was missed the chat starts again at its newest page', async () => {
  const { server, now, numbers, reconnect, asked } = await opened(conversation(1, 10));
  await reconnect();
  await server.answer('chats/open', accepted(conversation(4951, 5000)));
  for (let before = 4951; asked('chats/earlierMessages').length > 0; before -= 50) {
    await server.answer('chats/earlierMessages', accepted(page(before - 50, before - 1)));
  }
  expect(numbers()).toEqual(oneTo(5000, 3951));
  expect(now().log.hasEarlierMessages).toBe(true);
});

test('an event about the other person changes name and presence, but not to an older one, nor where presence is hidden', async () => {
  const { model, now } = await opened(conversation(1, 1));
  const tell = (presence: PresenceRecord | null, name = 'Theo Lind') =>
    model.receive({ type: 'people/changed', person: { uid: theo, name, presence } });
  const later = { ...online, state: 'offline', last_changed: online.last_changed + 5 } as const;
  tell(later);
  expect(now()).toMatchObject({ other: { name: 'Theo Lind' }, presence: later });
  tell(online);
  tell(null, 'Theo L.');
  expect(now()).toMatchObject({ other: { name: 'Theo L.' }, presence: later });
  model.receive({ type: 'chats/closed', uid: theo, isClosed: true });
  tell({ ...later, state: 'online' });
  expect(now().presence).toBeNull();
});

test('when the account of the other person is deleted, the open chat is closed at once, as after a reload', async () => {
  const { model, now } = await opened(conversation(1, 1));
  const presence = { ...online, state: 'offline', last_changed: online.last_changed + 5 } as const;
  model.receive({ type: 'people/changed', person: { uid: theo, name: 'Deleted user', presence }, isGone: true });
  expect(now()).toMatchObject({ other: { name: 'Deleted user' }, isGone: true, isClosed: true, presence: null });
});

test('the presence of the other person is updated live, and hidden while the user blocks them', async () => {
  const { model, server, now, asked } = await opened(conversation(1, 1));
  const offline = { ...online, state: 'offline' } as const;
  model.receive({ type: 'presence/changed', presence: offline });
  expect(now().presence).toEqual(offline);
  model.receive({ type: 'chats/blocked', uid: theo, isBlocked: true });
  model.receive({ type: 'chats/closed', uid: theo, isClosed: true });
  model.receive({ type: 'presence/changed', presence: online });
  expect(now()).toMatchObject({ isBlockedByMe: true, isClosed: true, presence: null });
  model.receive({ type: 'chats/blocked', uid: theo, isBlocked: false });
  model.receive({ type: 'chats/closed', uid: theo, isClosed: false });
  await settle();
  expect(asked('chats/open')).toHaveLength(1);
  await server.answer('chats/open', accepted(conversation(1, 1)));
  expect(now()).toMatchObject({ isBlockedByMe: false, isClosed: false, presence: online });
});

const changed = (number: number, text: string, revision: number) => ({ ...message(number), text, revision, edits: 1 });
const broadcast = (number: number, text: string, revision: number): UserChange => ({
  type: 'chats/messageChanged',
  message: changed(number, text, revision),
  unread: 0,
});

test('changes that were missed are asked for by the last revision, also those of earlier pages', async () => {
  const { model, server, now, reconnect, asked } = await opened(conversation(41, 90));
  void model.loadEarlier();
  await server.answer('chats/earlierMessages', accepted(page(1, 40)));
  model.receive(broadcast(3, 'once', 1));
  await reconnect();
  expect(asked('chats/open')).toEqual([{ uid: theo, since: 1 }]);
  await server.answer(
    'chats/open',
    accepted(conversation(41, 90, { revision: 3, changed: [changed(2, 'two', 2), changed(3, 'twice', 3)] })),
  );
  expect(
    now()
      .log.messages.slice(0, 3)
      .map(({ text }) => text),
  ).toEqual(['m1', 'two', 'twice']);
  expect([now().log.messages.length, now().revision]).toEqual([90, 3]);
});

test('with more changes than the answer lists, what was loaded before is loaded again', async () => {
  const { model, server, numbers, reconnect } = await opened(conversation(41, 90));
  void model.loadEarlier();
  await server.answer('chats/earlierMessages', accepted(page(1, 40)));
  await reconnect();
  await server.answer('chats/open', accepted(conversation(41, 90, { revision: 300, changed: null })));
  expect(numbers()).toEqual(oneTo(90, 41));
});

test('a page that was read before a change does not take it back, and an older change comes too late', async () => {
  const { model, server, now } = await opened(conversation(41, 90));
  void model.loadEarlier();
  model.receive(broadcast(2, 'newer', 2));
  await server.answer('chats/earlierMessages', accepted(page(1, 40)));
  expect(now().log.messages[1]?.text).toBe('newer');
  model.receive(broadcast(2, 'older', 1));
  expect(now().log.messages[1]?.text).toBe('newer');
});

test('a quote follows the message that it names', async () => {
  const reply = { number: 1, clientId: message(1).clientId, sender: theo, text: 'm1', hasImage: false, isGone: false };
  const answer = { ...message(2), reply };
  const { model, now } = await opened(conversation(1, 1, { messages: [message(1), answer] }));
  model.receive(broadcast(1, 'other', 1));
  expect(now().log.messages[1]?.reply).toMatchObject({ text: 'other', isGone: false });
  const gone = { ...message(1), text: '', state: 'deleted', revision: 2 } as const;
  model.receive({ type: 'chats/messageChanged', message: gone, unread: 0 });
  expect(now().log.messages[1]?.reply).toMatchObject({ text: '', isGone: true });
});

describe('a message far before the newest', () => {
  const newestNumbers = (now: { newest: { messages: readonly { number: number }[] } | null }) =>
    now.newest?.messages.map(({ number }) => number) ?? null;
  /** At messages 80 to 129 of 1000, of which the last 50 were open. */
  async function away() {
    const chat = await opened(conversation(951, 1000));
    void chat.model.reach(100);
    await settle();
    await chat.server.answer('chats/earlierMessages', accepted(page(80, 129)));
    return chat;
  }

  test('is shown with those around it instead of the newest, which are kept', async () => {
    const { model, server, now, numbers, asked } = await opened(conversation(951, 1000));
    void model.reach(100);
    await settle();
    expect(asked('chats/earlierMessages')).toEqual([{ pairId: pair, before: 130, downTo: 100 }]);
    await server.answer('chats/earlierMessages', accepted(page(80, 129)));
    expect([numbers(), newestNumbers(now())]).toEqual([oneTo(129, 80), oneTo(1000, 951)]);
    model.receive(sent(1001));
    expect([numbers(), newestNumbers(now())]).toEqual([oneTo(129, 80), oneTo(1001, 951)]);
    model.returnToNewest();
    expect([numbers(), newestNumbers(now())]).toEqual([oneTo(1001, 951), null]);
  });

  test('is followed by the pages after it, until they reach the newest', async () => {
    const { model, server, now, numbers, asked } = await away();
    for (const last of [179, 229]) {
      void model.loadLater();
      // A second question while one is open asks nothing.
      void model.loadLater();
      await settle();
      expect(asked('chats/earlierMessages')).toEqual([{ pairId: pair, before: last + 1 }]);
      await server.answer('chats/earlierMessages', accepted(page(last - 49, last)));
      expect([numbers(), now().newest !== null]).toEqual([oneTo(last, 80), true]);
    }
    void model.reach(920);
    await settle();
    await server.answer('chats/earlierMessages', accepted(page(900, 949)));
    void model.loadLater();
    await settle();
    await server.answer('chats/earlierMessages', accepted(page(950, 999)));
    expect([numbers(), newestNumbers(now())]).toEqual([oneTo(1000, 900), null]);
  });

  test('is loaded with all between when it is near, and asks nothing when it is there', async () => {
    const { model, server, numbers, asked } = await opened(conversation(951, 1000));
    void model.reach(800);
    await settle();
    expect(asked('chats/earlierMessages')).toEqual([{ pairId: pair, before: 951, downTo: 800 }]);
    await server.answer('chats/earlierMessages', accepted(page(780, 950)));
    await model.reach(810);
    await model.reach(1000);
    expect(asked('chats/earlierMessages')).toEqual([]);
    expect(numbers()).toEqual(oneTo(1000, 780));
  });

  test('changes there and at the newest messages, also over a lost connection', async () => {
    const { model, server, now, numbers, reconnect } = await away();
    const edited = (number: number, revision: number) => ({ ...message(number), text: 'new', edits: 1, revision });
    model.receive({ type: 'chats/messageChanged', message: edited(90, 1), unread: 0 });
    model.receive({ type: 'chats/messageChanged', message: edited(960, 2), unread: 0 });
    await reconnect();
    const changed = [edited(91, 3)];
    await server.answer('chats/open', accepted(conversation(953, 1002, { changed, revision: 3 })));
    expect([numbers(), newestNumbers(now())]).toEqual([oneTo(129, 80), oneTo(1002, 951)]);
    const isNew = ({ text }: { text: string }) => text === 'new';
    expect(
      now()
        .log.messages.filter(isNew)
        .map(({ number }) => number),
    ).toEqual([90, 91]);
    // With more changes than the answer lists, what was loaded before may be out of date.
    await reconnect();
    await server.answer('chats/open', accepted(conversation(953, 1002, { changed: null })));
    expect([numbers(), newestNumbers(now())]).toEqual([oneTo(1002, 953), null]);
  });

  test('is not mixed with an earlier page that was still on its way', async () => {
    const { model, server, numbers } = await opened(conversation(951, 1000));
    void model.loadEarlier();
    void model.reach(100);
    await settle();
    const [first, second] = server.waiting.filter(({ name }) => name === 'chats/earlierMessages');
    expect([first?.payload, second?.payload]).toMatchObject([{ before: 951 }, { before: 130 }]);
    await server.answer('chats/earlierMessages', accepted(page(901, 950)));
    await server.answer('chats/earlierMessages', accepted(page(80, 129)));
    expect(numbers()).toEqual(oneTo(129, 80));
    void model.loadEarlier();
    void model.reach(500);
    await settle();
    await server.answer('chats/earlierMessages', accepted(page(30, 79)));
    await server.answer('chats/earlierMessages', accepted(page(480, 529)));
    expect(numbers()).toEqual(oneTo(529, 480));
  });

  test('is not shown when the user has gone elsewhere before it came', async () => {
    const { model, server, now, numbers } = await opened(conversation(951, 1000));
    const answers = () => server.waiting.filter(({ name }) => name === 'chats/earlierMessages');
    void model.reach(100);
    void model.reach(500);
    await settle();
    const [first, second] = answers();
    second?.answer(accepted(page(480, 529)));
    await settle();
    first?.answer(accepted(page(80, 129)));
    await settle();
    expect(numbers()).toEqual(oneTo(529, 480));
    void model.reach(100);
    await settle();
    model.returnToNewest();
    answers()[0]?.answer(accepted(page(80, 129)));
    await settle();
    expect([numbers(), newestNumbers(now())]).toEqual([oneTo(1000, 951), null]);
  });

  test('that the user has deleted leaves the newest where they are', async () => {
    const { model, server, numbers } = await opened(conversation(951, 1000));
    const reached = model.reach(100);
    await settle();
    await server.answer('chats/earlierMessages', accepted({ messages: [], hasEarlierMessages: false }));
    await reached;
    expect(numbers()).toEqual(oneTo(1000, 951));
    expect(model.earlier.get()).toBe('idle');
  });
});

test('earlier messages that the user loads while missed pages are fetched stay', async () => {
  const { model, server, numbers, reconnect } = await opened(conversation(41, 60));
  await reconnect();
  await server.answer('chats/open', accepted(conversation(101, 150)));
  void model.loadEarlier();
  await settle();
  const [missed, earlier] = server.waiting.filter(({ name }) => name === 'chats/earlierMessages');
  expect([missed?.payload, earlier?.payload]).toMatchObject([{ before: 101 }, { before: 41 }]);
  earlier?.answer(accepted(page(1, 40)));
  await settle();
  missed?.answer(accepted(page(51, 100)));
  await settle();
  expect(numbers()).toEqual(oneTo(150));
});

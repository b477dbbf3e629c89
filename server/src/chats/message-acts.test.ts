/** Replies, edits, deletions and reactions, and what list, unread count and later openings make of them. */
import { pairIdOf } from '@tunemate/domain';
import { limits, type Payload, type PrivateMessage, type Uid } from '@tunemate/protocol';
import { newClientId } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { openPeopleWorld, type PeopleWorld } from '@tunemate/testkit/worlds/people-world';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const codeOf = (answer: { ok: true } | { ok: false; error: { code: string } }) =>
  answer.ok ? 'ok' : answer.error.code;

describeEachDialect('what is done to private messages', (makeDatabaseUrl, dialect) => {
  let world: PeopleWorld;
  beforeAll(async () => {
    world = await openPeopleWorld(makeDatabaseUrl, dialect, { processes: 2 });
  });
  afterAll(() => world.close());

  const send = async (by: Uid, to: Uid, text: string, more: Partial<Payload<'chats/send'>> = {}) =>
    (await world.said(by, 'chats/send', { uid: to, text, clientId: newClientId(), ...more })).message;
  const opened = async (by: Uid, other: Uid, since?: number) =>
    await world.said(by, 'chats/open', since === undefined ? { uid: other } : { uid: other, since });
  const seen = async (by: Uid, other: Uid, number: number) =>
    (await opened(by, other)).messages.find((each) => each.number === number) ?? expect.fail('no such message');
  const row = async (by: Uid, other: Uid) =>
    (await world.said(by, 'chats/list', {})).conversations.find((each) => each.other.uid === other);
  const of = ({ pairId, number }: PrivateMessage) => ({ pairId, number });
  const edit = (message: PrivateMessage, text: string, edits = 1) => ({
    ...of(message),
    clientId: newClientId(),
    text,
    edits,
  });
  const react = (message: PrivateMessage, emoji: string, isOn = true) => ({
    ...of(message),
    clientId: newClientId(),
    emoji,
    isOn,
  });
  async function two(): Promise<[Uid, Uid]> {
    return [await world.addPerson('Ada'), await world.addPerson('Bob')];
  }
  const block = (by: Uid, uid: Uid) => world.said(by, 'chats/block', { uid, isBlocked: true });
  /** Everything that is stored, as text. */
  async function stored(): Promise<string> {
    const { db } = world.record;
    const tables = ['private_messages', 'stream_entries', 'idempotency', 'conversations'] as const;
    return JSON.stringify(await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute())));
  }

  describe('replies', () => {
    test('quote the message for both, and follow what becomes of it (CHAT-27)', async () => {
      const [ada, bob] = await two();
      const first = await send(ada, bob, 'which take?');
      const reply = await send(bob, ada, 'the slow one', { replyTo: first.number });
      const quote = {
        number: 1,
        clientId: first.clientId,
        sender: ada,
        text: 'which take?',
        hasImage: false,
        isGone: false,
      };
      expect(reply.reply).toEqual(quote);
      expect((await world.changesOf(ada)).at(-1)).toMatchObject({ message: { reply: quote } });
      await world.said(ada, 'chats/edit', edit(first, 'which of them?'));
      expect((await seen(bob, ada, 2)).reply?.text).toBe('which of them?');
      await world.said(bob, 'chats/hide', { ...of(first), isHidden: true });
      expect((await seen(bob, ada, 2)).reply).toMatchObject({ text: '', isGone: true });
      expect((await seen(ada, bob, 2)).reply).toMatchObject({ text: 'which of them?', isGone: false });
      await world.said(ada, 'chats/delete', of(first));
      expect((await seen(ada, bob, 2)).reply).toMatchObject({ text: '', isGone: true });
      // A reply to what was deleted meanwhile is not lost.
      expect((await send(bob, ada, 'late', { replyTo: first.number })).reply).toMatchObject({ text: '', isGone: true });
    });

    test('name no message of another chat, and none that does not exist (CHAT-27)', async () => {
      const [ada, bob] = await two();
      const eve = await world.addPerson('Eve');
      for (const text of ['one', 'two', 'three']) await send(eve, bob, `secret ${text}`);
      await send(ada, bob, 'hello');
      const asked = { uid: bob, text: 'and?', clientId: newClientId() };
      expect(codeOf(await world.ask(ada, 'chats/send', { ...asked, replyTo: 3 }))).toBe('access/not-found');
      expect(codeOf(await world.ask(ada, 'chats/send', { ...asked, replyTo: 0 }))).toBe('access/not-found');
      expect(codeOf(await world.ask(ada, 'chats/send', { ...asked, uid: eve, replyTo: 1 }))).toBe('access/not-found');
      expect((await send(ada, bob, 'and?', { replyTo: 1 })).reply?.text).toBe('hello');
    });

    test('keep a long quote short', async () => {
      const [ada, bob] = await two();
      const first = await send(ada, bob, '🎵'.repeat(500));
      const { reply } = await send(bob, ada, 'long', { replyTo: first.number });
      expect(Array.from(reply?.text ?? '')).toHaveLength(limits.quoteLength + 1);
    });
  });

  describe('editing', () => {
    test('changes one’s own text for both, once for each client id, and marks it (CHAT-24)', async () => {
      const [ada, bob] = await two();
      const message = await send(ada, bob, 'opening at eight');
      const asked = edit(message, 'opening at nine');
      for (const _again of [1, 2, 3]) await world.said(ada, 'chats/edit', asked);
      expect(codeOf(await world.ask(ada, 'chats/edit', { ...asked, text: 'opening at six' }))).toBe('input/conflict');
      expect(await seen(bob, ada, 1)).toMatchObject({ text: 'opening at nine', edits: 1 });
      expect((await row(bob, ada))?.last).toMatchObject({ text: 'opening at nine' });
      expect((await world.changesOf(bob)).filter(({ type }) => type === 'chats/messageChanged')).toHaveLength(1);
      await world.said(ada, 'chats/edit', edit(message, 'opening at ten', 2));
      // The first edit, sent once more after the second one.
      expect(codeOf(await world.ask(ada, 'chats/edit', asked))).toBe('input/conflict');
      expect(await seen(ada, bob, 1)).toMatchObject({ text: 'opening at ten', edits: 2 });
      // And the message itself, of which an attempt was still under way.
      const again = await world.ask(ada, 'chats/send', {
        uid: bob,
        text: 'opening at eight',
        clientId: message.clientId,
      });
      expect(again).toMatchObject({ ok: true, value: { message: { number: 1, text: 'opening at ten' } } });
    });

    test('of two edits at one moment takes one (CHAT-24)', async () => {
      const [ada, bob] = await two();
      const message = await send(ada, bob, 'draft');
      const texts = ['one', 'two', 'three', 'four'];
      const codes = await Promise.all(
        texts.map(async (text) => codeOf(await world.ask(ada, 'chats/edit', edit(message, text)))),
      );
      expect(codes.toSorted((a, b) => (a < b ? -1 : 1))).toEqual([...Array<string>(3).fill('input/conflict'), 'ok']);
      expect((await seen(bob, ada, 1)).text).toBe(texts[codes.indexOf('ok')]);
    });

    test('is over after 15 minutes of the server’s clock (CHAT-24)', async () => {
      const [ada, bob] = await two();
      const message = await send(ada, bob, 'soon');
      world.clock.advance(limits.editableMs - 1);
      expect(codeOf(await world.ask(ada, 'chats/edit', edit(message, 'in time')))).toBe('ok');
      world.clock.advance(1);
      expect(codeOf(await world.ask(ada, 'chats/edit', edit(message, 'too late', 2)))).toBe('access/forbidden');
      expect((await seen(ada, bob, 1)).text).toBe('in time');
    });

    test('is refused for another’s message, a deleted one, a picture without words, and in another’s chat (CHAT-24)', async () => {
      const [ada, bob] = await two();
      const eve = await world.addPerson('Eve');
      const [mine, theirs] = [await send(ada, bob, 'mine'), await send(bob, ada, 'theirs')];
      expect(codeOf(await world.ask(ada, 'chats/edit', edit(theirs, 'mine now')))).toBe('access/forbidden');
      expect(codeOf(await world.ask(eve, 'chats/edit', edit(mine, 'hers')))).toBe('access/not-found');
      await world.said(ada, 'chats/delete', of(mine));
      expect(codeOf(await world.ask(ada, 'chats/edit', edit(mine, 'back again')))).toBe('access/not-found');
      expect(await stored()).not.toContain('back again');
    });

    test('counts what it stores', async () => {
      const [ada, bob] = await two();
      const bytes = async () =>
        (
          await world.record.db
            .selectFrom('conversations')
            .select('sent_bytes')
            .where('uid', '=', ada)
            .executeTakeFirstOrThrow()
        ).sent_bytes;
      const message = await send(ada, bob, 'four');
      const before = await bytes();
      await world.said(ada, 'chats/edit', edit(message, 'x'.repeat(1000)));
      expect(await bytes()).toBe(before + 996);
      await world.said(ada, 'chats/delete', of(message));
      expect(await bytes()).toBe(before - 4);
    });
  });

  describe('deleting', () => {
    test('for both leaves the place, and the words nowhere: rows, stored changes, quotes, answers (CHAT-25)', async () => {
      const [ada, bob] = await two();
      const message = await send(ada, bob, 'marmalade one');
      await world.said(ada, 'chats/edit', edit(message, 'marmalade two'));
      await send(bob, ada, 'what?', { replyTo: 1 });
      await world.said(bob, 'chats/react', react(message, '🔥'));
      await world.said(ada, 'chats/hide', { ...of(message), isHidden: true });
      expect(await stored()).toContain('marmalade');
      for (const _again of [1, 2]) await world.said(ada, 'chats/delete', of(message));
      expect(await stored()).not.toContain('marmalade');
      expect(await seen(bob, ada, 1)).toMatchObject({ number: 1, state: 'deleted', text: '', reactions: [], edits: 0 });
      expect(await seen(ada, bob, 1)).toMatchObject({ number: 1, state: 'hidden' });
      expect((await world.changesOf(bob)).filter(({ type }) => type === 'chats/messageSent')).toHaveLength(2);
      // Sent again by a page that knows nothing of it.
      const again = await world.ask(ada, 'chats/send', { uid: bob, text: 'marmalade one', clientId: message.clientId });
      expect(again).toMatchObject({ ok: true, value: { message: { number: 1, text: '' } } });
      expect((await opened(bob, ada)).messages).toHaveLength(2);
    });

    test('takes nothing of another’s, who wrote under the same client id (CHAT-25)', async () => {
      const [ada, bob] = await two();
      const message = await send(ada, bob, 'mine');
      await send(bob, ada, 'theirs', { clientId: message.clientId });
      expect(codeOf(await world.ask(bob, 'chats/delete', of(message)))).toBe('access/forbidden');
      await world.said(ada, 'chats/delete', of(message));
      const texts = (await world.changesOf(bob)).map((each) =>
        each.type === 'chats/messageSent' ? each.message.text : '',
      );
      expect(texts).toContain('theirs');
    });

    test('gives up the picture at once (CHAT-25)', async () => {
      const [ada, bob] = await two();
      const image = {
        image_id: newClientId(),
        pair_id: pairIdOf(ada, bob),
        uploader: ada,
        width: 2,
        height: 2,
        bytes: 9,
      };
      await world.record.db
        .insertInto('images')
        .values({ ...image, created_at_ms: world.clock.now(), state: 'unsent' })
        .execute();
      const message = await send(ada, bob, '', { imageId: image.image_id });
      expect(codeOf(await world.ask(ada, 'chats/edit', edit(message, 'words under it')))).toBe('access/forbidden');
      await world.said(ada, 'chats/delete', of(message));
      const states = await world.record.db.selectFrom('images').select('state').where('uploader', '=', ada).execute();
      expect(states).toEqual([{ state: 'going' }]);
      expect(await seen(bob, ada, 1)).toMatchObject({ image: null });
    });

    test('takes an unread message off the count, and a read one not (CHAT-26)', async () => {
      const [ada, bob] = await two();
      const [one, two_] = [await send(ada, bob, 'one'), await send(ada, bob, 'two')];
      await world.said(bob, 'chats/mark', { pairId: one.pairId, deliveredUpTo: 1, readUpTo: 1 });
      expect((await row(bob, ada))?.unread).toBe(1);
      await world.said(ada, 'chats/delete', of(one));
      expect((await row(bob, ada))?.unread).toBe(1);
      await world.said(ada, 'chats/delete', of(two_));
      expect(await row(bob, ada)).toMatchObject({ unread: 0, last: { number: 2, state: 'deleted', text: '' } });
      expect((await world.changesOf(bob)).at(-1)).toMatchObject({ type: 'chats/messageChanged', unread: 0 });
      const three = await send(ada, bob, 'three');
      expect((await row(bob, ada))?.unread).toBe(1);
      await world.said(bob, 'chats/mark', { pairId: one.pairId, deliveredUpTo: 3, readUpTo: 3 });
      expect([(await row(bob, ada))?.unread, three.number]).toEqual([0, 3]);
    });

    test('for oneself changes nothing for the other, and can be taken back (CHAT-26)', async () => {
      const [ada, bob] = await two();
      await send(ada, bob, 'first');
      const last = await send(ada, bob, 'second');
      await world.said(bob, 'chats/hide', { ...of(last), isHidden: true });
      expect(await seen(bob, ada, 2)).toMatchObject({ state: 'hidden', text: '' });
      expect(await row(bob, ada)).toMatchObject({ unread: 1, last: { number: 1, text: 'first' } });
      expect(await row(ada, bob)).toMatchObject({ last: { number: 2, text: 'second' } });
      expect((await world.changesOf(ada)).map(({ type }) => type)).not.toContain('chats/messageChanged');
      // Both marks reach over it.
      await world.said(bob, 'chats/hide', { ...of(last), isHidden: false });
      expect(await row(bob, ada)).toMatchObject({ unread: 2, last: { number: 2, text: 'second' } });
      for (const each of [1, 2])
        await world.said(bob, 'chats/hide', { ...of({ ...last, number: each }), isHidden: true });
      expect(await row(bob, ada)).toBeUndefined();
      await send(ada, bob, 'third');
      expect(await row(bob, ada)).toMatchObject({ unread: 1, last: { number: 3 } });
    });
  });

  describe('reacting', () => {
    test('sets and takes back one emoji, of each person by themselves, once for each client id (CHAT-28)', async () => {
      const [ada, bob] = await two();
      const message = await send(ada, bob, 'a song');
      const on = react(message, '🔥');
      await world.said(bob, 'chats/react', on);
      await world.said(ada, 'chats/react', react(message, '🔥'));
      expect((await seen(ada, bob, 1)).reactions).toHaveLength(2);
      await world.said(bob, 'chats/react', react(message, '🔥', false));
      // An attempt of before that arrives now.
      await world.said(bob, 'chats/react', on);
      expect((await seen(bob, ada, 1)).reactions).toEqual([{ uid: ada, emoji: '🔥' }]);
      expect(codeOf(await world.ask(bob, 'chats/react', { ...on, emoji: '🎵' }))).toBe('input/conflict');
    });

    test('counts as unread for the author alone until they have seen it (CHAT-28)', async () => {
      const [ada, bob] = await two();
      const message = await send(ada, bob, 'a song');
      await world.said(bob, 'chats/mark', { pairId: message.pairId, deliveredUpTo: 1, readUpTo: 1 });
      await world.said(bob, 'chats/react', react(message, '❤️'));
      expect([(await row(ada, bob))?.unread, (await row(bob, ada))?.unread]).toEqual([1, 0]);
      expect((await world.changesOf(ada)).at(-1)).toMatchObject({ type: 'chats/messageChanged', unread: 1 });
      await world.said(bob, 'chats/react', react(message, '❤️', false));
      expect((await row(ada, bob))?.unread).toBe(0);
      await world.said(bob, 'chats/react', react(message, '🔥'));
      await world.said(ada, 'chats/react', react(message, '🔥'));
      const { revision } = await opened(ada, bob);
      const marks = { pairId: message.pairId, deliveredUpTo: 0, readUpTo: 0 };
      await world.said(ada, 'chats/mark', { ...marks, seenRevision: revision });
      expect((await row(ada, bob))?.unread).toBe(0);
      // A mark of a tab that is behind takes nothing back.
      await world.said(ada, 'chats/mark', { ...marks, seenRevision: 1 });
      expect((await row(ada, bob))?.unread).toBe(0);
      await world.said(bob, 'chats/react', react(message, '🎵'));
      await world.said(ada, 'chats/delete', of(message));
      expect((await row(ada, bob))?.unread).toBe(0);
    });

    test('is bounded to three of a person on a message (CHAT-28)', async () => {
      const [ada, bob] = await two();
      const message = await send(ada, bob, 'a song');
      for (const emoji of ['❤️', '🔥', '🎵']) await world.said(bob, 'chats/react', react(message, emoji));
      expect(codeOf(await world.ask(bob, 'chats/react', react(message, '😮')))).toBe('limit/too-many');
      await world.said(bob, 'chats/react', react(message, '🔥', false));
      await world.said(bob, 'chats/react', react(message, '😮'));
      expect((await seen(ada, bob, 1)).reactions.map(({ emoji }) => emoji)).toEqual(['❤️', '🎵', '😮']);
    });
  });

  test('behind a block, neither edits or reacts, and both still delete their own (ACCESS-45)', async () => {
    const [ada, bob] = await two();
    const [mine, theirs] = [await send(ada, bob, 'mine'), await send(bob, ada, 'theirs')];
    await block(ada, bob);
    for (const [who, own, other] of [
      [ada, mine, theirs],
      [bob, theirs, mine],
    ] as const) {
      const codes = [
        await world.ask(who, 'chats/edit', edit(own, 'changed')),
        await world.ask(who, 'chats/react', react(other, '🔥')),
      ].map(codeOf);
      expect(codes).toEqual(['access/forbidden', 'access/forbidden']);
    }
    for (const [who, own] of [
      [ada, mine],
      [bob, theirs],
    ] as const) {
      await world.said(who, 'chats/delete', of(own));
      await world.said(who, 'chats/hide', { ...of(own), isHidden: true });
    }
    expect(await stored()).not.toContain('changed');
  });

  test('opening a chat with an earlier revision lists what changed since, of whatever age (CHAT-29)', async () => {
    const [ada, bob] = await two();
    const messages: PrivateMessage[] = [];
    for (let n = 1; n <= limits.chatPage + 5; n += 1)
      messages.push(await send(n % 2 ? ada : bob, n % 2 ? bob : ada, `m${n}`));
    const [one, two_, three, four] = messages as [PrivateMessage, PrivateMessage, PrivateMessage, PrivateMessage];
    const { revision } = await opened(bob, ada);
    expect([revision, (await opened(bob, ada, revision)).changed]).toEqual([0, []]);
    await world.said(ada, 'chats/edit', edit(one, 'edited'));
    await world.said(bob, 'chats/delete', of(two_));
    await world.said(ada, 'chats/react', react(four, '🔥'));
    const before = await opened(ada, bob);
    await world.said(bob, 'chats/hide', { ...of(three), isHidden: true });
    const later = await opened(bob, ada, revision);
    expect(later.changed?.map(({ number, text, state, reactions }) => [number, text, state, reactions.length])).toEqual(
      [
        [1, 'edited', 'shown', 0],
        [2, '', 'deleted', 0],
        [3, '', 'hidden', 0],
        [4, 'm4', 'shown', 1],
      ],
    );
    expect((await opened(bob, ada, before.revision)).changed?.map(({ number }) => number)).toEqual([3]);
    // The other person sees nothing of what was hidden, not even that something was.
    expect(await opened(ada, bob)).toEqual(before);
    expect((await opened(ada, bob, before.revision)).changed).toEqual([]);
    expect((await opened(ada, bob, revision)).changed?.map(({ number }) => number)).toEqual([1, 2, 4]);
  });

  describe('at one moment', () => {
    test('an edit and the deletion leave no words, in any order (CHAT-25)', async () => {
      for (let round = 0; round < 5; round += 1) {
        const [ada, bob] = await two();
        const message = await send(ada, bob, `quicksand ${String(round)}`);
        await Promise.all([
          world.ask(ada, 'chats/edit', edit(message, `quicksand again ${String(round)}`)),
          world.ask(ada, 'chats/delete', of(message)),
          world.ask(bob, 'chats/react', react(message, '🔥')),
          world.ask(bob, 'chats/mark', { pairId: message.pairId, deliveredUpTo: 1, readUpTo: 1 }),
          world.ask(bob, 'chats/send', { uid: ada, text: 'what?', clientId: newClientId(), replyTo: 1 }),
        ]);
        expect(await stored()).not.toContain('quicksand');
        expect(await seen(bob, ada, 1)).toMatchObject({ state: 'deleted', reactions: [] });
        expect((await row(bob, ada))?.unread).toBe(0);
      }
    });

    test('a block ends all of it: nothing is added after it (ACCESS-45)', async () => {
      for (let round = 0; round < 5; round += 1) {
        const [ada, bob] = await two();
        const message = await send(ada, bob, 'before');
        const reply = await send(bob, ada, 'after');
        const [edited, reacted] = await Promise.all([
          world.ask(bob, 'chats/edit', edit(reply, 'meanwhile')),
          world.ask(bob, 'chats/react', react(message, '🔥')),
          block(ada, bob),
        ]);
        // What came before the block is whole, what came after it is refused.
        expect((await seen(ada, bob, 2)).text).toBe(edited.ok ? 'meanwhile' : 'after');
        expect((await seen(ada, bob, 1)).reactions).toHaveLength(reacted.ok ? 1 : 0);
      }
    });

    test('marks and deletions keep the count of unread messages true (CHAT-26)', async () => {
      const [ada, bob] = await two();
      const messages = await Promise.all(['a', 'b', 'c', 'd'].map((text) => send(ada, bob, text)));
      await Promise.all([
        ...messages.map((message) => world.ask(ada, 'chats/delete', of(message))),
        ...messages.map(({ pairId, number }) =>
          world.ask(bob, 'chats/mark', { pairId, deliveredUpTo: number, readUpTo: number }),
        ),
        ...messages.map((message) => world.ask(bob, 'chats/hide', { ...of(message), isHidden: true })),
      ]);
      expect(
        await world.record.db.selectFrom('conversations').select('unread').where('uid', '=', bob).execute(),
      ).toEqual([{ unread: 0 }]);
    });
  });
});

/** Pinning, muting and archiving a chat, and deleting it for oneself: what the list, the other person and later messages see. */
import { pairIdOf } from '@tunemate/domain';
import { limits, type Payload, type PrivateMessage, type Uid } from '@tunemate/protocol';
import { newClientId } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { openPeopleWorld, type PeopleWorld } from '@tunemate/testkit/worlds/people-world';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownChats } from './account-chats.ts';

describeEachDialect('arranging private chats', (makeDatabaseUrl, dialect) => {
  let world: PeopleWorld;
  beforeAll(async () => {
    world = await openPeopleWorld(makeDatabaseUrl, dialect);
  });
  afterAll(() => world.close());

  async function send(by: Uid, to: Uid, text: string, more: Partial<Payload<'chats/send'>> = {}) {
    world.clock.advance(1000);
    return (await world.said(by, 'chats/send', { uid: to, text, clientId: newClientId(), ...more })).message;
  }
  const list = async (by: Uid) => (await world.said(by, 'chats/list', {})).conversations;
  const names = async (by: Uid) => (await list(by)).map(({ other }) => other.name);
  const row = async (by: Uid, other: Uid) => (await list(by)).find((each) => each.other.uid === other);
  const opened = async (by: Uid, uid: Uid) => await world.said(by, 'chats/open', { uid });
  const texts = async (by: Uid, uid: Uid) => (await opened(by, uid)).messages.map(({ text }) => text);
  const arrange = async (by: Uid, other: Uid, more: Partial<Payload<'chats/arrange'>>) =>
    await world.said(by, 'chats/arrange', { pairId: pairIdOf(by, other), ...more });
  const clear = async (by: Uid, other: Uid, upTo: number) =>
    await world.said(by, 'chats/clear', { pairId: pairIdOf(by, other), upTo });
  /** Two people who have both written, twice. */
  async function partners(): Promise<[Uid, Uid]> {
    const [ada, bob] = [await world.addPerson('Ada'), await world.addPerson('Bob')];
    for (const [by, to, text] of [
      [ada, bob, 'one'],
      [bob, ada, 'two'],
      [ada, bob, 'three'],
      [bob, ada, 'four'],
    ] as const)
      await send(by, to, text);
    return [ada, bob];
  }
  const edit = ({ pairId, number }: PrivateMessage, text: string) => ({
    pairId,
    number,
    text,
    edits: 1,
    clientId: newClientId(),
  });

  describe('a pinned chat', () => {
    test('is above newer ones for the person who pinned it, and nowhere else (CHAT-33)', async () => {
      const [ada, bob] = await partners();
      const cleo = await world.addPerson('Cleo');
      await send(ada, cleo, 'hello');
      await send(cleo, ada, 'newer');
      const before = await list(bob);
      await arrange(ada, bob, { isPinned: true });
      expect(await names(ada)).toEqual(['Bob', 'Cleo']);
      expect([await list(bob), await world.changesOf(bob)]).toEqual([before, await world.changesOf(bob)]);
      expect((await world.changesOf(ada)).at(-1)).toMatchObject({ type: 'chats/arranged', isPinned: true });
      expect((await world.changesOf(bob)).filter(({ type }) => type === 'chats/arranged')).toEqual([]);
      await arrange(ada, bob, { isPinned: false });
      expect(await names(ada)).toEqual(['Cleo', 'Bob']);
    });

    test(`is one of ${String(limits.pinnedChats)} at most (CHAT-33)`, async () => {
      const ada = await world.addPerson('Ada');
      const others = await Promise.all(Array.from({ length: limits.pinnedChats + 1 }, () => world.addPerson('Friend')));
      for (const other of others) await send(other, ada, 'hello');
      const answers = await Promise.all(
        others.map((other) => world.ask(ada, 'chats/arrange', { pairId: pairIdOf(ada, other), isPinned: true })),
      );
      expect(answers.filter(({ ok }) => ok)).toHaveLength(limits.pinnedChats);
    });
  });

  test('an archived chat comes back with a new message, unless it is muted (CHAT-33)', async () => {
    const [ada, bob] = await partners();
    await arrange(ada, bob, { isArchived: true, isPinned: true });
    expect(await row(ada, bob)).toMatchObject({ isArchived: true, isPinned: false });
    await send(bob, ada, 'are you there?');
    expect(await row(ada, bob)).toMatchObject({ isArchived: false });
    await arrange(ada, bob, { isArchived: true, isMuted: true });
    await send(bob, ada, 'hello?');
    expect(await row(ada, bob)).toMatchObject({ isArchived: true, isMuted: true, unread: 4 });
    expect(await row(bob, ada)).toMatchObject({ isArchived: false, isMuted: false });
  });

  test('a chat of others can’t be arranged, nor one that does not exist (ACCESS-47)', async () => {
    const [ada, bob] = await partners();
    const eve = await world.addPerson('Eve');
    for (const pairId of [pairIdOf(ada, bob), pairIdOf(eve, ada), 'nonsense', '']) {
      for (const answer of [
        await world.ask(eve, 'chats/arrange', { pairId, isMuted: true }),
        await world.ask(eve, 'chats/clear', { pairId, upTo: 99 }),
      ])
        expect(answer).toEqual({ ok: false, error: { code: 'access/not-found' } });
    }
    expect(await texts(ada, bob)).toHaveLength(4);
  });

  describe('a chat that one person deletes for themselves', () => {
    test('is gone from their list, pages, search and export, and stays with the other (CHAT-34)', async () => {
      const [ada, bob] = await partners();
      await clear(ada, bob, 4);
      expect([await names(ada), await texts(ada, bob)]).toEqual([[], []]);
      const { pairId, hasEarlierMessages, clearedUpTo } = await opened(ada, bob);
      expect({ hasEarlierMessages, clearedUpTo }).toEqual({ hasEarlierMessages: false, clearedUpTo: 4 });
      expect((await world.said(ada, 'chats/earlierMessages', { pairId, before: 99 })).messages).toEqual([]);
      expect((await world.said(ada, 'chats/search', { words: 'three' })).found).toEqual([]);
      expect((await world.said(ada, 'chats/searchInChat', { pairId, words: 'three' })).found).toEqual([]);
      const exported = [];
      for await (const { messages } of ownChats(world.record.db, ada, ''))
        for await (const each of messages) exported.push(each);
      expect(exported).toEqual([]);
      expect(await texts(bob, ada)).toEqual(['one', 'two', 'three', 'four']);
      expect((await world.changesOf(bob)).filter(({ type }) => type === 'chats/cleared')).toEqual([]);
    });

    test('begins anew with a new message; what is done to the older ones does not come back (CHAT-34)', async () => {
      const [ada, bob] = await partners();
      const third = (await opened(ada, bob)).messages[2] ?? expect.fail('no third message');
      const fourth = (await opened(bob, ada)).messages[3] ?? expect.fail('no fourth message');
      await clear(ada, bob, 4);
      const sent = (await world.changesOf(ada)).length;
      await world.said(bob, 'chats/edit', edit(fourth, 'four again'));
      await world.said(bob, 'chats/react', {
        pairId: third.pairId,
        number: 3,
        emoji: '🔥',
        isOn: true,
        clientId: newClientId(),
      });
      await world.said(bob, 'chats/delete', { pairId: third.pairId, number: 2 });
      expect(await world.changesOf(ada)).toHaveLength(sent);
      const reply = await send(bob, ada, 'five', { replyTo: 3 });
      expect(reply.reply?.text).toBe('three');
      expect((await opened(ada, bob)).messages).toMatchObject([
        { number: 5, text: 'five', reply: { isGone: true, text: '' } },
      ]);
      expect((await world.changesOf(ada)).at(-1)).toMatchObject({ message: { reply: { isGone: true, text: '' } } });
      expect(await row(ada, bob)).toMatchObject({ unread: 1, last: { number: 5 } });
      expect(await opened(ada, bob)).toMatchObject({ hasEarlierMessages: false });
    });

    test('keeps a message that came after the last one that they saw (CHAT-34)', async () => {
      const [ada, bob] = await partners();
      await send(bob, ada, 'meanwhile');
      await clear(ada, bob, 4);
      expect(await texts(ada, bob)).toEqual(['meanwhile']);
      expect(await row(ada, bob)).toMatchObject({ unread: 1, last: { text: 'meanwhile' } });
      await clear(ada, bob, 2);
      expect(await texts(ada, bob)).toEqual(['meanwhile']);
      await world.said(ada, 'chats/mark', { pairId: pairIdOf(ada, bob), deliveredUpTo: 5, readUpTo: 5 });
      expect(await row(ada, bob)).toMatchObject({ unread: 0 });
    });

    test('does not tell the other that anything was read (CHAT-34)', async () => {
      const [ada, bob] = await partners();
      const marks = async () => (await opened(bob, ada)).marks;
      const before = await marks();
      await clear(ada, bob, 4);
      expect(await marks()).toEqual(before);
    });

    test('gives no way to what was hidden: editing, reacting, hiding, answering (CHAT-34)', async () => {
      const [ada, bob] = await partners();
      const first = (await opened(ada, bob)).messages[0] ?? expect.fail('no first message');
      const of = { pairId: first.pairId, number: first.number };
      await clear(ada, bob, 4);
      const answers = [
        await world.ask(ada, 'chats/edit', edit(first, 'changed')),
        await world.ask(ada, 'chats/react', { ...of, emoji: '🔥', isOn: true, clientId: newClientId() }),
        await world.ask(ada, 'chats/hide', { ...of, isHidden: false }),
        await world.ask(ada, 'chats/delete', of),
      ];
      expect(answers.map((each) => (each.ok ? 'ok' : each.error.code))).toEqual(
        Array<string>(4).fill('access/not-found'),
      );
      expect((await send(ada, bob, 'and?', { replyTo: 1 })).reply).toMatchObject({ isGone: true, text: '' });
      expect((await opened(bob, ada)).messages.at(-1)?.reply).toMatchObject({ isGone: false, text: 'one' });
    });
  });

  describe('at one moment', () => {
    test.each([1, 2, 3, 4])(
      'clearing, writing, deleting, hiding, marking and arranging end in one list, chat and count, round %d (CHAT-33, CHAT-34)',
      async () => {
        const [ada, bob] = await partners();
        const pairId = pairIdOf(ada, bob);
        await Promise.all([
          ...[1, 4, 3, 2].map((upTo) => world.ask(ada, 'chats/clear', { pairId, upTo })),
          ...['five', 'six'].map((text) => world.ask(bob, 'chats/send', { uid: ada, text, clientId: newClientId() })),
          world.ask(bob, 'chats/delete', { pairId, number: 4 }),
          world.ask(ada, 'chats/hide', { pairId, number: 2, isHidden: true }),
          world.ask(ada, 'chats/mark', { pairId, deliveredUpTo: 4, readUpTo: 2 }),
          world.ask(ada, 'chats/arrange', { pairId, isPinned: true }),
          world.ask(ada, 'chats/arrange', { pairId, isArchived: true }),
        ]);
        expect((await texts(ada, bob)).toSorted()).toEqual(['five', 'six']);
        const shown = await row(ada, bob);
        expect(shown).toMatchObject({ unread: 2, last: { number: 6 } });
        expect([shown?.isPinned, shown?.isArchived]).not.toEqual([true, true]);
        expect(await texts(bob, ada)).toHaveLength(6);
        const cleared = (await world.changesOf(ada)).flatMap((each) =>
          each.type === 'chats/cleared' ? [each.upTo] : [],
        );
        expect(cleared).toEqual(cleared.toSorted((one, two) => one - two));
        expect(cleared.at(-1)).toBe(4);
      },
    );
  });
});

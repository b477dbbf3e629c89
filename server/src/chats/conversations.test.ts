import { pairIdOf } from '@tunemate/domain';
import { userStream, type PairId, type Uid } from '@tunemate/protocol';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { newClientId } from '@tunemate/testkit/answers';
import { callerOf } from '@tunemate/testkit/worlds/people';
import { openPeopleWorld, type PeopleWorld } from '@tunemate/testkit/worlds/people-world';
import { ownPeopleOf } from '@tunemate/testkit/worlds/own-people';
import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { append } from '../tunemates/tunemates.ts';
import { chatListQuery } from './chat-list-store.ts';

const notFound = { ok: false, error: { code: 'access/not-found' } };

describeEachDialect('private chats', (makeDatabaseUrl, dialect) => {
  let world: PeopleWorld;
  beforeAll(async () => {
    world = await openPeopleWorld(makeDatabaseUrl, dialect, { processes: 2 });
  });
  afterAll(() => world.close());

  const send = async (from: Uid, to: Uid, text = 'hello') => {
    world.clock.advance(1000);
    const payload = { uid: to, text, clientId: newClientId() };
    expect(await world.handlers['chats/send'](callerOf(from), payload)).toMatchObject({ ok: true });
  };
  const open = async (uid: Uid, other: Uid) => {
    const outcome = await world.handlers['chats/open'](callerOf(uid), { uid: other });
    if (!outcome.ok) throw new Error(outcome.error.code);
    return outcome.value;
  };
  const list = async (uid: Uid, limit?: number) => {
    const outcome = await world.handlers['chats/list'](callerOf(uid), limit === undefined ? {} : { limit });
    return outcome.ok ? outcome.value.conversations : [];
  };
  const mark = (uid: Uid, pairId: string, deliveredUpTo: number, readUpTo: number, process = 0) =>
    (world.processes[process] ?? world).handlers['chats/mark'](callerOf(uid), {
      pairId,
      deliveredUpTo,
      readUpTo,
    });
  const unread = (uid: Uid) => ownPeopleOf(world, uid).then(({ unreadChats }) => unreadChats);
  async function friends(): Promise<[Uid, Uid, PairId]> {
    const [ada, bob] = [await world.addPerson('Ada'), await world.addPerson('Bob')];
    await append(world.record.db, 'video', [{ uid: ada, mate: bob }], 0);
    return [ada, bob, pairIdOf(ada, bob)];
  }

  describe('marks', () => {
    const marked = async (uid: Uid) =>
      (await world.changesOf(uid)).flatMap((change) => (change.type === 'chats/marked' ? [change.marks] : []));

    test('go forwards only, whatever comes, from two tabs at once (CHAT-10)', async () => {
      const [ada, bob, pairId] = await friends();
      for (let count = 0; count < 4; count += 1) await send(ada, bob);
      await Promise.all([mark(bob, pairId, 2, 1, 0), mark(bob, pairId, 4, 3, 1), mark(bob, pairId, 1, 0, 0)]);
      await mark(bob, pairId, 3, 2);
      const bobs = (await open(ada, bob)).marks.find(({ uid }) => uid === bob);
      expect(bobs).toEqual({ uid: bob, deliveredUpTo: 4, readUpTo: 3 });
      const marks = await marked(ada);
      expect(marks).toEqual(marks.toSorted((a, b) => a.deliveredUpTo - b.deliveredUpTo || a.readUpTo - b.readUpTo));
      expect(marks.at(-1)).toEqual(bobs);
      expect(await marked(bob)).toEqual(marks);
    });

    test('count only messages that were sent to me, and none that do not exist (CHAT-11)', async () => {
      const [ada, bob, pairId] = await friends();
      await send(ada, bob);
      await mark(ada, pairId, 1, 1);
      expect((await open(bob, ada)).marks).toContainEqual({ uid: ada, deliveredUpTo: 0, readUpTo: 0 });
      await send(bob, ada);
      await send(ada, bob);
      await mark(ada, pairId, 999, 999);
      expect((await open(bob, ada)).marks).toContainEqual({ uid: ada, deliveredUpTo: 2, readUpTo: 2 });
    });

    test('send the other a delivery before it was read, and the read mark after it (CHAT-12)', async () => {
      const [ada, bob, pairId] = await friends();
      await send(ada, bob);
      await mark(bob, pairId, 1, 0);
      expect(await marked(ada)).toEqual([{ uid: bob, deliveredUpTo: 1, readUpTo: 0 }]);
      await mark(bob, pairId, 1, 1);
      expect((await marked(ada)).slice(1)).toEqual([{ uid: bob, deliveredUpTo: 1, readUpTo: 1 }]);
    });

    test('keep reading private when either has switched receipts off; delivery shows', async () => {
      for (const off of ['reader', 'sender']) {
        const [ada, bob, pairId] = await friends();
        const who = off === 'reader' ? bob : ada;
        await world.record.db.updateTable('users').set({ read_receipts: 0 }).where('uid', '=', who).execute();
        await send(ada, bob);
        await mark(bob, pairId, 1, 1);
        expect(await marked(ada)).toEqual([{ uid: bob, deliveredUpTo: 1, readUpTo: 0 }]);
        expect(await marked(bob)).toEqual([{ uid: bob, deliveredUpTo: 1, readUpTo: 1 }]);
        expect((await open(ada, bob)).marks).toContainEqual({ uid: bob, deliveredUpTo: 1, readUpTo: 0 });
        expect((await open(bob, ada)).marks).toContainEqual({ uid: bob, deliveredUpTo: 1, readUpTo: 1 });
      }
    });

    test('send the other nothing when only a hidden read mark moved', async () => {
      const [ada, bob, pairId] = await friends();
      await world.record.db.updateTable('users').set({ read_receipts: 0 }).where('uid', '=', bob).execute();
      await send(ada, bob);
      await mark(bob, pairId, 1, 0);
      await mark(bob, pairId, 1, 1);
      expect(await marked(ada)).toHaveLength(1);
      expect(await marked(bob)).toHaveLength(2);
    });

    test('keep reading private over a block of either, also from who opens the chat again (PRES-42)', async () => {
      for (const by of ['reader', 'sender']) {
        const [ada, bob, pairId] = await friends();
        await send(ada, bob);
        await send(bob, ada);
        await mark(bob, pairId, 1, 0);
        const [from, to] = by === 'reader' ? [bob, ada] : [ada, bob];
        await world.handlers['chats/block'](callerOf(from), { uid: to, isBlocked: true });
        await mark(bob, pairId, 1, 1);
        expect(await marked(ada)).toEqual([{ uid: bob, deliveredUpTo: 1, readUpTo: 0 }]);
        expect((await open(ada, bob)).marks).toContainEqual({ uid: bob, deliveredUpTo: 1, readUpTo: 0 });
        expect([await unread(bob), (await list(bob))[0]?.unread]).toEqual([0, 0]);
        await world.handlers['chats/block'](callerOf(from), { uid: to, isBlocked: false });
        expect((await open(ada, bob)).marks).toContainEqual({ uid: bob, deliveredUpTo: 1, readUpTo: 1 });
      }
    });

    test('count what is unread', async () => {
      const [ada, bob, pairId] = await friends();
      for (let count = 0; count < 3; count += 1) await send(ada, bob);
      await send(bob, ada);
      expect([await unread(ada), await unread(bob)]).toEqual([1, 3]);
      await mark(bob, pairId, 3, 2);
      expect(await unread(bob)).toBe(1);
      expect(await list(bob)).toMatchObject([{ unread: 1 }]);
      await mark(bob, pairId, 0, 4);
      expect(await unread(bob)).toBe(0);
    });

    test('count the chats that wait: neither those of strangers nor those put away', async () => {
      const waiting = (uid: Uid) => ownPeopleOf(world, uid).then(({ chatsWaiting }) => chatsWaiting);
      const [ada, bob, pairId] = await friends();
      const [eve, kim, lea] = await Promise.all(['Eve', 'Kim', 'Lea'].map((name) => world.addPerson(name)));
      await append(world.record.db, 'audio', [{ uid: ada, mate: kim! }], 0);
      expect(await waiting(ada)).toBeUndefined();
      for (const writer of [bob, bob, eve!, kim!, lea!]) await send(writer, ada);
      expect(await waiting(ada)).toBe(2);
      await send(ada, lea!);
      expect(await waiting(ada)).toBe(3);
      const arranged = { pairId: pairIdOf(ada, kim!), isArchived: true };
      await world.said(ada, 'chats/arrange', arranged);
      await mark(ada, pairId, 2, 2);
      expect(await waiting(ada)).toBe(1);
      // A reaction waits as words do.
      await send(ada, bob);
      const liked = { pairId, number: 3, emoji: '🔥', isOn: true, clientId: newClientId() };
      await world.said(bob, 'chats/react', liked);
      expect(await waiting(ada)).toBe(2);
    });
  });

  describe('access', () => {
    test('a chat of others is not found, under any id', async () => {
      const [ada, bob, pairId] = await friends();
      const eve = await world.addPerson();
      await send(ada, bob);
      const [first, second] = pairId.split('_') as [Uid, Uid];
      const ids = [
        `${second}_${first}`,
        first,
        `${pairId}_${eve}`,
        `${eve}_${eve}`,
        pairIdOf(ada, eve),
        '__proto__',
        '',
      ];
      for (const [uid, wrong] of [[eve, pairId] as const, ...ids.map((id) => [ada, id] as const)]) {
        const earlier = { pairId: wrong, before: 10 };
        expect(await world.handlers['chats/earlierMessages'](callerOf(uid), earlier)).toEqual(notFound);
        expect(await mark(uid, wrong, 1, 1)).toEqual(notFound);
      }
    });

    test('a chat with oneself or an unknown person is refused', async () => {
      const [ada] = await friends();
      const opened = (uid: Uid) => world.handlers['chats/open'](callerOf(ada), { uid });
      expect(await opened(ada)).toMatchObject({ error: { code: 'input/invalid' } });
      expect(await opened('z'.repeat(22) as Uid)).toEqual(notFound);
      const typed = await world.handlers['chats/typing'](callerOf(ada), { uid: ada });
      expect(typed).toMatchObject({ error: { code: 'input/invalid' } });
    });

    test('shows a stranger a name, and presence only once they were answered', async () => {
      const [ada, bob] = [await world.addPerson('Ada'), await world.addPerson('Bob')];
      expect(await open(ada, bob)).toMatchObject({ other: { name: 'Bob' }, presence: null, messages: [] });
      await send(ada, bob);
      expect([await open(ada, bob), ...(await list(ada))]).toMatchObject([{ presence: null }, { presence: null }]);
      await send(bob, ada);
      expect(await open(ada, bob)).toMatchObject({
        presence: { uid: bob, state: 'offline' },
        isTunemate: false,
        isSoulmate: false,
        isGone: false,
        isClosed: false,
      });
      expect(await list(ada)).toMatchObject([{ presence: { uid: bob, state: 'offline' } }]);
    });

    test('shows presence to a tunemate and to a soulmate who have no chat', async () => {
      const [ada, bob] = await friends();
      expect(await open(ada, bob)).toMatchObject({ presence: { uid: bob }, isTunemate: true, isSoulmate: false });
      const [eve, kim] = [await world.addPerson('Eve'), await world.addPerson('Kim')];
      await world.record.db.updateTable('users').set({ soulmate: kim }).where('uid', '=', eve).execute();
      expect(await open(eve, kim)).toMatchObject({ presence: { uid: kim }, isTunemate: false, isSoulmate: true });
    });

    test('shows neither of two the other’s presence, in the list and in the chat, while one has blocked the other', async () => {
      const [ada, bob] = await friends();
      await send(ada, bob);
      await send(bob, ada);
      const shown = async () => [
        ...(await Promise.all([open(ada, bob), open(bob, ada)])).map(({ presence }) => presence?.uid),
        ...[...(await list(ada)), ...(await list(bob))].map(({ presence }) => presence?.uid),
      ];
      expect(await shown()).toEqual([bob, ada, bob, ada]);
      await world.handlers['chats/block'](callerOf(bob), { uid: ada, isBlocked: true });
      expect(await shown()).toEqual([undefined, undefined, undefined, undefined]);
      await world.handlers['chats/block'](callerOf(bob), { uid: ada, isBlocked: false });
      expect(await shown()).toEqual([bob, ada, bob, ada]);
    });

    test('a blocked user who opens the chat sees that it is closed, but not by whom (CHAT-4)', async () => {
      const [ada, bob] = await friends();
      await send(ada, bob);
      const before = await open(ada, bob);
      await world.handlers['chats/block'](callerOf(bob), { uid: ada, isBlocked: true });
      expect(await open(ada, bob)).toEqual({ ...before, presence: null, isTunemate: false, isClosed: true });
      expect(await open(bob, ada)).toMatchObject({ isBlockedByMe: true });
    });

    test('lists blocked users only to the user who blocked them, by name, the earliest first', async () => {
      const [ada, bob] = await friends();
      const cleo = await world.addPerson('Cleo');
      const blocked = (uid: Uid) => world.handlers['chats/blocked'](callerOf(uid), {});
      for (const uid of [cleo, bob]) {
        await world.handlers['chats/block'](callerOf(ada), { uid, isBlocked: true });
        world.clock.advance(1000);
      }
      await world.record.db.updateTable('users').set({ deleted_at_ms: 1 }).where('uid', '=', cleo).execute();
      const people = [
        { uid: cleo, name: '' },
        { uid: bob, name: 'Bob' },
      ];
      expect(await blocked(ada)).toEqual({ ok: true, value: { people } });
      expect(await blocked(bob)).toEqual({ ok: true, value: { people: [] } });
    });

    test('typing is sent to the other person of a chat without a block', async () => {
      const [ada, bob] = await friends();
      const [eve, finn] = await friends();
      const typing = async (from: Uid, to: Uid) =>
        expect(await world.handlers['chats/typing'](callerOf(from), { uid: to })).toEqual({ ok: true, value: {} });
      const heardBy = (uid: Uid) => world.passed.filter(({ to }) => to === userStream(uid)).map(({ news }) => news);
      await typing(ada, bob);
      expect(heardBy(bob)).toEqual([]);
      await send(ada, bob);
      await typing(ada, bob);
      expect(heardBy(bob)).toEqual([{ type: 'chats/typing', uid: ada }]);
      // Both have written, and neither has typed within the last half second.
      await send(eve, finn);
      await send(finn, eve);
      await world.handlers['chats/block'](callerOf(finn), { uid: eve, isBlocked: true });
      await typing(eve, finn);
      await typing(finn, eve);
      expect([heardBy(finn), heardBy(eve)]).toEqual([[], []]);
    });
  });

  describe('reading', () => {
    test('opens the newest 50 and pages back to the first', async () => {
      const [ada, bob, pairId] = await friends();
      for (let number = 1; number <= 120; number += 1) await send(number % 3 ? ada : bob, number % 3 ? bob : ada);
      let { messages, hasEarlierMessages } = await open(ada, bob);
      const pages = [messages.length];
      const all = messages.map(({ number }) => number);
      while (hasEarlierMessages) {
        const payload = { pairId, before: all[0] ?? 0 };
        const outcome = await world.handlers['chats/earlierMessages'](callerOf(bob), payload);
        if (!outcome.ok) throw new Error(outcome.error.code);
        ({ messages, hasEarlierMessages } = outcome.value);
        pages.push(messages.length);
        all.unshift(...messages.map(({ number }) => number));
      }
      expect(pages).toEqual([50, 50, 20]);
      expect(all).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
    });

    test('lists one’s own conversations, the latest first, at most 100', async () => {
      const ada = await world.addPerson('Ada');
      const others: Uid[] = [];
      for (let count = 0; count < 101; count += 1) {
        const other = await world.addPerson(`Other ${count}`);
        await append(world.record.db, 'audio', [{ uid: ada, mate: other }], 0);
        await send(other, ada, `from ${count}`);
        others.push(other);
      }
      await send(ada, others[50] as Uid, 'you again');
      const rows = await list(ada, 5000);
      expect(rows).toHaveLength(100);
      expect(rows[0]).toMatchObject({ other: { name: 'Other 50' }, last: { text: 'you again' }, unread: 1 });
      expect(rows[1]).toMatchObject({ other: { name: 'Other 100' }, last: { text: 'from 100' } });
      expect(rows.map(({ last }) => last.timestamp)).toEqual(
        rows.map(({ last }) => last.timestamp).toSorted((a, b) => b - a),
      );
      expect(await list(ada, 3)).toHaveLength(3);
    });

    test('lists people one knows before a hundred strangers, says how many more there are, and goes on', async () => {
      const [ada, bob] = await friends();
      const kim = await world.addPerson('Kim');
      await send(bob, ada, 'of a tunemate');
      await send(kim, ada, 'of a stranger');
      await send(ada, kim, 'who was answered');
      for (let count = 0; count < 120; count += 1) await send(await world.addPerson(`Stranger ${count}`), ada);
      const part = async (from: number) => {
        const outcome = await world.handlers['chats/list'](callerOf(ada), { from });
        return outcome.ok ? outcome.value : { conversations: [], more: undefined };
      };
      const first = await part(0);
      expect(first.conversations.slice(0, 3).map(({ other, isStranger }) => [other.name, isStranger])).toEqual([
        ['Kim', undefined],
        ['Bob', undefined],
        ['Stranger 119', true],
      ]);
      expect([first.conversations.length, first.more]).toEqual([100, 22]);
      const second = await part(100);
      expect([second.conversations.length, second.more]).toEqual([22, undefined]);
      const all = [...first.conversations, ...second.conversations].map(({ pairId }) => pairId);
      expect(new Set(all).size).toBe(122);
    });

    test('the chat with a deleted account is kept, as ‘Deleted user’', async () => {
      const [ada, bob, pairId] = await friends();
      await send(bob, ada, 'remember me');
      await world.removePerson(bob);
      await world.record.db.updateTable('users').set({ deleted_at_ms: 1 }).where('uid', '=', bob).execute();
      const last = { text: 'remember me', sender: bob };
      expect(await list(ada)).toMatchObject([{ pairId, other: { uid: bob, name: 'Deleted user' }, last }]);
      expect(await open(ada, bob)).toMatchObject({
        other: { name: 'Deleted user' },
        isGone: true,
        isClosed: true,
        presence: null,
        messages: [last],
      });
    });

    test.each([false, true])('reads the list by indexes alone (of strangers: %s)', async (isStranger) => {
      const [ada] = await friends();
      const asked = { isStranger, from: 0, most: 100 };
      const { sql: query, parameters } = chatListQuery(world.record.db, ada, asked).compile();
      const [usual, plan] = await world.record.db.connection().execute(async (db) => {
        const run = (text: string, values: readonly unknown[] = []) =>
          db.executeQuery(CompiledQuery.raw(text, [...values]));
        const explained = async () =>
          JSON.stringify(
            (await run(`${dialect === 'postgres' ? 'explain' : 'explain query plan'} ${query}`, parameters)).rows,
          );
        const whole = await explained();
        // On tables as small as these PostgreSQL rightly reads and sorts; the question is whether it need not.
        const settings = dialect === 'postgres' ? ['seqscan', 'bitmapscan', 'sort'] : [];
        for (const setting of settings) await run(`set enable_${setting} = off`);
        return [whole, await explained()];
      });
      // A table of all chats of the server, read for one list.
      expect(usual).not.toContain('hashed');
      expect(plan).toContain('conversations_newest');
      expect(plan).toMatch(/private_messages_pk|sqlite_autoindex_private_messages/);
      expect(plan).not.toMatch(/SCAN|Seq Scan|TEMP B-TREE|Sort/);
    });
  });
});

/** The timer of a chat: who sets and reads it, and that what is past it is gone everywhere, for both. */
import { pairIdOf } from '@tunemate/domain';
import { userStream } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { openSocketWorld, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { ownChats } from './account-chats.ts';

const dayMs = 24 * 60 * 60_000;

describeEachDialect('the timer of a chat', (makeDatabaseUrl) => {
  async function stage() {
    const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
    const [ada, bob, eve] = [await w.arrive('Ada'), await w.arrive('Bob'), await w.arrive('Eve')];
    const pairId = pairIdOf(ada.uid, bob.uid);
    const send = async (by: Tab, to: Tab, text: string, replyTo?: number) =>
      valueOf(await by.ask('chats/send', { uid: to.uid, clientId: newClientId(), text, replyTo })).message;
    await send(ada, bob, 'stays');
    await send(bob, ada, 'stays too');
    const set = (by: Tab, days: 1 | 7 | 30 | null) => by.ask('chats/setTimer', { pairId, days });
    return { w, ada, bob, eve, pairId, send, set };
  }

  const opened = async (by: Tab, other: Tab) => valueOf(await by.ask('chats/open', { uid: other.uid }));
  const texts = async (by: Tab, other: Tab) =>
    (await opened(by, other)).messages.filter(({ state }) => state === 'shown').map(({ text }) => text);
  const timers = (tab: Tab) => tab.changes(userStream(tab.uid)).filter(({ type }) => type === 'chats/timerSet');

  /** Every place where words of a chat are stored, as text. */
  async function stored({ db }: SocketWorld): Promise<string> {
    const tables = ['private_messages', 'stream_entries', 'idempotency', 'conversations'] as const;
    const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
    return JSON.stringify(rows);
  }

  test('is set by either of the two and read by both, who and when; another person sets nothing (CHAT-38)', async () => {
    const { w, ada, bob, eve, pairId, set } = await stage();
    expect((await opened(ada, bob)).timer).toBeUndefined();
    valueOf(await set(bob, 7));
    const timer = { days: 7, by: bob.uid, at: w.clock.now() };
    for (const tab of [ada, bob]) {
      await expect.poll(() => timers(tab)).toEqual([{ type: 'chats/timerSet', pairId, timer }]);
    }
    expect([(await opened(ada, bob)).timer, (await opened(bob, ada)).timer]).toEqual([timer, timer]);
    valueOf(await set(ada, 7));
    expect(timers(ada)).toHaveLength(1);
    valueOf(await set(ada, null));
    await expect.poll(() => timers(bob).at(-1)).toMatchObject({ timer: { days: null, by: ada.uid } });
    expect(codeOf(await set(eve, 1))).toBe('access/not-found');
  });

  test('is not set across a block: an old page of either tells the other nothing (CHAT-38)', async () => {
    const { w, ada, bob, set } = await stage();
    valueOf(await ada.ask('chats/block', { uid: bob.uid, isBlocked: true }));
    for (const tab of [bob, ada]) expect(codeOf(await set(tab, 1))).toBe('access/forbidden');
    expect([...timers(ada), ...timers(bob)]).toEqual([]);
    expect((await opened(ada, bob)).timer).toBeUndefined();
    await w.close();
  });

  test('what is past it is gone for both: pages, search, quotes, counts, export and stored changes (CHAT-38)', async () => {
    const { w, ada, bob, send, set } = await stage();
    valueOf(await set(ada, 1));
    const secret = await send(ada, bob, 'zanzibar');
    valueOf(await set(ada, null));
    await send(bob, ada, 'an answer', secret.number);
    await w.pass(dayMs - 60_000);
    expect(await texts(bob, ada)).toEqual(['stays', 'stays too', 'zanzibar', 'an answer']);
    expect((await bob.ask('chats/list', {})).ok).toBe(true);
    await w.pass(120_000);
    for (const [one, other] of [
      [ada, bob],
      [bob, ada],
    ] as const) {
      await expect.poll(() => texts(one, other)).toEqual(['stays', 'stays too', 'an answer']);
      expect(JSON.stringify(await opened(one, other))).not.toContain('zanzibar');
      const found = valueOf(await one.ask('chats/search', { words: 'zanzibar' })).found;
      expect(found).toEqual([]);
      const exported: unknown[] = [];
      for await (const chat of ownChats(w.db, one.uid, '')) {
        const messages: unknown[] = [];
        for await (const message of chat.messages) messages.push(message);
        exported.push(messages);
      }
      expect(JSON.stringify(exported)).not.toContain('zanzibar');
    }
    // One message of Ada before it is still unread.
    const [row] = valueOf(await bob.ask('chats/list', {})).conversations;
    expect(row).toMatchObject({ unread: 1, last: { text: 'an answer' } });
    expect(await stored(w)).not.toContain('zanzibar');
    const gone = ada.changes(userStream(ada.uid)).at(-1);
    expect(gone).toMatchObject({ type: 'chats/messageChanged', message: { number: secret.number, state: 'hidden' } });
  });

  test('the last message that goes leaves the list with what is left, and no count behind (CHAT-38)', async () => {
    const { w, ada, bob, send, set } = await stage();
    valueOf(await set(bob, 1));
    await send(ada, bob, 'the last one');
    await w.pass(dayMs + 60_000);
    await expect
      .poll(async () => valueOf(await bob.ask('chats/list', {})).conversations[0]?.last.text)
      .toBe('stays too');
    const bytes = await w.db.selectFrom('conversations').select(['uid', 'unread', 'sent_bytes']).execute();
    expect(bytes.find(({ uid }) => uid === bob.uid)?.unread).toBe(1);
  });
});

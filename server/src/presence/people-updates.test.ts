/** Presence of people one has a chat with and nothing else in common. */
import { type Uid, userStream } from '@tunemate/protocol';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { insertUsers, type Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type SocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { goodPassword } from '@tunemate/testkit/worlds/test-app';
import { peopleUpdates } from './people-updates.ts';

describeEachDialect('presence of chat partners', (makeDatabaseUrl) => {
  async function stage() {
    const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
    const [mara, ivo, eve] = [await w.arrive('Mara'), await w.arrive('Ivo'), await w.arrive('Eve')];
    valueOf(await mara.ask('chats/send', { clientId: newClientId(), uid: ivo.uid, text: 'hello' }));
    valueOf(await ivo.ask('chats/send', { clientId: newClientId(), uid: mara.uid, text: 'hi' }));
    return { w, mara, ivo, eve };
  }

  test('two people with a chat see each other come and go live; a stranger sees nothing', async () => {
    const { w, mara, ivo, eve } = await stage();
    await w.leave(ivo);
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline']);
    const back = await w.connect(ivo);
    await w.pass(5000);
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline', 'online']);
    await w.leave(mara);
    await expect.poll(() => back.statesShown(mara)).toEqual(['offline']);
    expect(eve.statesShown(ivo)).toEqual([]);
  });

  test('a person who wrote first is shown at once, the other one once they have answered', async () => {
    const { w, ivo, eve } = await stage();
    const send = async (from: typeof eve, to: typeof eve) =>
      valueOf(await from.ask('chats/send', { clientId: newClientId(), uid: to.uid, text: 'hello' }));
    await send(eve, ivo);
    await w.leave(ivo);
    await expect.poll(() => w.stateOf(ivo)).toBe('offline');
    const back = await w.connect(ivo);
    await w.pass(5000);
    await expect.poll(() => w.stateOf(ivo)).toBe('online');
    await w.leave(eve);
    await expect.poll(() => back.statesShown(eve)).toEqual(['offline']);
    expect(eve.statesShown(ivo)).toEqual([]);
    const again = await w.connect(eve);
    await send(back, eve);
    await w.leave(back);
    await expect.poll(() => again.statesShown(ivo)).toEqual(['offline']);
  });

  test('a block in either direction hides presence from both, and lifting it shows it again', async () => {
    const { w, mara, ivo, eve } = await stage();
    valueOf(await eve.ask('chats/send', { clientId: newClientId(), uid: ivo.uid, text: 'me too' }));
    valueOf(await ivo.ask('chats/send', { clientId: newClientId(), uid: eve.uid, text: 'and you' }));
    valueOf(await mara.ask('chats/block', { uid: ivo.uid, isBlocked: true }));
    await w.leave(ivo);
    await expect.poll(() => eve.statesShown(ivo)).toEqual(['offline']);
    const back = await w.connect(ivo);
    await w.pass(5000);
    await expect.poll(() => eve.statesShown(ivo)).toEqual(['offline', 'online']);
    await w.leave(mara);
    await expect.poll(() => w.stateOf(mara)).toBe('offline');
    const again = await w.connect(mara);
    await w.pass(5000);
    // The block shows them as offline (PRES-42); later changes are not shown.
    expect([mara.statesShown(ivo), back.statesShown(mara)]).toEqual([['offline'], []]);
    valueOf(await again.ask('chats/block', { uid: ivo.uid, isBlocked: false }));
    const lifted = { type: 'presence/changed', presence: { uid: ivo.uid, state: 'online' } };
    await expect.poll(() => again.changes(userStream(again.uid)).at(-1)).toMatchObject(lifted);
    await w.leave(back);
    await expect.poll(() => again.statesShown(ivo)).toEqual(['offline']);
  });

  test('a chat partner receives a deletion of an account: a ‘Deleted user’ who is gone and offline since then', async () => {
    const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
    const [mara, visitor] = [await w.arrive('Mara'), await w.app.member('Ivo')];
    const { uid } = await w.db.selectFrom('users').select('uid').where('name', '=', 'Ivo').executeTakeFirstOrThrow();
    const ivo = await w.connect({ uid: uid as Uid, name: 'Ivo', sessionId: '', cookie: visitor.cookie() });
    valueOf(await mara.ask('chats/send', { clientId: newClientId(), uid: ivo.uid, text: 'hello' }));
    valueOf(await ivo.ask('chats/send', { clientId: newClientId(), uid: mara.uid, text: 'hi' }));
    await w.pass(60_000);
    await visitor.call('POST /api/accounts/delete', { password: goodPassword });
    const news = () => mara.ephemeral.filter((each) => each.type === 'people/changed' && each.person.uid === ivo.uid);
    const presence = { uid: ivo.uid, state: 'offline', last_changed: w.clock.now() };
    const gone = { type: 'people/changed', person: { uid: ivo.uid, name: 'Deleted user', presence }, isGone: true };
    await expect.poll(() => news().at(-1)).toEqual(gone);
    const before = news().length;
    await w.pass(15_000);
    // Once more, for tabs that were just opening.
    await expect.poll(() => news().slice(before)).toContainEqual(gone);
    expect(news().slice(before)).toEqual(
      news()
        .slice(before)
        .map(() => gone),
    );
  });

  /** Everything that a person's own screens would show of `other` after a reload. */
  async function presenceShown(w: SocketWorld, person: Person, other: Person): Promise<unknown> {
    const tab = await w.connect(person);
    const { tunemates, soulmate } = tab.snapshot;
    tab.leave();
    const mate = tunemates.find(({ uid }) => uid === other.uid);
    return { tunemate: mate?.presence.state, soulmate: soulmate?.presence.state };
  }

  test('a block takes tunemates and soulmates off each other’s screens, live and after a reload', async () => {
    const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
    const [mara, ivo] = [await w.arrive('Mara'), await w.arrive('Ivo')];
    await w.letIn(mara, ivo, await w.room(mara, 'audio'));
    valueOf(await mara.ask('soulmate/ask', { uid: ivo.uid, clientId: newClientId() }));
    const reloadedIvo = await w.connect(ivo);
    valueOf(await reloadedIvo.ask('soulmate/accept', { id: reloadedIvo.snapshot.notifications[0]?.id ?? '' }));
    reloadedIvo.leave();
    const shown = { tunemate: 'online', soulmate: 'online' };
    expect([await presenceShown(w, mara, ivo), await presenceShown(w, ivo, mara)]).toEqual([shown, shown]);
    valueOf(await mara.ask('chats/block', { uid: ivo.uid, isBlocked: true }));
    await expect.poll(() => [mara.statesShown(ivo), ivo.statesShown(mara)]).toEqual([['offline'], ['offline']]);
    const gone = { tunemate: undefined, soulmate: undefined };
    expect([await presenceShown(w, mara, ivo), await presenceShown(w, ivo, mara)]).toEqual([gone, gone]);
    // What they do meanwhile and afterwards does not show.
    valueOf(await mara.ask('chats/block', { uid: ivo.uid, isBlocked: false }));
    await w.pass(5000);
    await w.leave(ivo);
    await expect.poll(() => w.stateOf(ivo)).toBe('offline');
    await w.connect(ivo);
    await w.pass(5000);
    await expect.poll(() => w.stateOf(ivo)).toBe('online');
    expect(mara.statesShown(ivo)).toEqual(['offline']);
  });

  test('a block shows each as offline to the other at once, and lifting it shows them as online (PRES-42)', async () => {
    const { mara, ivo, eve } = await stage();
    valueOf(await mara.ask('chats/block', { uid: ivo.uid, isBlocked: true }));
    await expect.poll(() => [mara.statesShown(ivo), ivo.statesShown(mara)]).toEqual([['offline'], ['offline']]);
    valueOf(await ivo.ask('chats/block', { uid: mara.uid, isBlocked: true }));
    valueOf(await mara.ask('chats/block', { uid: ivo.uid, isBlocked: false }));
    expect([mara.statesShown(ivo), ivo.statesShown(mara)]).toEqual([['offline'], ['offline']]);
    valueOf(await ivo.ask('chats/block', { uid: mara.uid, isBlocked: false }));
    const both = ['offline', 'online'];
    await expect.poll(() => [mara.statesShown(ivo), ivo.statesShown(mara)]).toEqual([both, both]);
    valueOf(await mara.ask('chats/block', { uid: eve.uid, isBlocked: true }));
    expect([mara.statesShown(eve), eve.statesShown(mara)]).toEqual([[], []]);
  });

  test('the oldest of many chats still shows presence live', async () => {
    const { w, mara, ivo } = await stage();
    const later = Array.from({ length: 120 }, (_, n) => {
      const other = String(n).padStart(22, '0');
      const times = { started_at_ms: w.clock.now() + 1, last_at_ms: w.clock.now() + 1 };
      return { uid: ivo.uid, other, pair_id: `${other}_${ivo.uid}`, last_number: 1, ...times };
    });
    await w.db.insertInto('conversations').values(later).execute();
    await w.leave(ivo);
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline']);
  });
});

test('changes of people who are known by very many are sent a few at a time, and others are served in between', async () => {
  const { db, clock } = await openSocketWorld();
  const uidsOf = (letter: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${letter}${String(n).padStart(21, '0')}` as Uid);
  const [known, watchers] = [uidsOf('K', 20), uidsOf('W', 300)];
  await insertUsers(
    db,
    [...known, ...watchers].map((uid) => ({ uid, name: uid, nowMs: 0 })),
  );
  for (const mate of known) {
    const rows = watchers.map((uid, position) => ({ uid, mate, added_at_ms: 0, position }));
    await db.insertInto('tunemates').values(rows).execute();
  }
  const order: string[] = [];
  const told = new Set<Uid>();
  const { changed } = peopleUpdates({
    ...{ db, clock, log: { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() } },
    pass(to, news) {
      if (news.type !== 'people/changed' || to.length === 0) return;
      expect(to).toHaveLength(watchers.length);
      told.add(news.person.uid);
      order.push('told');
    },
  });
  changed(known);
  while (told.size < known.length) {
    await nextTurn();
    order.push('other');
  }
  const runs = order
    .join(' ')
    .split('other')
    .filter((run) => run.includes('told'));
  expect(Math.max(...runs.map((run) => run.match(/told/g)?.length ?? 0))).toBeLessThanOrEqual(6);
});

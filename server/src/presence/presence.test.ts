/** Presence over sockets: online with the first tab, offline with the last, patient with short losses, never stuck. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { valueOf } from '@tunemate/testkit/answers';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';

async function connections(w: SocketWorld, { uid }: Person): Promise<number> {
  return (await w.db.selectFrom('connections').select('uid').where('uid', '=', uid).execute()).length;
}

async function inGracePeriod(w: SocketWorld, { uid }: Person): Promise<number> {
  const rows = w.db.selectFrom('connections').select('uid').where('uid', '=', uid);
  return (await rows.where('grace_until_ms', 'is not', null).execute()).length;
}

describeEachDialect('presence', (makeDatabaseUrl) => {
  /** Ivo and Mara met in a room of hers and are both in it. */
  async function stage() {
    const databaseUrl = await makeDatabaseUrl();
    const w = await openSocketWorld({ databaseUrl });
    const [mara, ivo] = [await w.arrive('Mara'), await w.arrive('Ivo')];
    const room = await w.room(mara, 'audio');
    await w.letIn(mara, ivo, room);
    valueOf(await mara.ask('rooms/enter', room));
    valueOf(await ivo.ask('rooms/enter', room));
    return { w, databaseUrl, mara, ivo, room };
  }
  const inRoom = (tab: Tab, of: Person) =>
    tab
      .changes()
      .flatMap((each) => (each.type === 'rooms/participantPresence' && each.uid === of.uid ? [each.online] : []));

  test('of two tabs the first makes online and the last offline, for tunemates, the room and oneself (PRES-1)', async () => {
    const { w, mara, ivo } = await stage();
    const second = await w.connect(ivo);
    expect(second.snapshot.user.online).toBe(true);
    await w.leave(ivo);
    expect(await w.stateOf(ivo)).toBe('online');
    await w.leave(second);
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline']);
    await expect.poll(() => inRoom(mara, ivo)).toEqual([false]);
    const back = await w.connect(ivo);
    await w.pass(5000);
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline', 'online']);
    expect(back.snapshot.user.online).toBe(true);
    expect(back.snapshot.tunemates).toMatchObject([{ uid: mara.uid, presence: { state: 'online' } }]);
    await w.close();
  });

  test('a lost connection is not shown for 40 s, and shown as offline after that (PRES-2)', async () => {
    const { w, mara, ivo } = await stage();
    ivo.cut();
    await expect.poll(() => inGracePeriod(w, ivo)).toBe(1);
    await w.pass(39_999);
    expect(await w.stateOf(ivo)).toBe('online');
    await w.pass(1);
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline']);
    await w.close();
  });

  test('a person who reconnects within that time is never shown as offline (PRES-3)', async () => {
    const { w, mara, ivo } = await stage();
    ivo.cut();
    await expect.poll(() => inGracePeriod(w, ivo)).toBe(1);
    await w.pass(30_000);
    const back = await w.connect(ivo);
    await w.pass(30_000);
    expect(await w.stateOf(ivo)).toBe('online');
    await w.leave(back);
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline']);
    await w.close();
  });

  test('after ten tabs connect and disconnect at once the state is that of the last one (PRES-4)', async () => {
    const { w, mara } = await stage();
    const ada = await w.person('Ada');
    const tabs = await Promise.all(Array.from({ length: 10 }, () => w.connect(ada)));
    tabs.slice(1).forEach((tab) => tab.leave());
    await expect.poll(() => inGracePeriod(w, ada)).toBe(9);
    await w.pass(5000);
    expect([await connections(w, ada), await w.stateOf(ada)]).toEqual([1, 'online']);
    if (tabs[0]) await w.leave(tabs[0]);
    expect(await w.stateOf(ada)).toBe('offline');
    expect(mara.statesShown(ada)).toEqual([]);
    await w.close();
  });

  test('an end that could not be stored is stored as soon as the database is back', async () => {
    const { w, mara, ivo } = await stage();
    await sql`alter table connections rename to elsewhere`.execute(w.db);
    ivo.leave();
    await expect.poll(() => w.app.log.some(({ event }) => event === 'presence.end-not-stored')).toBe(true);
    await sql`alter table elsewhere rename to connections`.execute(w.db);
    await w.pass(0);
    await w.pass(5000);
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline']);
    await w.close();
  });

  test('a person stored as online without a connection becomes offline (PRES-6)', async () => {
    const { w } = await stage();
    const ada = await w.person('Ada');
    await w.db
      .updateTable('users')
      .set({ online: 1, presence_changed_at_ms: w.clock.now() })
      .where('uid', '=', ada.uid)
      .execute();
    await w.pass(30_000);
    expect(await w.stateOf(ada)).toBe('online');
    await w.pass(31_000);
    expect(await w.stateOf(ada)).toBe('offline');
    await w.close();
  });

  test('connections of a crashed server are reaped by the next one, and people who reconnected stay online (PRES-7)', async () => {
    const { w, databaseUrl, mara, ivo, room } = await stage();
    await w.close();
    const again = await openSocketWorld({ databaseUrl, clock: w.clock });
    // As after a crash: connections without a grace period, of a process that reported a moment ago.
    await again.db.updateTable('connections').set({ grace_until_ms: null }).execute();
    const { process_id } = await again.db.selectFrom('connections').select('process_id').executeTakeFirstOrThrow();
    await again.db.insertInto('processes').values({ process_id, seen_at_ms: again.clock.now() }).execute();
    const back = await again.connect(mara);
    valueOf(await back.ask('rooms/enter', room));
    await again.pass(29_999);
    expect(await again.stateOf(ivo)).toBe('online');
    await again.pass(1);
    await expect.poll(() => back.statesShown(ivo)).toEqual(['offline']);
    expect(await again.stateOf(mara)).toBe('online');
    await again.close();
  });

  test('a reload of the page is not shown', async () => {
    const { w, mara, ivo } = await stage();
    ivo.leave();
    await expect.poll(() => inGracePeriod(w, ivo)).toBe(1);
    await w.pass(1999);
    await w.connect(ivo);
    await w.pass(60_000);
    expect([await w.stateOf(ivo), mara.statesShown(ivo), inRoom(mara, ivo)]).toEqual(['online', [], []]);
    await w.close();
  });

  test('a person who connects and disconnects all the time is published once in 5 s, with the state of that moment (PRES-16)', async () => {
    const { w, mara, ivo, room } = await stage();
    await w.leave(ivo);
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline']);
    let tab = ivo;
    for (let times = 0; times < 10; times += 1) {
      tab = await w.connect(ivo);
      valueOf(await tab.ask('rooms/enter', room));
      tab.leave();
      await expect.poll(() => inGracePeriod(w, ivo)).toBe(times + 1);
    }
    tab = await w.connect(ivo);
    await w.pass(4999);
    expect([mara.statesShown(ivo), inRoom(mara, ivo)]).toEqual([['offline'], [false]]);
    await w.pass(1);
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline', 'online']);
    await expect.poll(() => inRoom(mara, ivo)).toEqual([false, true]);
    await w.close();
  });

  test('a change is sent once more, for tabs that were just opening', async () => {
    const { w, mara, ivo } = await stage();
    await w.leave(ivo);
    /** The changes sent so far: the answer to a request comes after them. */
    const sent = async () => {
      valueOf(await mara.ask('chats/list', {}));
      return mara.ephemeral.filter((each) => each.type === 'people/changed' && each.person.uid === ivo.uid);
    };
    const before = await sent();
    expect(before.at(-1)).toMatchObject({ person: { presence: { state: 'offline' } } });
    await w.pass(15_000);
    expect(await sent()).toEqual([...before, before.at(-1)]);
    await w.pass(15_000);
    await w.pass(15_000);
    expect(await sent()).toHaveLength(before.length + 1);
    await w.close();
  });
});

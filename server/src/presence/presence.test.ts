/** Presence over sockets: online with the first tab, offline with the last, patient with short losses, never stuck. */
import { ownStream } from '@tunemate/protocol';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeEachDialect } from '../../../testkit/src/dialects.ts';
import {
  openSocketWorld,
  type Person,
  type SocketWorld,
  type Tab,
  valueOf,
} from '../../../testkit/src/socket-world.ts';

const statesSeen = (watcher: Tab, of: Person): string[] =>
  watcher
    .changes(ownStream(watcher.uid))
    .flatMap((change) =>
      change.type === 'presence/changed' && change.presence.uid === of.uid ? [change.presence.state] : [],
    );

async function connections(w: SocketWorld, { uid }: Person): Promise<number> {
  return (await w.db.selectFrom('connections').select('uid').where('uid', '=', uid).execute()).length;
}

async function lingering(w: SocketWorld, { uid }: Person): Promise<number> {
  const rows = w.db.selectFrom('connections').select('uid').where('uid', '=', uid);
  return (await rows.where('lingers_until_ms', 'is not', null).execute()).length;
}

describeEachDialect('presence', (makeDatabaseUrl) => {
  /** Ivo and Mara met in a room of hers and are both in it. */
  async function stage() {
    const databaseUrl = await makeDatabaseUrl();
    const w = await openSocketWorld({ databaseUrl });
    const [mara, ivo] = [await w.arrive('Mara'), await w.arrive('Ivo')];
    const room = await w.room(mara, 'audio');
    await w.seat(mara, ivo, room);
    valueOf(await mara.ask('rooms/enter', room));
    valueOf(await ivo.ask('rooms/enter', room));
    return { w, databaseUrl, mara, ivo, room };
  }
  const inRoom = (tab: Tab, of: Person) =>
    tab
      .changes()
      .flatMap((each) => (each.type === 'rooms/participantPresence' && each.uid === of.uid ? [each.online] : []));

  test('PRES-1 of two tabs the first makes online and the last offline, for tunemates, the room and oneself', async () => {
    const { w, mara, ivo } = await stage();
    const second = await w.connect(ivo);
    expect(second.snapshot.user.online).toBe(true);
    ivo.leave();
    await w.pass(0);
    expect(await w.stateOf(ivo)).toBe('online');
    second.leave();
    await expect.poll(() => statesSeen(mara, ivo)).toEqual(['offline']);
    await expect.poll(() => inRoom(mara, ivo)).toEqual([false]);
    const back = await w.connect(ivo);
    await expect.poll(() => statesSeen(mara, ivo)).toEqual(['offline', 'online']);
    expect(back.snapshot.user.online).toBe(true);
    expect(back.snapshot.tunemates).toMatchObject([{ uid: mara.uid, presence: { state: 'online' } }]);
    await w.close();
  });

  test('PRES-2 a line that breaks shows to nobody for 40 s, and to everyone after', async () => {
    const { w, mara, ivo } = await stage();
    ivo.cut();
    await expect.poll(() => lingering(w, ivo)).toBe(1);
    await w.pass(39_999);
    expect(await w.stateOf(ivo)).toBe('online');
    await w.pass(1);
    await expect.poll(() => statesSeen(mara, ivo)).toEqual(['offline']);
    await w.close();
  });

  test('PRES-3 who is back within that time was never gone', async () => {
    const { w, mara, ivo } = await stage();
    ivo.cut();
    await expect.poll(() => lingering(w, ivo)).toBe(1);
    await w.pass(30_000);
    const back = await w.connect(ivo);
    await w.pass(30_000);
    expect(await w.stateOf(ivo)).toBe('online');
    back.leave();
    await expect.poll(() => statesSeen(mara, ivo)).toEqual(['offline']);
    await w.close();
  });

  test('PRES-4 ten tabs that come and go at once end where the last one leaves them', async () => {
    const { w, mara } = await stage();
    const ada = await w.person('Ada');
    const tabs = await Promise.all(Array.from({ length: 10 }, () => w.connect(ada)));
    tabs.slice(1).forEach((tab) => tab.leave());
    await expect.poll(() => connections(w, ada)).toBe(1);
    expect(await w.stateOf(ada)).toBe('online');
    tabs[0]?.leave();
    await expect.poll(() => w.stateOf(ada)).toBe('offline');
    expect(statesSeen(mara, ada)).toEqual([]);
    await w.close();
  });

  test('PRES-5 an end that the database did not take is written as soon as it does', async () => {
    const { w, mara, ivo } = await stage();
    await sql`alter table connections rename to elsewhere`.execute(w.db);
    ivo.leave();
    await expect.poll(() => w.app.log.some(({ event }) => event === 'presence.end-unwritten')).toBe(true);
    await sql`alter table elsewhere rename to connections`.execute(w.db);
    await w.pass(0);
    await expect.poll(() => statesSeen(mara, ivo)).toEqual(['offline']);
    await w.close();
  });

  test('PRES-6 whoever is called online without a connection is not for long', async () => {
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

  test('PRES-7 what a crashed server left behind is buried by the next one, and who is back by then stays online', async () => {
    const { w, databaseUrl, mara, ivo, room } = await stage();
    await w.close();
    const again = await openSocketWorld({ databaseUrl, clock: w.clock });
    // As a crash would have left it: connections that do not linger, of a process that spoke a moment ago.
    await again.db.updateTable('connections').set({ lingers_until_ms: null }).execute();
    const { process_id } = await again.db.selectFrom('connections').select('process_id').executeTakeFirstOrThrow();
    await again.db.insertInto('processes').values({ process_id, seen_at_ms: again.clock.now() }).execute();
    const back = await again.connect(mara);
    valueOf(await back.ask('rooms/enter', room));
    await again.pass(29_999);
    expect(await again.stateOf(ivo)).toBe('online');
    await again.pass(1);
    await expect.poll(() => statesSeen(back, ivo)).toEqual(['offline']);
    expect(await again.stateOf(mara)).toBe('online');
    await again.close();
  });
});

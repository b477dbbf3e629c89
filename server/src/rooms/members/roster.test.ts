/** Who is in a large room: its first page, pages and names on demand, joins as counts. Over real databases. */
import { type RoomKind, roomStream, type Uid, type WhichPeople } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { insertUsers } from '@tunemate/testkit/worlds/people';
import { openRoomWorld, type RoomWorld } from '@tunemate/testkit/worlds/room-world';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';

const uidOf = (n: number) => String(n).padStart(22, '0') as Uid;
const tableOf = { video: 'room_participants', audio: 'audioroom_participants' } as const;

/** Seats people called 'Guest 1', 'Guest 2' … in this order. */
async function fill({ database: { db } }: Pick<RoomWorld, 'database'>, kind: RoomKind, roomId: string, count: number) {
  const uids = Array.from({ length: count }, (_, n) => uidOf(n + 1));
  await insertUsers(
    db,
    uids.map((uid, n) => ({ uid, name: `Guest ${String(n + 1)}`, nowMs: 0 })),
  );
  const rows = uids.map((uid, n) => ({ room_id: roomId, uid, joined_at_ms: 1 + (n >> 1) }));
  await db.insertInto(tableOf[kind]).values(rows).execute();
}

describeEachDialect('the people of a room', (makeDatabaseUrl, dialect) => {
  describe.each([kindOn(dialect)])('of kind %s', (kind) => {
    async function stage(count: number) {
      const w = await openRoomWorld(await makeDatabaseUrl());
      const [host, ivo] = [await w.person('Mara'), await w.person('Ivo Baranov')];
      const room = await w.roomOf(host, kind);
      const { roomId } = valueOf(await w.handlers['rooms/enter'](host, room)).room;
      await fill(w, kind, roomId, count);
      const ask = async (which: WhichPeople) => valueOf(await w.handlers['rooms/people'](host, { ...room, which }));
      return { w, host, ivo, room, roomId, ask };
    }

    test('a room of a hundred names everybody, a larger one its first page and who enters', async () => {
      const { w, host, ivo, room, roomId } = await stage(98);
      await w.letIn(host, ivo, room);
      expect((await w.changesOf(roomStream(roomId))).at(-1)).toMatchObject({
        type: 'rooms/participantJoined',
        participant: { uid: ivo.uid },
        people: 100,
      });
      const small = valueOf(await w.handlers['rooms/enter'](ivo, room)).room;
      expect([small.people, small.participants.length]).toEqual([100, 100]);
      const ada = await w.person('Ada');
      await w.letIn(host, ada, room);
      expect((await w.changesOf(roomStream(roomId))).at(-1)).toEqual({ type: 'rooms/headCount', people: 101 });
      const large = valueOf(await w.handlers['rooms/enter'](ada, room)).room;
      expect([large.people, large.participants.length]).toEqual([101, 51]);
      expect(large.participants[0]?.uid).toBe(host.uid);
      expect(large.participants.at(-1)?.uid).toBe(ada.uid);
      expect(valueOf(await w.handlers['rooms/enter'](host, room)).room.participants).toHaveLength(50);
      valueOf(await w.handlers['rooms/leave'](ada, room));
      expect((await w.changesOf(roomStream(roomId))).at(-1)).toMatchObject({ uid: ada.uid, people: 100 });
      await w.close();
    });

    test('the page after the host is that of the guests', async () => {
      const { w, host, ask } = await stage(120);
      const first = (await ask({ type: 'after', uid: null })).participants.map(({ uid }) => uid);
      const { participants, hasMore } = await ask({ type: 'after', uid: host.uid });
      expect([first[0], first.slice(1)]).toEqual([host.uid, participants.slice(0, 49).map(({ uid }) => uid)]);
      expect([participants.length, hasMore]).toEqual([50, true]);
      await w.close();
    });

    test('the pages name everybody once, and people are found by letters and by themselves', async () => {
      const { w, host, ivo, room, ask } = await stage(120);
      await w.letIn(host, ivo, room);
      const seen: string[] = [];
      for (let after: Uid | null = null, hasMore = true; hasMore;) {
        const page = await ask({ type: 'after', uid: after });
        expect(page.participants.length).toBeLessThanOrEqual(50);
        seen.push(...page.participants.map(({ name }) => name));
        ({ hasMore } = page);
        after = page.participants.at(-1)?.uid ?? null;
      }
      expect(seen).toHaveLength(122);
      expect(new Set(seen).size).toBe(122);
      expect(seen[0]).toBe('Mara');
      const named = async (letters: string) =>
        (await ask({ type: 'named', letters })).participants.map(({ name }) => name);
      expect(await named('BARAN')).toEqual(['Ivo Baranov']);
      for (const typed of ['Guest 119', 'guést-119']) expect(await named(typed)).toEqual(['Guest 119']);
      expect((await ask({ type: 'named', letters: 'guest' })).hasMore).toBe(true);
      const these = await ask({ type: 'these', uids: [ivo.uid, uidOf(77), 'z'.repeat(22) as Uid] });
      expect(these.participants.map(({ name }) => name).sort()).toEqual(['Guest 77', 'Ivo Baranov']);
      // The last one known has left.
      expect((await ask({ type: 'after', uid: 'z'.repeat(22) as Uid })).participants).toHaveLength(50);
      await w.close();
    });
  });

  test('who comes online and goes is not broadcast in a large room', async () => {
    const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
    const [host, ivo] = [await w.arrive('Mara'), await w.arrive('Ivo')];
    const [small, large] = [await w.room(host, 'audio'), await w.room(host, 'video')];
    for (const room of [small, large]) await w.letIn(host, ivo, room);
    const ids = [];
    for (const room of [small, large]) ids.push(valueOf(await host.ask('rooms/enter', room)).room.roomId);
    await fill({ database: w as never }, 'video', ids[1] ?? '', 100);
    await w.leave(ivo);
    const sent = async (roomId: string) => {
      const rows = await w.db
        .selectFrom('stream_entries')
        .select('change')
        .where('stream', '=', `room:${roomId}`)
        .execute();
      return rows.filter(({ change }) => change.includes('rooms/participantPresence')).length;
    };
    expect(await Promise.all(ids.map(sent))).toEqual([1, 0]);
    await w.close();
  });
});

/** Who is in a large room: its first page, pages and names on demand, joins as counts. Over real databases. */
import { type RoomKind, roomStream, type Uid, type WhichPeople, limits, type RoomId } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { valueOf, codeOf, newClientId, refusalOf } from '@tunemate/testkit/answers';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { insertUsers } from '@tunemate/testkit/worlds/people';
import { openRoomWorld, type RoomWorld } from '@tunemate/testkit/worlds/room-world';
import { openSocketWorld, playbackSent, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';

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

    test('a room of a hundred names all people, a larger one its first page and who enters', async () => {
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
    });

    test('the page after the host is that of the guests', async () => {
      const { host, ask } = await stage(120);
      const first = (await ask({ type: 'after', uid: null })).participants.map(({ uid }) => uid);
      const { participants, hasMore } = await ask({ type: 'after', uid: host.uid });
      expect([first[0], first.slice(1)]).toEqual([host.uid, participants.slice(0, 49).map(({ uid }) => uid)]);
      expect([participants.length, hasMore]).toEqual([50, true]);
    });

    test('the pages name each person once, and people are found by letters and by themselves', async () => {
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
  });
});

/**
 * A room of more than a thousand people, over real databases and sockets: counted, not listed, and heard in time; and
 * what a room of a thousand does as before.
 */
describeEachDialect('an audience', (makeDatabaseUrl) => {
  const uidOf = (n: number) => String(n).padStart(22, '0') as Uid;

  async function rename({ app }: SocketWorld, { cookie }: Tab, name: string): Promise<void> {
    const answer = await fetch(`${app.url}/api/accounts/me`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', cookie, origin: app.url },
      body: JSON.stringify({ name }),
    });
    expect(answer.status).toBe(200);
  }

  /** Seats people called 'Guest 1', 'Guest 2' …, so that `people` are in the room. */
  async function fillTo({ db }: SocketWorld, kind: RoomKind, roomId: RoomId, people: number): Promise<void> {
    const table = kind === 'video' ? 'room_participants' : 'audioroom_participants';
    const inside = await db.selectFrom(table).select('uid').where('room_id', '=', roomId).execute();
    if (people <= inside.length) return;
    const uids = Array.from({ length: people - inside.length }, (_, n) => uidOf(n + 1));
    await insertUsers(
      db,
      uids.map((uid, n) => ({ uid, name: `Guest ${String(n + 1)}`, nowMs: 0 })),
    );
    const rows = uids.map((uid, n) => ({ room_id: roomId, uid, joined_at_ms: 1 + n }));
    for (let from = 0; from < rows.length; from += 200) {
      await db
        .insertInto(table)
        .values(rows.slice(from, from + 200))
        .execute();
    }
  }

  const audience = limits.audiencePeople + 1;

  async function stage(people: number, kind: RoomKind = 'video', env: Record<string, string> = {}) {
    const w = await openSocketWorld({
      databaseUrl: await makeDatabaseUrl(),
      env: { PEOPLE_PER_ROOM: '10000', ...env },
    });
    const [host, ivo, ada] = [await w.arrive('Mara'), await w.arrive('Ivo'), await w.arrive('Ada')];
    const { room, roomId, stream } = await w.roomWith(host, kind, ivo, ada);
    await fillTo(w, kind, roomId, people);
    // What was read of the room is kept by the number of its last change.
    valueOf(await host.ask('rooms/set', { ...room, settings: { slowSeconds: 5 } }));
    return { w, host, ivo, ada, room, roomId, stream };
  }
  const namesOf = ({ participants }: { participants: readonly { name: string }[] }) =>
    participants.map(({ name }) => name);
  const coming = (tab: Tab, stream: ReturnType<typeof roomStream>) =>
    tab.changes(stream).filter(({ type }) => /participantLeft|participantJoined|headCount/.test(type));

  test.each(['video', 'audio'] as const)('of a %s room is listed to the host alone (CROWD-1)', async (kind) => {
    const { host, ivo, ada, room } = await stage(audience, kind);
    const entered = async (tab: Tab) => valueOf(await tab.ask('rooms/enter', room)).room;
    const people = async (tab: Tab, which: Parameters<typeof listOf>[1]) => namesOf(await listOf(tab, which));
    const listOf = async (
      tab: Tab,
      which: { type: 'after'; uid: Uid | null } | { type: 'named'; letters: string } | { type: 'these'; uids: Uid[] },
    ) => valueOf(await tab.ask('rooms/people', { ...room, which }));
    const seen = await entered(ivo);
    expect([seen.people, namesOf(seen)]).toEqual([audience, ['Mara', 'Ivo']]);
    expect((await entered(host)).participants).toHaveLength(50);
    expect(await people(host, { type: 'named', letters: 'guest 77' })).toContain('Guest 77');
    expect(await people(host, { type: 'after', uid: null })).toHaveLength(50);
    for (const which of [
      { type: 'after', uid: null },
      { type: 'after', uid: host.uid },
      { type: 'after', uid: uidOf(7) },
      { type: 'named', letters: 'guest' },
      { type: 'named', letters: 'Guest 77' },
    ] as const) {
      expect((await people(ivo, which)).sort()).toEqual(['Ivo', 'Mara']);
    }
    expect(await people(ivo, { type: 'these', uids: [ada.uid] })).toEqual(['Ada']);
  });

  test('a thousand people are all listed to each of them', async () => {
    const { ivo, room } = await stage(limits.audiencePeople);
    expect(valueOf(await ivo.ask('rooms/enter', room)).room.participants).toHaveLength(51);
    const which = { type: 'named', letters: 'Guest 99' } as const;
    expect(namesOf(valueOf(await ivo.ask('rooms/people', { ...room, which })))).toContain('Guest 99');
  });

  test('who leaves learns so at once in every tab and hears no more; the others learn a number (CROWD-2)', async () => {
    const { w, host, ivo, ada, room, stream } = await stage(audience + 1);
    const second = await w.connect(ada);
    valueOf(await second.ask('rooms/enter', room));
    valueOf(await ada.ask('rooms/leave', room));
    const left = { type: 'rooms/participantLeft', uid: ada.uid, people: audience };
    for (const tab of [ada, second]) await expect.poll(() => coming(tab, stream)).toContainEqual(left);
    for (const tab of [host, ivo]) {
      await expect.poll(() => coming(tab, stream).at(-1)).toEqual({ type: 'rooms/headCount', people: audience });
      expect(coming(tab, stream)).not.toContainEqual(left);
    }
    valueOf(await host.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: 'a secret' }));
    const hears = (tab: Tab) => tab.changes(stream).some(({ type }) => type === 'rooms/messageSent');
    await expect.poll(() => hears(ivo)).toBe(true);
    expect([hears(ada), hears(second)]).toEqual([false, false]);
  });

  test('on the way down the first who leaves a thousand is named again, and on the way up joins are counts (CROWD-2)', async () => {
    const { w, host, ivo, ada, room, stream } = await stage(audience);
    const eve = await w.arrive('Eve');
    valueOf(await ada.ask('rooms/leave', room));
    await expect.poll(() => coming(host, stream).at(-1)).toEqual({ type: 'rooms/headCount', people: 1000 });
    valueOf(await ivo.ask('rooms/leave', room));
    const named = { type: 'rooms/participantLeft', uid: ivo.uid, people: 999 };
    await expect.poll(() => coming(host, stream).at(-1)).toEqual(named);
    for (const guest of [ivo, ada, eve]) {
      await w.letIn(host, guest, room);
      valueOf(await guest.ask('rooms/enter', room));
    }
    await expect.poll(() => coming(host, stream).at(-1)).toEqual({ type: 'rooms/headCount', people: 1002 });
  });

  test('who leaves and comes back at once is inside, and misses nothing after (CROWD-2)', async () => {
    const { host, ivo, room, stream } = await stage(audience + 5);
    valueOf(await host.ask('rooms/set', { ...room, settings: { admits: 'everybody' } }));
    for (let round = 0; round < 3; round += 1) {
      valueOf(await ivo.ask('rooms/leave', room));
      valueOf(await ivo.ask('rooms/askToJoin', room));
      valueOf(await ivo.ask('rooms/enter', room));
    }
    valueOf(await host.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: 'welcome back' }));
    await expect.poll(() => ivo.changes(stream).some(({ type }) => type === 'rooms/messageSent')).toBe(true);
    const [last] = ivo
      .changes(stream)
      .filter(({ type }) => type === 'rooms/headCount')
      .slice(-1);
    if (last) expect(last).toEqual({ type: 'rooms/headCount', people: audience + 5 });
  });

  test('a person whom the host removes is named, as in any room', async () => {
    const { host, ivo, ada, room, stream } = await stage(audience + 5);
    valueOf(await host.ask('rooms/removeParticipant', { ...room, uid: ada.uid, forGood: true }));
    const removed = { type: 'rooms/participantLeft', uid: ada.uid, people: audience + 4, removed: 'for-good' };
    for (const tab of [ivo, ada]) await expect.poll(() => coming(tab, stream)).toContainEqual(removed);
    expect(refusalOf(await ada.ask('rooms/enter', room))).toBe('room/removed');
  });

  test('learns the new name of its host and of no other person', async () => {
    const { w, host, ivo, ada, stream } = await stage(audience);
    for (const [tab, name] of [
      [ivo, 'Ivor'],
      [host, 'Maria'],
    ] as const) {
      await rename(w, tab, name);
    }
    const renamed = () =>
      ada.changes(stream).flatMap((change) => (change.type === 'rooms/participantRenamed' ? [change.name] : []));
    await expect.poll(renamed).toEqual(['Maria']);
  });

  test('present with more than a thousand connections hears commands with a lead of a second (CROWD-3)', async () => {
    const { w, host, room, roomId, stream } = await stage(10);
    valueOf(await host.ask('playback/takeControl', { ...room, tabId: host.tabId }));
    const write = async (intent: object) =>
      valueOf(
        await host.ask('playback/write', { ...room, tabId: host.tabId, clientId: newClientId(), intent } as never),
      );
    await write({ type: 'choose', track: trackOf(1) });
    const known = await w.db
      .selectFrom('connections')
      .selectAll()
      .where('tab_id', '=', host.tabId)
      .executeTakeFirstOrThrow();
    const here = Number(
      (
        await w.db
          .selectFrom('connections')
          .select((of) => of.fn.countAll().as('n'))
          .where('room', '=', `video:${roomId}`)
          .executeTakeFirstOrThrow()
      ).n,
    );
    const add = async (count: number, from: number) => {
      const rows = Array.from({ length: count }, (_, n) => ({
        ...known,
        connection_id: `c${String(from + n)}`,
        tab_id: newClientId(),
      }));
      for (let at = 0; at < rows.length; at += 100)
        await w.db
          .insertInto('connections')
          .values(rows.slice(at, at + 100))
          .execute();
    };
    const lead = async (): Promise<number> => {
      const before = playbackSent(host, stream).at(-1);
      await write({ type: before?.isPlaying ? 'pause' : 'play' });
      await expect.poll(() => playbackSent(host, stream).at(-1)?.revision).toBeGreaterThan(before?.revision ?? 0);
      return (playbackSent(host, stream).at(-1)?.updatedAt ?? 0) - w.clock.now();
    };
    await add(1000 - here, 0);
    expect(await lead()).toBeLessThan(300);
    await add(1, 5000);
    expect(await lead()).toBe(1000);
  });

  test('may be as large as the operator says, host or open door (CROWD-4)', async () => {
    const { w, host, room } = await stage(3, 'audio', { PEOPLE_PER_ROOM: '4' });
    const [eve, bea] = [await w.arrive('Eve'), await w.arrive('Bea')];
    for (const guest of [eve, bea]) valueOf(await guest.ask('rooms/askToJoin', room));
    const accept = (guest: Tab) => host.ask('rooms/acceptRequest', { ...room, uid: guest.uid });
    expect([codeOf(await accept(eve)), codeOf(await accept(bea))]).toEqual(['ok', 'room/full']);
    valueOf(await host.ask('rooms/set', { ...room, settings: { admits: 'everybody' } }));
    expect(refusalOf(await (await w.arrive('Cid')).ask('rooms/askToJoin', room))).toBe('room/full');
  });
});

/** What rooms have played: what counts, who sees which part of it and for how long, on both databases. */
import { limits, type PlaybackIntent, type RoomId, type RoomKind } from '@tunemate/protocol';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { openRoomWorld, type RoomWorld } from '@tunemate/testkit/worlds/room-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../../access/caller.ts';
import { mostPlayed } from '../../playback/playback-document.ts';
import { pruneHistories } from './history-store.ts';

const minute = 60_000;
const dayMs = 24 * 60 * minute;

describeEachDialect('what a room has played', (makeDatabaseUrl, dialect) => {
  let w: RoomWorld;
  let host: Caller;
  let guest: Caller;
  let room: { kind: RoomKind; code: string };
  beforeEach(async () => {
    w = await openRoomWorld(await makeDatabaseUrl());
    [host, guest] = [await w.person('Mara'), await w.person('Ivo')];
    room = await openRoom('video');
  });
  afterEach(() => w.close());

  async function openRoom(kind: RoomKind) {
    const opened = await w.roomOf(host, kind);
    valueOf(await w.handlers['playback/takeControl'](host, { ...opened, tabId: host.tabId }));
    return opened;
  }
  const write = async (intent: PlaybackIntent) =>
    valueOf(await w.handlers['playback/write'](host, { ...room, tabId: host.tabId, clientId: newClientId(), intent }));
  /** Plays it, for a minute. */
  async function play(n: number): Promise<void> {
    await write({ type: 'choose', track: trackOf(n, 300) });
    w.clock.advance(minute);
  }
  const inRoom = async (caller: Caller, before?: number) =>
    await w.handlers['rooms/played'](caller, { ...room, before });
  const titlesInRoom = async (caller = host) => valueOf(await inRoom(caller)).tracks.map(({ title }) => title);
  const histories = async (caller: Caller) => valueOf(await w.handlers['rooms/histories'](caller, {})).histories;
  async function own(caller: Caller, roomId?: RoomId): Promise<string[]> {
    const id = roomId ?? (await histories(caller))[0]?.roomId;
    if (id === undefined) return [];
    return valueOf(await w.handlers['rooms/history'](caller, { roomId: id })).tracks.map(({ title }) => title);
  }
  const leave = async (caller: Caller) => valueOf(await w.handlers['rooms/leave'](caller, room));
  const roomIdOf = async () => valueOf(await w.handlers['rooms/enter'](host, room)).room.roomId;
  const storedTracks = async () => (await w.database.db.selectFrom('played_tracks').select('track').execute()).length;

  describe.each([kindOn(dialect)])('in a room of kind %s', (kind) => {
    test('is what started to play for all, the latest first, with who proposed it and when', async () => {
      room = await openRoom(kind);
      await w.letIn(host, guest, room);
      await play(1);
      valueOf(await w.handlers['rooms/propose'](guest, { ...room, clientId: newClientId(), track: trackOf(2) }));
      const { proposals } = valueOf(await w.handlers['rooms/enter'](host, room)).room;
      const [proposal] = proposals;
      if (proposal === undefined) throw new Error('no proposal');
      await w.handlers['rooms/addProposal'](host, { ...room, clientId: newClientId(), proposalId: proposal.id });
      const startedAt = w.clock.now();
      await write({ type: 'next' });
      const { tracks, total, from } = valueOf(await inRoom(guest));
      expect(tracks.map(({ number, title, by }) => [number, title, by])).toEqual([
        [2, 'Track 2', { uid: guest.uid, name: 'Ivo' }],
        [1, 'Track 1', null],
      ]);
      expect([tracks[0]?.at, total, from]).toEqual([startedAt, 2, tracks[1]?.at]);
    });
  });

  test('has no track that was only queued or cued, and one for pauses, seeks and repeats of the same track', async () => {
    await write({ type: 'enqueue', track: trackOf(1, 300) });
    await write({ type: 'enqueue', track: trackOf(2, 300) });
    expect(await titlesInRoom()).toEqual([]);
    for (const type of ['play', 'pause', 'play'] as const) await write({ type });
    await write({ type: 'seek', videoId: trackOf(1).videoId, currentTime: 0 });
    w.clock.advance(minute);
    await write({ type: 'jump', currentIndex: 0 });
    expect(await titlesInRoom()).toEqual(['Track 1']);
  });

  test('has no track that was skipped within seconds', async () => {
    await play(1);
    for (const n of [2, 3, 4]) await write({ type: 'choose', track: trackOf(n, 300) });
    expect(await titlesInRoom()).toEqual(['Track 4', 'Track 1']);
  });

  test('names a video as its player did later', async () => {
    const videoId = 'dQw4w9WgXcQ' as ReturnType<typeof trackOf>['videoId'];
    await write({ type: 'choose', track: { videoId, title: videoId, durationSeconds: null } });
    // Its start is released meanwhile, which raises the revision.
    await expect
      .poll(async () => {
        const { revision } = valueOf(await w.handlers['rooms/enter'](host, room)).playback;
        await write({ type: 'named', revision, title: 'Rain, live' });
        return await titlesInRoom();
      })
      .toEqual(['Rain, live']);
  });

  test('is bounded for each room, and comes in pages', async () => {
    const { db } = w.database;
    await play(1);
    const roomId = await roomIdOf();
    const row = await db.selectFrom('played_tracks').selectAll().executeTakeFirstOrThrow();
    const filled = Array.from({ length: 498 }, (_, n) => ({ ...row, number: n + 2 }));
    await db.insertInto('played_tracks').values(filled).execute();
    const { playback } = { playback: 'tunemate_rooms' as const };
    const stored = await db.selectFrom(playback).selectAll().where('room_id', '=', roomId).executeTakeFirstOrThrow();
    const document = JSON.parse(stored.document) as { noted: { number: number } };
    document.noted.number = 549;
    await db
      .updateTable(playback)
      .set({ document: JSON.stringify(document) })
      .where('room_id', '=', roomId)
      .execute();
    await play(2);
    expect(await storedTracks()).toBeLessThanOrEqual(mostPlayed);
    const first = valueOf(await inRoom(host));
    expect([first.tracks.length, first.tracks[0]?.number]).toEqual([limits.playedPage, 550]);
    const second = valueOf(await inRoom(host, first.tracks.at(-1)?.number));
    expect(second.tracks[0]?.number).toBeLessThan(first.tracks.at(-1)?.number ?? 0);
  });

  test('is all seen by who comes later, in the room; at home only what played from then until they left (ROOM-43)', async () => {
    await play(1);
    await play(2);
    await w.letIn(host, guest, room);
    await play(3);
    expect(await titlesInRoom(guest)).toEqual(['Track 3', 'Track 2', 'Track 1']);
    expect((await histories(guest))[0]).toMatchObject({ code: room.code, name: 'Kitchen Radio', tracks: 2 });
    expect(await own(guest)).toEqual(['Track 3', 'Track 2']);
    await leave(guest);
    await play(4);
    expect((await histories(guest))[0]).toMatchObject({ code: null, tracks: 2 });
    expect(await own(guest)).toEqual(['Track 3', 'Track 2']);
    expect(codeOf(await inRoom(guest))).toBe('room/not-member');
    expect(await own(host)).toEqual(['Track 4', 'Track 3', 'Track 2', 'Track 1']);
  });

  test('ends with its time: a track that takes the number of one skipped at once is not shown to who has left (ROOM-43)', async () => {
    await w.letIn(host, guest, room);
    await play(1);
    await write({ type: 'choose', track: trackOf(2, 300) });
    await leave(guest);
    w.clock.advance(1000);
    await write({ type: 'choose', track: trackOf(3, 300) });
    w.clock.advance(minute);
    expect(await titlesInRoom()).toEqual(['Track 3', 'Track 1']);
    expect(await own(guest)).toEqual(['Track 1']);
    expect((await histories(guest))[0]).toMatchObject({ tracks: 1 });
  });

  test('goes on at home for a person who comes back', async () => {
    await w.letIn(host, guest, room);
    await play(1);
    await leave(guest);
    await w.letIn(host, guest, room);
    await play(2);
    expect(await own(guest)).toEqual(['Track 2', 'Track 1']);
    expect(await histories(guest)).toHaveLength(1);
  });

  test('is kept up to the removal for who was removed, and not seen by strangers (ROOM-43)', async () => {
    const stranger = await w.person('Eve');
    await w.letIn(host, guest, room);
    await play(1);
    valueOf(await w.handlers['rooms/removeParticipant'](host, { ...room, uid: guest.uid, forGood: true }));
    await play(2);
    const roomId = await roomIdOf();
    expect(await own(guest, roomId)).toEqual(['Track 1']);
    expect(await own(stranger, roomId)).toEqual([]);
    expect(codeOf(await inRoom(stranger))).toBe('room/not-member');
    // Nor does a stranger delete anything.
    valueOf(await w.handlers['rooms/forgetHistory'](stranger, { roomId }));
    expect(await own(guest, roomId)).toEqual(['Track 1']);
    expect(await own(host, roomId)).toEqual(['Track 2', 'Track 1']);
  });

  test('is kept for its members after the end of the room, for 90 days', async () => {
    await w.letIn(host, guest, room);
    await play(1);
    await leave(host);
    for (const person of [host, guest]) expect(await own(person)).toEqual(['Track 1']);
    w.clock.advance(2 * dayMs);
    await w.rooms.sweep();
    await pruneHistories(w.database.db, w.clock.now());
    expect(await own(guest)).toEqual(['Track 1']);
    w.clock.advance(89 * dayMs);
    await pruneHistories(w.database.db, w.clock.now());
    expect([await own(guest), await storedTracks()]).toEqual([[], 0]);
  });

  test('is bounded for each person: of very many rooms the latest are kept, and of a live one what was deleted', async () => {
    const { db } = w.database;
    await w.letIn(host, guest, room);
    await play(1);
    const roomId = await roomIdOf();
    valueOf(await w.handlers['rooms/forgetHistory'](guest, { roomId }));
    const live = await db
      .selectFrom('room_histories')
      .selectAll()
      .where('uid', '=', guest.uid)
      .executeTakeFirstOrThrow();
    const past = { ...live, after_number: 0, until_number: 1 };
    const left = Array.from({ length: 4 * limits.histories + 50 }, (_, n) => String(n + 1).padStart(4, '0'));
    await db
      .insertInto('room_histories')
      .values(left.map((room_id, n) => ({ ...past, room_id, until_ms: past.until_ms + n + 1 })))
      .execute();
    await pruneHistories(db, w.clock.now());
    const kept = await db
      .selectFrom('room_histories')
      .select('room_id')
      .where('uid', '=', guest.uid)
      .orderBy('until_ms', 'desc')
      .execute();
    expect(kept.map(({ room_id }) => room_id)).toEqual([...left.toReversed().slice(0, 4 * limits.histories), roomId]);
    expect(await own(guest, roomId)).toEqual([]);
  });

  test('is deleted by each person for themselves, and stored while one of them keeps it', async () => {
    await w.letIn(host, guest, room);
    await play(1);
    const roomId = await roomIdOf();
    await leave(host);
    valueOf(await w.handlers['rooms/forgetHistory'](guest, { roomId }));
    expect([await own(guest, roomId), await own(host, roomId)]).toEqual([[], ['Track 1']]);
    valueOf(await w.handlers['rooms/forgetHistory'](host, { roomId }));
    expect([await own(host, roomId), await storedTracks()]).toEqual([[], 0]);
  });

  test('deleted while the room lives is gone at home, stays in the room, and later tracks are kept', async () => {
    await play(1);
    const roomId = await roomIdOf();
    valueOf(await w.handlers['rooms/forgetHistory'](host, { roomId }));
    expect([await own(host, roomId), await titlesInRoom()]).toEqual([[], ['Track 1']]);
    await play(2);
    expect(await own(host, roomId)).toEqual(['Track 2']);
    await leave(host);
    expect(await own(host, roomId)).toEqual(['Track 2']);
  });

  test('is not kept for a person who wants none of it, and what was kept is deleted', async () => {
    await w.letIn(host, guest, room);
    await play(1);
    const earlier = await roomIdOf();
    await leave(host);
    valueOf(await w.handlers['rooms/keepHistory'](guest, { isKept: false }));
    expect(valueOf(await w.handlers['rooms/histories'](guest, {}))).toEqual({ isKept: false, histories: [] });
    expect(await own(guest, earlier)).toEqual([]);
    room = await openRoom('video');
    await w.letIn(host, guest, room);
    await play(2);
    expect(await own(guest, await roomIdOf())).toEqual([]);
    expect(await titlesInRoom(guest)).toEqual(['Track 2']);
    await leave(host);
    const kept = w.database.db.selectFrom('room_histories').select('uid').where('uid', '=', guest.uid);
    expect(await kept.execute()).toEqual([]);
    expect(await histories(host)).toHaveLength(2);
  });

  test('begins anew for a person who wants it again: what was deleted in a live room, or played meanwhile, stays away', async () => {
    await play(1);
    const roomId = await roomIdOf();
    const keep = async (isKept: boolean) => valueOf(await w.handlers['rooms/keepHistory'](host, { isKept }));
    await keep(false);
    await play(2);
    await keep(true);
    expect([await own(host, roomId), await histories(host)]).toEqual([[], []]);
    await play(3);
    // An answer that was lost.
    await keep(true);
    expect(await own(host, roomId)).toEqual(['Track 3']);
    await leave(host);
    expect(await own(host, roomId)).toEqual(['Track 3']);
  });

  test('where no person keeps it, ends with the room', async () => {
    await play(1);
    valueOf(await w.handlers['rooms/keepHistory'](host, { isKept: false }));
    await leave(host);
    expect(await storedTracks()).toBe(0);
  });

  test('goes with the account, and then names no person; the export has it', async () => {
    await w.letIn(host, guest, room);
    valueOf(await w.handlers['rooms/set'](host, { ...room, settings: { everyoneAdds: true } }));
    await play(1);
    valueOf(await w.handlers['rooms/propose'](guest, { ...room, clientId: newClientId(), track: trackOf(2) }));
    await write({ type: 'next' });
    const exported: object[] = [];
    for await (const each of w.rooms.accountHook.exports.whatWePlayed(guest.uid)) exported.push(each);
    expect(exported).toMatchObject([{ name: 'Kitchen Radio', tracks: [{ title: 'Track 2' }, { title: 'Track 1' }] }]);
    await w.rooms.accountHook.onDeleting?.(guest.uid);
    expect(valueOf(await inRoom(host)).tracks[0]).toMatchObject({ title: 'Track 2', by: null });
    const kept = w.database.db.selectFrom('room_histories').select('uid').where('uid', '=', guest.uid);
    expect(await kept.execute()).toEqual([]);
  });

  test('is exported whole, also of more rooms than are listed', async () => {
    await leave(host);
    const rooms = limits.histories + 2;
    for (let n = 0; n < rooms; n += 1) {
      room = await openRoom('video');
      await play(n);
      await leave(host);
    }
    expect(await histories(host)).toHaveLength(limits.histories);
    const titles: string[] = [];
    for await (const each of w.rooms.accountHook.exports.whatWePlayed(host.uid)) {
      titles.push(...(each as { tracks: { title: string }[] }).tracks.map(({ title }) => title));
    }
    expect(titles.toSorted()).toEqual(Array.from({ length: rooms }, (_, n) => `Track ${String(n)}`).toSorted());
  });

  test('a track that starts while the room ends is either kept or never started', async () => {
    await w.letIn(host, guest, room);
    await play(1);
    const choose = { type: 'choose', track: trackOf(2, 300) } as const;
    const [started] = await Promise.all([
      w.handlers['playback/write'](host, { ...room, tabId: host.tabId, clientId: newClientId(), intent: choose }),
      leave(host),
    ]);
    expect(await own(guest)).toEqual(started.ok ? ['Track 2', 'Track 1'] : ['Track 1']);
    expect(await storedTracks()).toBe(started.ok ? 2 : 1);
  });

  test('deleted in two tabs at once is gone once', async () => {
    await play(1);
    const roomId = await roomIdOf();
    const forget = () => w.handlers['rooms/forgetHistory'](host, { roomId });
    const answers = await Promise.all([forget(), forget(), leave(host), forget()]);
    expect(answers.map((answer) => ('ok' in answer ? answer.ok : true))).toEqual([true, true, true, true]);
    valueOf(await forget());
    expect(await own(host, roomId)).toEqual([]);
  });
});

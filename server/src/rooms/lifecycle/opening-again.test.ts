/** Rooms that ended: what is kept of them, who opens one again, and what the new room has. On both databases. */
import type { EndedRoom, PlaybackIntent, RoomId, RoomKind } from '@tunemate/protocol';
import { userStream } from '@tunemate/protocol';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { openRoomWorld, type RoomWorld } from '@tunemate/testkit/worlds/room-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Caller } from '../../access/caller.ts';
import { readPlayback } from '../../playback/playback-document.ts';
import { pruneEndedRooms } from './ended-rooms.ts';

const minute = 60_000;
const dayMs = 24 * 60 * minute;

describeEachDialect('a room that ended', (makeDatabaseUrl, dialect) => {
  const kind = kindOn(dialect);
  let w: RoomWorld;
  let host: Caller;
  let guest: Caller;
  let room: { kind: RoomKind; code: string };
  beforeEach(async () => {
    w = await openRoomWorld(await makeDatabaseUrl());
    [host, guest] = [await w.person('Mara'), await w.person('Ivo')];
    room = await open();
  });
  afterEach(() => w.close());

  async function open() {
    const opened = await w.roomOf(host, kind);
    valueOf(await w.handlers['playback/takeControl'](host, { ...opened, tabId: host.tabId }));
    return opened;
  }
  const write = async (intent: PlaybackIntent) =>
    valueOf(await w.handlers['playback/write'](host, { ...room, tabId: host.tabId, clientId: newClientId(), intent }));
  const end = async () => valueOf(await w.handlers['rooms/leave'](host, room));
  const before = async (caller = host) => valueOf(await w.handlers['rooms/before'](caller, {})).rooms;
  const only = async (): Promise<EndedRoom> => (await before())[0] ?? expect.fail('no room ended');
  const again = (roomId: RoomId, caller = host, clientId = newClientId()) =>
    w.handlers['rooms/openAgain'](caller, { clientId, roomId });
  const invitationsOf = async ({ uid }: Caller) =>
    (await w.changesOf(userStream(uid))).flatMap((change) =>
      change.type === 'notifications/added' ? [change.notification.room] : [],
    );

  test('opens again with its name, kind, settings and the queue from where it stopped, and invites who was there', async () => {
    const stranger = await w.person('Eve');
    await w.letIn(host, guest, room);
    await w.letIn(host, stranger, room);
    valueOf(await w.handlers['tunemates/remove'](host, { uid: stranger.uid }));
    for (const n of [1, 2, 3]) await write({ type: 'enqueue', track: trackOf(n, 300) });
    await write({ type: 'jump', currentIndex: 1 });
    valueOf(await w.handlers['rooms/set'](host, { ...room, settings: { everyoneAdds: true, admits: 'friends' } }));
    w.clock.advance(minute);
    await end();
    const ended = await only();
    expect(ended).toMatchObject({ kind, code: room.code, name: 'Kitchen Radio', left: 2 });
    expect(ended.people.map(({ name }) => name)).toEqual(['Ivo', 'Eve']);

    const opened = valueOf(await again(ended.roomId));
    expect(opened).toMatchObject({ kind, invited: 1 });
    expect(opened.code).not.toBe(room.code);
    const entered = valueOf(await w.handlers['rooms/enter'](host, { kind, code: opened.code }));
    expect(entered.room).toMatchObject({ name: 'Kitchen Radio', everyoneAdds: true, majoritySkips: false });
    expect(entered.hostSettings).toMatchObject({ admits: 'friends' });
    expect(await playingIn(opened)).toEqual({ tracks: ['Track 2', 'Track 3'], at: 60, plays: false });
    expect(await invitationsOf(guest)).toMatchObject([{ code: opened.code, name: 'Kitchen Radio' }]);
    expect(await invitationsOf(stranger)).toEqual([]);
    expect(await before()).toEqual([]);
  });

  async function playingIn({ kind: of, code }: { kind: RoomKind; code: string }) {
    const { roomId } = valueOf(await w.handlers['rooms/enter'](host, { kind: of, code })).room;
    const { timeline, queue } =
      (await readPlayback(w.database.db, { kind: of, roomId }))?.playback ?? expect.fail('ended');
    return {
      tracks: queue.videoQueue.map(({ title }) => title),
      at: Math.round(timeline.positionSeconds),
      plays: timeline.isPlaying,
    };
  }

  test('is opened once, however often that is asked', async () => {
    await w.letIn(host, guest, room);
    await end();
    const { roomId } = await only();
    const clientId = newClientId();
    const answers = await Promise.all([again(roomId, host, clientId), again(roomId, host, clientId)]);
    expect(new Set(answers.map((answer) => valueOf(answer).code)).size).toBe(1);
    expect(codeOf(await again(roomId))).toBe('access/not-found');
    expect(await invitationsOf(guest)).toHaveLength(1);
  });

  test('is opened by the person who hosted it when it ended, and by no other', async () => {
    await w.letIn(host, guest, room);
    await end();
    const { roomId } = await only();
    expect(await before(guest)).toEqual([]);
    expect(codeOf(await again(roomId, guest))).toBe('access/not-found');
  });

  test('invites no one across a block, and names no one of them', async () => {
    await w.letIn(host, guest, room);
    await end();
    valueOf(await w.handlers['chats/block'](guest, { uid: host.uid, isBlocked: true }));
    const ended = await only();
    expect(ended.people).toEqual([]);
    expect(valueOf(await again(ended.roomId)).invited).toBe(0);
    expect(await invitationsOf(guest)).toEqual([]);
  });

  test('is kept for 30 days, and not at all where nothing was queued and no one came', async () => {
    await end();
    expect(await before()).toEqual([]);
    room = await open();
    await write({ type: 'enqueue', track: trackOf(1, 300) });
    await end();
    const { roomId } = await only();
    w.clock.advance(30 * dayMs + 1);
    expect(await before()).toEqual([]);
    expect(codeOf(await again(roomId))).toBe('access/not-found');
    await pruneEndedRooms(w.database.db, w.clock.now());
    expect(await w.database.db.selectFrom('ended_rooms').select('room_id').execute()).toEqual([]);
  });

  test('begins its last track anew where that had ended', async () => {
    await write({ type: 'choose', track: trackOf(1, 60) });
    w.clock.advance(5 * minute);
    await end();
    expect(await playingIn(valueOf(await again((await only()).roomId)))).toMatchObject({ at: 0, plays: false });
  });

  test('goes with the account of its host, and its people with theirs', async () => {
    await w.letIn(host, guest, room);
    await end();
    await w.rooms.accountHook.onDeleting(guest.uid);
    expect(await w.database.db.selectFrom('ended_room_people').select('uid').execute()).toEqual([]);
    await w.rooms.accountHook.onDeleting(host.uid);
    expect(await w.database.db.selectFrom('ended_rooms').select('room_id').execute()).toEqual([]);
  });
});

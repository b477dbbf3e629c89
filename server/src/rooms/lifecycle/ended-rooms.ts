/**
 * Stores rooms that ended, for 30 days: what the host needs to open one again. Every function takes the database or
 * transaction to use.
 */
import { thumbnailOf } from '@tunemate/domain';
import { positionAt } from '@tunemate/playback';
import { afterTrack, type EndedRoom, limits, type RoomId, type Uid } from '@tunemate/protocol';
import { z } from 'zod';
import type { RoomRow } from '../../access/subjects.ts';
import { withoutBlocks } from '../../people/blocks.ts';
import { type PlaybackState, readPlayback } from '../../playback/playback-document.ts';
import { peopleOf } from '../../storage/people.ts';
import type { Writing } from '../../storage/record.ts';
import { type Db, type RoomRef, roomTables } from '../../storage/schema.ts';
import { storedTracks } from '../../storage/stored-track.ts';
import { chosenSettings } from '../hosting/settings.ts';

const keptMs = 30 * 24 * 60 * 60 * 1000;

const storedQueue = z.strictObject({
  tracks: storedTracks,
  positionSeconds: z.number(),
  afterTrack,
});
export type StoredQueue = z.infer<typeof storedQueue>;

/** The queue of a room from where it is now. A last track that has ended is there from its beginning. */
function queueFrom({ timeline, queue, afterTrack: after }: PlaybackState, nowMs: number): StoredQueue {
  const tracks = queue.videoQueue
    .slice(queue.currentIndex)
    .map(({ videoId, title, durationSeconds }) => ({ videoId, title, durationSeconds }));
  const positionSeconds = timeline.trackKey === null ? 0 : positionAt(timeline, nowMs);
  const hasEnded = positionSeconds >= (tracks[0]?.durationSeconds ?? Infinity);
  const left = hasEnded && tracks.length > 1 ? tracks.slice(1) : tracks;
  return { tracks: left, positionSeconds: hasEnded ? 0 : positionSeconds, afterTrack: after };
}

/** Before a room is closed: stores what its host needs to open it again. One in which nothing happened is not stored. */
export async function keepEndedRoom({ db, nowMs }: Pick<Writing, 'db' | 'nowMs'>, room: RoomRow): Promise<void> {
  const { kind, roomId, code, name, host } = room;
  const stored = await readPlayback(db, { kind, roomId });
  const people = await lastPeople(db, { kind, roomId }, host);
  const queue = stored && queueFrom(stored.playback, nowMs);
  if (!queue || (queue.tracks.length === 0 && people.length === 0)) return;
  const row = { room_id: roomId, host, kind, code, name, ended_at_ms: nowMs };
  await db
    .insertInto('ended_rooms')
    .values({ ...row, settings: JSON.stringify(chosenSettings(room)), playback: JSON.stringify(queue) })
    .execute();
  if (people.length > 0) {
    const rows = people.map((uid) => ({ room_id: roomId, uid }));
    await db.insertInto('ended_room_people').values(rows).execute();
  }
  await keepLatest(db, host);
}

async function lastPeople(db: Db, { kind, roomId }: RoomRef, host: Uid): Promise<Uid[]> {
  const rows = await db
    .selectFrom(roomTables[kind].participants)
    .select('uid')
    .where('room_id', '=', roomId)
    .where('uid', '!=', host)
    .orderBy('joined_at_ms')
    .orderBy('uid')
    .limit(limits.endedRoomPeople)
    .execute();
  return rows.map(({ uid }) => uid as Uid);
}

/** Of one host only so many are kept. */
async function keepLatest(db: Db, host: Uid): Promise<void> {
  const more = await db
    .selectFrom('ended_rooms')
    .select('room_id')
    .where('host', '=', host)
    .orderBy('ended_at_ms', 'desc')
    .orderBy('room_id')
    .limit(limits.endedRooms + 10)
    .execute();
  const rooms = more.slice(limits.endedRooms).map(({ room_id: roomId }) => roomId);
  if (rooms.length > 0) await db.deleteFrom('ended_rooms').where('room_id', 'in', rooms).execute();
}

/** The rooms that ended while this person hosted them, the latest first. */
export async function endedRoomsOf(db: Db, host: Uid, nowMs: number): Promise<EndedRoom[]> {
  const rows = await db
    .selectFrom('ended_rooms')
    .selectAll()
    .where('host', '=', host)
    .where('ended_at_ms', '>', nowMs - keptMs)
    .orderBy('ended_at_ms', 'desc')
    .limit(limits.endedRooms)
    .execute();
  if (rows.length === 0) return [];
  const there = await db
    .selectFrom('ended_room_people')
    .select(['room_id', 'uid'])
    .where(
      'room_id',
      'in',
      rows.map(({ room_id: roomId }) => roomId),
    )
    .execute();
  const uids = [...new Set(there.map(({ uid }) => uid as Uid))];
  const people = await peopleOf(db, await withoutBlocks(db, host, uids));
  return rows.map((row) => {
    const { tracks } = storedQueue.parse(JSON.parse(row.playback));
    const [first] = tracks;
    return {
      roomId: row.room_id as RoomId,
      kind: row.kind,
      code: row.code as EndedRoom['code'],
      name: row.name,
      endedAt: row.ended_at_ms,
      thumbnail: first ? thumbnailOf(first.videoId) : null,
      left: tracks.length,
      people: there.flatMap(({ room_id: roomId, uid }) => {
        const person = roomId === row.room_id ? people.get(uid as Uid) : undefined;
        return person ? [{ uid: person.uid, name: person.name }] : [];
      }),
    };
  });
}

/** Deletes what is older than 30 days. Runs on a timer. */
export async function pruneEndedRooms(db: Db, nowMs: number): Promise<void> {
  await db
    .deleteFrom('ended_rooms')
    .where('ended_at_ms', '<=', nowMs - keptMs)
    .execute();
}

/** For a deleted account. */
export async function forgetEndedRoomsOf(db: Db, uid: Uid): Promise<void> {
  await db.deleteFrom('ended_rooms').where('host', '=', uid).execute();
  await db.deleteFrom('ended_room_people').where('uid', '=', uid).execute();
}

/** One of this person's, to open it again; null where there is none. */
export async function endedRoomOf(db: Db, host: Uid, endedId: RoomId, nowMs: number) {
  const row = await db
    .selectFrom('ended_rooms')
    .select(['kind', 'name', 'settings', 'playback'])
    .where('room_id', '=', endedId)
    .where('host', '=', host)
    .where('ended_at_ms', '>', nowMs - keptMs)
    .executeTakeFirst();
  if (!row) return null;
  const { kind, name, settings, playback } = row;
  return {
    ...{ kind, name, settings },
    queue: storedQueue.parse(JSON.parse(playback)),
  };
}

/** Who was there last beside this host, of the people whom neither blocks. */
export async function peopleLastIn(db: Db, host: Uid, endedId: RoomId): Promise<Uid[]> {
  const rows = await db
    .selectFrom('ended_room_people')
    .innerJoin('ended_rooms', 'ended_rooms.room_id', 'ended_room_people.room_id')
    .select('ended_room_people.uid')
    .where('ended_room_people.room_id', '=', endedId)
    .where('ended_rooms.host', '=', host)
    .orderBy('ended_room_people.uid')
    .execute();
  const there = rows.map(({ uid }) => uid as Uid);
  return [...(await peopleOf(db, await withoutBlocks(db, host, there))).keys()];
}

export async function forgetEndedRoom(db: Db, endedId: RoomId): Promise<void> {
  await db.deleteFrom('ended_rooms').where('room_id', '=', endedId).execute();
}

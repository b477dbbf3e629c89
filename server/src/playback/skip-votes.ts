/**
 * Votes to skip what a room plays. They are counted among the guests who are present; the host decides, or, where the
 * host said so, more than half of those guests: as soon as they are, whether by a vote or because others went.
 */
import { isMajority } from '@tunemate/domain';
import { type Payload, type Result, type RoomId, roomStream, type Uid } from '@tunemate/protocol';
import type { Handlers, Member } from '../access/subjects.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Db, RoomRef } from '../storage/schema.ts';
import { accept, type Nothing } from '../system/ports.ts';
import { readPlayback } from './playback-document.ts';

export interface SkipVotesDeps {
  record: StreamRecord;
  /** The guests who are online, of a live room whose host lets a majority skip; null of others. */
  votersIn: (db: Db, room: RoomRef) => Promise<readonly Uid[] | null>;
  /** Goes on from what plays, unless it is no longer wanted inside the write. */
  skip: (room: RoomRef, isWanted: (db: Db) => Promise<boolean>) => Promise<void>;
}

export function skipVotesService({ record, votersIn, skip }: SkipVotesDeps) {
  /** All votes are for the track that plays: another one begins without any. */
  async function isWantedIn(db: Db, room: RoomRef): Promise<boolean> {
    const votes = new Set(await skipVotesIn(db, room.roomId));
    const voters = votes.size === 0 ? null : await votersIn(db, room);
    return voters !== null && isMajority(voters.filter((uid) => votes.has(uid)).length, voters.length);
  }

  /** Skips where a majority wants it. Asked again inside the write: of two reasons at once one skips. */
  async function judge(room: RoomRef): Promise<void> {
    if (await isWantedIn(record.db, room)) await skip(room, (db) => isWantedIn(db, room));
  }

  async function vote(
    { caller: { uid }, write }: Member,
    { videoId, isOn }: Payload<'playback/voteToSkip'>,
  ): Promise<Result<Nothing>> {
    const voted = await write([], async (writing, { room }) => {
      const stored = await readPlayback(writing.db, room);
      if (stored?.playback.timeline.trackKey === videoId) await setVote(writing, room.roomId, uid, isOn);
      return accept(room);
    });
    if (!voted.ok) return voted;
    if (isOn) await judge(voted.value);
    return accept({});
  }

  return { handlers: { 'playback/voteToSkip': vote } satisfies Partial<Handlers>, judge };
}

async function setVote(writing: Writing, roomId: RoomId, uid: Uid, isOn: boolean): Promise<void> {
  if ((await skipVotesIn(writing.db, roomId)).includes(uid) === isOn) return;
  await saveSkipVote(writing.db, roomId, uid, isOn);
  await writing.append(roomStream(roomId), { type: 'rooms/skipVoted', uid, isOn });
}

/** Takes back the vote of a person who leaves. */
export const forgetSkipVoteOf = (writing: Writing, { roomId }: RoomRef, uid: Uid): Promise<void> =>
  setVote(writing, roomId, uid, false);

/** All who vote, in the room or not. */
export async function skipVotesIn(db: Db, roomId: RoomId): Promise<Uid[]> {
  const rows = await db.selectFrom('skip_votes').select('uid').where('room_id', '=', roomId).orderBy('uid').execute();
  return rows.map(({ uid }) => uid as Uid);
}

async function saveSkipVote(db: Db, roomId: RoomId, uid: Uid, isOn: boolean): Promise<void> {
  if (isOn) await db.insertInto('skip_votes').values({ room_id: roomId, uid }).execute();
  else await db.deleteFrom('skip_votes').where('room_id', '=', roomId).where('uid', '=', uid).execute();
}

/** For a deleted account. */
export async function deleteSkipVotesOf(db: Db, uid: Uid): Promise<void> {
  await db.deleteFrom('skip_votes').where('uid', '=', uid).execute();
}

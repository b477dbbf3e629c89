/**
 * What goes with an account: its memberships and rooms end when it is deleted, a new name reaches the rooms it is in, and
 * the export has all that rooms store of one person, read a page at a time.
 */
import { limits, type RoomKind, roomKinds, roomStream, type StreamId, type Uid } from '@tunemate/protocol';
import { inPages, pageSize } from '../../storage/pages.ts';
import type { StreamRecord, Writing } from '../../storage/record.ts';
import { chosenSettings } from '../hosting/settings.ts';
import { exportedHistories, keepsHistory } from '../history/history-store.ts';
import { liveRoomsOfPeople } from '../members/roster.ts';
import { exportedCounts } from '../suggested/heard-counts-store.ts';
import type { RoomEndings } from './room-endings.ts';
import { endedRoomsOf } from './ended-rooms.ts';
import { roomsHostedBy } from './rooms-store.ts';
import { type Db, roomTables } from '../../storage/schema.ts';

export const roomsAccountHook = ({ db }: StreamRecord, endings: Pick<RoomEndings, 'removePerson'>) => ({
  onDeleting: (uid: Uid) => endings.removePerson(uid),
  streamsOfRename: roomStreamsOf,
  onRenaming: async (writing: Writing, uid: Uid, name: string) =>
    await writing.append(await roomStreamsOf(writing.db, uid), { type: 'rooms/participantRenamed', uid, name }),
  exports: {
    roomsHosted: (uid: Uid) => hostedRoomsOf(db, uid),
    roomsToOpenAgain: (uid: Uid) => endedRoomsOf(db, uid, 0),
    roomsJoined: (uid: Uid) => membershipsOf(db, uid),
    joinRequests: (uid: Uid) => ownRequests(db, uid),
    roomInvitations: (uid: Uid) => ownInvitations(db, uid),
    roomMessages: (uid: Uid) => ownRoomMessages(db, uid),
    roomStamps: (uid: Uid) => ownRoomStamps(db, uid),
    proposalVotes: (uid: Uid) => ownProposalVotes(db, uid),
    skipVotes: (uid: Uid) => ownSkipVotes(db, uid),
    keepsWhatWePlayed: (uid: Uid) => keepsHistory(db, uid),
    whatWePlayed: (uid: Uid) => exportedHistories(db, uid),
    heardCounts: (uid: Uid) => exportedCounts(db, uid),
  },
});

/** An audience learns the new name of its host alone. */
const roomStreamsOf = async (db: Db, uid: Uid): Promise<StreamId[]> =>
  ((await liveRoomsOfPeople(db, [uid], limits.audiencePeople)).get(uid) ?? []).flatMap(({ roomId, isLarge, isHost }) =>
    isLarge && !isHost ? [] : [roomStream(roomId)],
  );

/** The rooms that this person hosts, with the settings that they chose. */
async function hostedRoomsOf(db: Db, uid: Uid) {
  const rooms = (await Promise.all(roomKinds.map((kind) => roomsHostedBy(db, kind, uid)))).flat();
  return rooms.map((room) => {
    const { kind, code, name, createdAtMs, isActive } = room;
    const settings = chosenSettings(room);
    return { kind, code, name, createdAtMs, isActive, ...(Object.keys(settings).length > 0 && { settings }) };
  });
}

/** The rooms of which this person is a member, ended ones too while they are stored. */
async function* membershipsOf(db: Db, uid: Uid): AsyncGenerator<object> {
  for (const kind of roomKinds) {
    const memberships = inPages<{ room_id: string; joined_at_ms: number; code: string }>(async (last) => {
      const rows = await db
        .selectFrom(roomTables[kind].participants)
        .select(['room_id', 'joined_at_ms'])
        .where('uid', '=', uid)
        .where('room_id', '>', last?.room_id ?? '')
        .orderBy('room_id')
        .limit(pageSize)
        .execute();
      return await withCodes(db, kind, rows);
    });
    for await (const { code, joined_at_ms: joinedAt } of memberships) yield { kind, code, joinedAt };
  }
}

/** This person's requests to join, and their results. */
async function* ownRequests(db: Db, uid: Uid): AsyncGenerator<object> {
  for (const kind of roomKinds) {
    const requests = inPages<{ room_id: string; status: string; asked_at_ms: number; code: string }>(async (last) => {
      const rows = await db
        .selectFrom(roomTables[kind].requests)
        .select(['room_id', 'status', 'asked_at_ms'])
        .where('uid', '=', uid)
        .where('room_id', '>', last?.room_id ?? '')
        .orderBy('room_id')
        .limit(pageSize)
        .execute();
      return await withCodes(db, kind, rows);
    });
    for await (const { code, status, asked_at_ms: askedAt } of requests) yield { kind, code, status, askedAt };
  }
}

/** Invitations to live rooms that this person received. */
async function* ownInvitations(db: Db, uid: Uid): AsyncGenerator<object> {
  for (const kind of roomKinds) {
    const invitations = inPages<{ room_id: string; by_host_at_ms: number | null; code: string }>(async (last) => {
      const rows = await db
        .selectFrom('room_invitations')
        .select(['room_id', 'by_host_at_ms'])
        .where('uid', '=', uid)
        .where('room_id', '>', last?.room_id ?? '')
        .where('room_id', 'in', (inner) => inner.selectFrom(roomTables[kind].rooms).select('room_id'))
        .orderBy('room_id')
        .limit(pageSize)
        .execute();
      return await withCodes(db, kind, rows);
    });
    for await (const { code, by_host_at_ms: byHostAt } of invitations) yield { kind, code, byHostAt };
  }
}

interface Said {
  room_id: string;
  number: number;
  text: string;
  is_deleted: number;
  deleted_by_host: number;
  timestamp_ms: number;
  code: string;
}

/** This person's messages in rooms; they are deleted with the room. */
export async function* ownRoomMessages(db: Db, uid: Uid): AsyncGenerator<object> {
  for (const kind of roomKinds) {
    const said = inPages<Said>(async (last) => {
      const own = db
        .selectFrom(roomTables[kind].chat)
        .select(['room_id', 'number', 'text', 'is_deleted', 'deleted_by_host', 'timestamp_ms'])
        .where('sender', '=', uid);
      const after = own.where((either) =>
        either.or([
          either('room_id', '>', last?.room_id ?? ''),
          either('room_id', '=', last?.room_id ?? '').and('number', '>', last?.number ?? 0),
        ]),
      );
      return await withCodes(db, kind, await after.orderBy('room_id').orderBy('number').limit(pageSize).execute());
    });
    for await (const { code, text, timestamp_ms: timestamp, ...row } of said) {
      const deleted = { isDeleted: true, ...(row.deleted_by_host === 1 && { isDeletedByHost: true }) };
      yield { kind, code, text, timestamp, ...(row.is_deleted === 1 && deleted) };
    }
  }
}

/** The stamps that this person pressed on messages in rooms; they are deleted with the room. */
export async function* ownRoomStamps(db: Db, uid: Uid): AsyncGenerator<object> {
  for (const kind of roomKinds) {
    const pressed = inPages<{ room_id: string; message_id: string; stamp: string; code: string }>(async (last) => {
      const own = db
        .selectFrom(roomTables[kind].stamps)
        .select(['room_id', 'message_id', 'stamp'])
        .where('uid', '=', uid)
        .where(({ refTuple, tuple, eb }) =>
          eb(
            refTuple('room_id', 'message_id', 'stamp'),
            '>',
            tuple(last?.room_id ?? '', last?.message_id ?? '', last?.stamp ?? ''),
          ),
        );
      const rows = await own.orderBy('room_id').orderBy('message_id').orderBy('stamp').limit(pageSize).execute();
      return await withCodes(db, kind, rows);
    });
    for await (const { code, stamp } of pressed) yield { kind, code, stamp };
  }
}

/** The proposals in rooms for which this person votes, their own too; they are deleted with the room. */
async function* ownProposalVotes(db: Db, uid: Uid): AsyncGenerator<object> {
  for (const kind of roomKinds) {
    const voted = inPages<{ room_id: string; proposal_id: string; track: string; code: string }>(async (last) => {
      const rows = await db
        .selectFrom('proposal_votes')
        .innerJoin('proposals', 'proposals.proposal_id', 'proposal_votes.proposal_id')
        .select(['proposals.room_id', 'proposals.proposal_id', 'proposals.track'])
        .where('uid', '=', uid)
        .where('proposals.room_id', 'in', (inner) => inner.selectFrom(roomTables[kind].rooms).select('room_id'))
        .where('proposals.proposal_id', '>', last?.proposal_id ?? '')
        .orderBy('proposals.proposal_id')
        .limit(pageSize)
        .execute();
      return await withCodes(db, kind, rows);
    });
    for await (const { code, track } of voted) yield { kind, code, track: JSON.parse(track) as unknown };
  }
}

/** The rooms in which this person votes to skip what plays. */
async function ownSkipVotes(db: Db, uid: Uid): Promise<object[]> {
  const votes = roomKinds.map(async (kind) => {
    const rows = await db
      .selectFrom('skip_votes')
      .select('room_id')
      .where('uid', '=', uid)
      .where('room_id', 'in', (inner) => inner.selectFrom(roomTables[kind].rooms).select('room_id'))
      .execute();
    return (await withCodes(db, kind, rows)).map(({ code }) => ({ kind, code }));
  });
  return (await Promise.all(votes)).flat();
}

async function withCodes<Row extends { room_id: string }>(
  db: Db,
  kind: RoomKind,
  rows: readonly Row[],
): Promise<(Row & { code: string })[]> {
  if (rows.length === 0) return [];
  const rooms = await db
    .selectFrom(roomTables[kind].rooms)
    .select(['room_id', 'code'])
    .where('room_id', 'in', [...new Set(rows.map((row) => row.room_id))])
    .execute();
  const codes = new Map(rooms.map((room) => [room.room_id, room.code]));
  return rows.map((row) => ({ ...row, code: codes.get(row.room_id) ?? '' }));
}

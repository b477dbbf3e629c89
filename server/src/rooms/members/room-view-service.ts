/**
 * Entering a room with a connection: its snapshot, and from then on its changes. Closing the page ends the connection,
 * not the membership.
 */
import { openOffer } from '@tunemate/domain';
import {
  hostStream,
  type PlaybackDocument,
  type RoomDocument,
  type RoomSnapshot,
  roomStream,
  type StreamId,
  type Result,
} from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Handlers, Member, Membership, RoomRow } from '../../access/subjects.ts';
import { accept, type Clock, refuse } from '../../system/ports.ts';
import type { Caller } from '../../access/caller.ts';
import type { StreamRecord } from '../../storage/record.ts';
import type { Schema } from '../../storage/schema.ts';
import { proposalsIn, toProposal } from '../proposals/proposals-store.ts';
import { messagePage, withOwnStamps } from '../chat/room-chat-store.ts';
import { pendingRequests } from '../join/requests-store.ts';
import { type Roster, rosterOf, somePeople } from './roster-store.ts';
import { type SharedView, sharedViews } from './shared-view.ts';

type Db = Kysely<Schema>;

export interface RoomViewDeps {
  record: StreamRecord;
  clock: Clock;
  /** Null when it has just been deleted with the room. */
  playbackOf: (db: Db, kind: RoomRow['kind'], roomId: RoomRow['roomId']) => Promise<PlaybackDocument | null>;
  skipVotesOf: (db: Db, roomId: RoomRow['roomId']) => Promise<SharedView['skipVotes']>;
  /** Those of `others` whom `by` has blocked. */
  blockedAmong: (db: Db, by: Caller['uid'], others: readonly Caller['uid'][]) => Promise<ReadonlySet<Caller['uid']>>;
  /**
   * Reads while delivery is paused and then subscribes the connection, so that no change is lost in between. `read` gets
   * the number of the stream's last change.
   */
  subscribe: <T>(caller: Caller, stream: StreamId, read: (seq: number) => Promise<Result<T>>) => Promise<Result<T>>;
  unsubscribe: (caller: Caller, stream: StreamId) => void;
  /** Stores which room this connection is in now; null for none. Answers the other room that it was in before. */
  moveTo: (caller: Caller, room: RoomRow | null) => Promise<{ roomId: RoomRow['roomId'] } | null>;
}

/** Reads as of a number of the room's stream, and for its host of their own. */
type ReadAt<T> = (seq: number, hostSeq: number | null) => Promise<Result<T>>;

export function roomViewService(deps: RoomViewDeps) {
  const { record, clock } = deps;
  const viewAt = sharedViews();

  const enter = (member: Member): Promise<Result<RoomSnapshot>> =>
    member.read(async (before) => {
      const { caller } = member;
      const { room } = before;
      const left = await deps.moveTo(caller, room);
      // A connection is in one room at a time.
      if (left) unsubscribe(caller, left);
      let entered = await subscribe(member, before);
      if (!entered.ok && entered.error.code === 'room/host-changed') {
        entered = await member.read((now) => subscribe(member, now));
      }
      if (!entered.ok) await deps.moveTo(caller, null);
      return entered;
    });

  /** The host follows their own stream of the room as well. Refused when the host changed while it was read. */
  function subscribe(member: Member, { room, role }: Membership): Promise<Result<RoomSnapshot>> {
    const { caller } = member;
    const read: ReadAt<RoomSnapshot> = (...numbers) => member.read((now) => snapshotOf(now, caller.uid, ...numbers));
    return deps.subscribe(caller, roomStream(room.roomId), (seq) =>
      role === 'host'
        ? deps.subscribe(caller, hostStream(room.roomId), (hostSeq) => read(seq, hostSeq))
        : read(seq, null),
    );
  }

  function unsubscribe(caller: Caller, { roomId }: Pick<RoomRow, 'roomId'>): void {
    for (const stream of [roomStream(roomId), hostStream(roomId)]) deps.unsubscribe(caller, stream);
  }

  /** The numbers were read before: a change between the two reads is delivered again, and applying it twice is safe. */
  async function snapshotOf(
    now: Membership,
    uid: Caller['uid'],
    seq: number,
    hostSeq: number | null,
  ): Promise<Result<RoomSnapshot>> {
    const { room, role } = now;
    // The streams that are followed were chosen by who was the host before.
    if ((role === 'host') !== (hostSeq !== null)) return refuse('room/host-changed');
    const nowMs = clock.now();
    const { roster, proposals, skipVotes, playback, ...messages } = await viewAt(room.roomId, seq, () =>
      viewOf(deps, room),
    );
    if (!playback) return refuse('room/ended');
    const { people } = roster;
    const participants = await withOwn(record.db, room, roster, uid);
    return accept({
      seq,
      hostSeq,
      room: documentOf(room, { people, participants, proposals: proposals.map(toProposal), skipVotes }, nowMs),
      requests: await requestsFor(now, nowMs),
      admits: role === 'host' ? room.admits : null,
      ...(await withOwnStamps(record.db, room, uid, messages)),
      ownVotes: proposals.filter(({ voters }) => voters.includes(uid)).map(({ id }) => id),
      playback,
      serverNowMs: nowMs,
    });
  }

  async function requestsFor({ room, role }: Membership, nowMs: number) {
    if (role !== 'host') return [];
    const pending = await pendingRequests(record.db, room.kind, room.roomId, nowMs);
    const asking = pending.map(({ uid }) => uid);
    const hidden = await deps.blockedAmong(record.db, room.host, asking);
    return pending.filter(({ uid }) => !hidden.has(uid));
  }

  /** Messages of the room that the connection is in. */
  async function close(caller: Caller): Promise<Result<Record<string, never>>> {
    const left = await deps.moveTo(caller, null);
    if (left) unsubscribe(caller, left);
    return accept({});
  }

  return { handlers: { 'rooms/enter': enter, 'rooms/close': close } satisfies Partial<Handlers> };
}

async function viewOf({ record: { db }, playbackOf, skipVotesOf }: RoomViewDeps, room: RoomRow): Promise<SharedView> {
  return {
    roster: await rosterOf(db, room),
    proposals: await proposalsIn(db, room.roomId),
    skipVotes: await skipVotesOf(db, room.roomId),
    playback: await playbackOf(db, room.kind, room.roomId),
    ...(await messagePage(db, room, null)),
  };
}

/** Whoever enters a large room finds themselves among those named. */
async function withOwn(db: Db, room: RoomRow, { people, participants }: Roster, uid: Caller['uid']) {
  if (participants.length === people || participants.some((each) => each.uid === uid)) return participants;
  return [...participants, ...(await somePeople(db, room, { type: 'these', uids: [uid] })).participants];
}

function documentOf(
  room: RoomRow,
  view: Pick<RoomDocument, 'people' | 'participants' | 'proposals' | 'skipVotes'>,
  nowMs: number,
): RoomDocument {
  return {
    kind: room.kind,
    roomId: room.roomId,
    code: room.code,
    name: room.name,
    host: room.host,
    createdAt: room.createdAtMs,
    isActive: room.isActive,
    hostAwaySince: room.hostAwaySinceMs,
    ...view,
    handOver: openOffer(room.offer, nowMs),
    isLocked: room.isLocked,
    everyoneAdds: room.everyoneAdds,
    majoritySkips: room.majoritySkips,
  };
}

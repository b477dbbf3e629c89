/**
 * Entering a room with a connection: its snapshot, and from then on its changes. Closing the page ends the connection,
 * not the membership.
 */
import { isAudience, isLargeRoom, openOffer, putLatest } from '@tunemate/domain';
import {
  hostStream,
  type PlaybackDocument,
  type Result,
  type RoomChange,
  type RoomDocument,
  type RoomId,
  type RoomSnapshot,
  roomStream,
  type StreamId,
  type Uid,
} from '@tunemate/protocol';
import type { Caller } from '../../access/caller.ts';
import type { Handlers, Member, Membership, RoomRow } from '../../access/subjects.ts';
import { blockedAmong } from '../../people/blocks.ts';
import { readPlaybackDocument } from '../../playback/shown-playback.ts';
import { skipVotesIn } from '../../playback/skip-votes.ts';
import type { StreamRecord } from '../../storage/record.ts';
import type { Db } from '../../storage/schema.ts';
import { accept, type Clock, type Nothing, refuse } from '../../system/ports.ts';
import { messagePage } from '../chat/room-chat-store.ts';
import { withOwnStamps } from '../chat/stamps-store.ts';
import { shownToHost, shownToMembers } from '../hosting/settings.ts';
import { pendingRequests } from '../join/join-requests-store.ts';
import { proposalsIn, toProposal, type VotedProposal } from '../proposals/proposals.ts';
import { memberIn, type Roster, rosterOf } from './roster.ts';

export interface RoomViewDeps {
  record: StreamRecord;
  clock: Clock;
  connections: RoomConnections;
}

/** How connections of this process follow rooms. */
export interface RoomConnections {
  /**
   * Reads while delivery is paused and then subscribes the connection, so that no change is lost in between. `read`
   * gets the number of the stream's last change.
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
      const left = await deps.connections.moveTo(caller, room);
      // A connection is in one room at a time.
      if (left) unsubscribe(caller, left);
      let entered = await subscribe(member, before);
      if (!entered.ok && entered.error.code === 'room/host-changed') {
        entered = await member.read((now) => subscribe(member, now));
      }
      if (!entered.ok) await deps.connections.moveTo(caller, null);
      return entered;
    });

  /** The host follows their own stream of the room as well. Refused when the host changed while it was read. */
  function subscribe(member: Member, { room, role }: Membership): Promise<Result<RoomSnapshot>> {
    const { caller } = member;
    const read: ReadAt<RoomSnapshot> = (...numbers) => member.read((now) => snapshotOf(now, caller.uid, ...numbers));
    return deps.connections.subscribe(caller, roomStream(room.roomId), (seq) =>
      role === 'host'
        ? deps.connections.subscribe(caller, hostStream(room.roomId), (hostSeq) => read(seq, hostSeq))
        : read(seq, null),
    );
  }

  function unsubscribe(caller: Caller, { roomId }: Pick<RoomRow, 'roomId'>): void {
    for (const stream of [roomStream(roomId), hostStream(roomId)]) deps.connections.unsubscribe(caller, stream);
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
    const { roster, proposals, skipVotes, playback, ...messages } = await viewAt(room.roomId, seq, {
      read: () => viewOf(deps, room),
      changesAfter: (known, most) => changesAfter(record, room.roomId, known, most),
    });
    if (!playback) return refuse('room/ended');
    const { people } = roster;
    const participants = await withOwn(record.db, room, roster, uid);
    return accept({
      seq,
      hostSeq,
      room: documentOf(room, { people, participants, proposals: proposals.map(toProposal), skipVotes }, nowMs),
      requests: await requestsFor(record.db, now, nowMs),
      hostSettings: role === 'host' ? shownToHost(room) : null,
      ...(await withOwnStamps(record.db, room, uid, messages)),
      ownVotes: proposals.filter(({ voters }) => voters.includes(uid)).map(({ id }) => id),
      playback,
      serverNowMs: nowMs,
    });
  }

  /** Messages of the room that the connection is in. */
  async function close(caller: Caller): Promise<Result<Nothing>> {
    const left = await deps.connections.moveTo(caller, null);
    if (left) unsubscribe(caller, left);
    return accept({});
  }

  return { handlers: { 'rooms/enter': enter, 'rooms/close': close } satisfies Partial<Handlers> };
}

async function requestsFor(db: Db, { room, role }: Membership, nowMs: number) {
  if (role !== 'host') return [];
  const pending = await pendingRequests(db, room, nowMs);
  const asking = pending.map(({ uid }) => uid);
  const hidden = await blockedAmong(db, room.host, asking);
  return pending.filter(({ uid }) => !hidden.has(uid));
}

async function viewOf({ record: { db } }: RoomViewDeps, room: RoomRow): Promise<SharedView> {
  return {
    roster: await rosterOf(db, room),
    proposals: await proposalsIn(db, room.roomId),
    skipVotes: await skipVotesIn(db, room.roomId),
    playback: await readPlaybackDocument(db, room),
    ...(await messagePage(db, room, null)),
  };
}

/** A large room's list of names includes the user who enters; that of an audience is, but to its host, no longer. */
async function withOwn(db: Db, room: RoomRow, { people, participants }: Roster, uid: Caller['uid']) {
  if (isAudience(people) && uid !== room.host) participants = participants.filter((each) => each.uid === room.host);
  if (participants.length === people || participants.some((each) => each.uid === uid)) return participants;
  const own = await memberIn(db, room, uid);
  return own ? [...participants, own] : participants;
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
    ...shownToMembers(room),
  };
}

export interface SharedView extends Pick<RoomSnapshot, 'messages' | 'hasEarlierMessages'> {
  roster: Roster;
  /** With their voters; each user receives their own vote only. */
  proposals: VotedProposal[];
  skipVotes: Uid[];
  /** Null when it has just been deleted with the room. */
  playback: PlaybackDocument | null;
}

/** Names of people who have left the room change without a number of its stream: so it is not kept for longer. */
const keptMs = 1000;
const mostRooms = 200;
/** Behind more changes than these the view is read anew. */
const mostChanges = 200;

interface Reads {
  /** Begins after the number was read, so what it finds is no older. */
  read: () => Promise<SharedView>;
  /** The changes after a number of the room's stream, at most so many. */
  changesAfter: (seq: number, most: number) => Promise<readonly NumberedChange[]>;
}

interface NumberedChange {
  seq: number;
  change: RoomChange;
}

/**
 * The view of a room as of a number of its stream: read once for all who enter at it. While a room fills up each who
 * enters finds another number, and the view differs from the last one by the people who have come: it is changed then.
 */
export function sharedViews(nowMs: () => number = () => performance.now()) {
  const kept = new Map<RoomId, { seq: number; untilMs: number; view: Promise<SharedView> }>();

  /** The views of two hundred full rooms would take a hundred megabytes, for as long as no others are entered. */
  function forget(roomId: RoomId, untilMs: number): void {
    if (kept.get(roomId)?.untilMs === untilMs) kept.delete(roomId);
  }

  return async function viewAt(roomId: RoomId, seq: number, reads: Reads): Promise<SharedView> {
    const known = kept.get(roomId);
    const isFresh = known !== undefined && nowMs() < known.untilMs;
    if (isFresh && known.seq === seq) return await known.view;
    const isEarlier = isFresh && known.seq < seq && seq - known.seq <= mostChanges;
    const view = isEarlier ? goneOn(known, seq, reads) : reads.read();
    const untilMs = isEarlier ? known.untilMs : nowMs() + keptMs;
    putLatest(kept, roomId, { seq, untilMs, view }, mostRooms);
    if (!isEarlier) setTimeout(() => forget(roomId, untilMs), keptMs).unref();
    try {
      return await view;
    } catch (error) {
      kept.delete(roomId);
      throw error;
    }
  };
}

/**
 * The view as of `seq`: the known one with the changes since, or read anew where more has changed than who is there.
 */
async function goneOn(
  known: { seq: number; view: Promise<SharedView> },
  seq: number,
  { read, changesAfter }: Reads,
): Promise<SharedView> {
  const changes = await changesAfter(known.seq, seq - known.seq);
  // Some are forgotten.
  if (changes.length !== seq - known.seq || changes.at(-1)?.seq !== seq) return await read();
  const before = await known.view;
  let roster: Roster | null = before.roster;
  for (const { change } of changes) roster = roster && rosterAfter(roster, change);
  return roster ? { ...before, roster } : await read();
}

/**
 * Null where the change is of something else, leads from a room that names all its people to one that does not, or does
 * not fit to what was read.
 */
function rosterAfter({ people, participants }: Roster, change: RoomChange): Roster | null {
  if (change.type === 'rooms/headCount' && isLargeRoom(people) && isLargeRoom(change.people)) {
    return { people: change.people, participants };
  }
  if (change.type === 'rooms/participantPresence') {
    const { uid, online } = change;
    return { people, participants: participants.map((each) => (each.uid === uid ? { ...each, online } : each)) };
  }
  if (change.type !== 'rooms/participantJoined' || isLargeRoom(change.people)) return null;
  const { participant } = change;
  const now = [...participants.filter(({ uid }) => uid !== participant.uid), participant];
  return now.length === change.people ? { people: change.people, participants: now } : null;
}

async function changesAfter(
  record: StreamRecord,
  roomId: RoomId,
  seq: number,
  most: number,
): Promise<NumberedChange[]> {
  const entries = await record.entriesAfter(roomStream(roomId), seq, most);
  // Stored by this version or an earlier one.
  return entries.map((entry) => ({ seq: entry.seq, change: JSON.parse(entry.change) as RoomChange }));
}

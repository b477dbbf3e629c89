/**
 * Who is online: brings the stored state of people in line with their live connections, and tells each person, their
 * rooms and the people who may see it, at most once in 5 s. People whose connections change at one moment are read and
 * written together. It does not know how connections come and go.
 */
import { decidePresenceUpdate } from '@tunemate/domain';
import { userStream, roomStream, type StreamId, type Uid } from '@tunemate/protocol';
import type { Clock, Log } from '../system/ports.ts';
import { builtForEach, chunked } from '../storage/queries.ts';
import type { Db, RoomRef } from '../storage/schema.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import { onlineWithoutConnection, shownAndConnected } from './connections-store.ts';

/** Online without any connection for this long: a write failed half-way, or a new account never connected. */
const orphanedPresenceMs = 60_000;
const peopleAtOnce = 200;

export interface OnlineStateDeps {
  record: StreamRecord;
  clock: Clock;
  log: Log;
  /** What others see of these people has changed: called after the commit, for every process. */
  shownChanged: (uids: readonly Uid[]) => void;
  /** Who is online has changed in these rooms, where a majority of them skips: called after the commit. */
  onlineChangedIn: (rooms: readonly RoomRef[]) => void;
  /** These people show what they hear, and may have entered or left a room. */
  mayHaveMoved: (uids: readonly Uid[]) => Promise<void>;
  /** The live rooms of which each of these people is a member. */
  roomsOf: (db: Db, uids: readonly Uid[]) => Promise<RoomsOf>;
}

/** A live room of a member. A large room's members don't receive who is online: each change would go to all of them. */
export interface MembersRoom extends RoomRef {
  isLarge: boolean;
  majoritySkips: boolean;
}

type RoomsOf = ReadonlyMap<Uid, readonly MembersRoom[]>;

/** A write that may publish these people's state: the streams it holds, and what is known of them once it does. */
export interface PublishingWrite {
  streams: (db: Db) => Promise<StreamId[]>;
  rooms: () => RoomsOf;
}

export function onlineState(deps: OnlineStateDeps) {
  const { record, clock, log } = deps;
  /** People whose state changed again too soon, and when it may be published. */
  const due = new Map<Uid, number>();

  function publishing(uids: readonly Uid[]): PublishingWrite {
    let rooms: RoomsOf = new Map();
    return {
      // Called again behind the locks: what it found last holds for the write.
      streams: async (db) => {
        rooms = await deps.roomsOf(db, uids);
        return [...uids.map(userStream), ...uids.flatMap((uid) => roomStreamsOf(rooms, uid))];
      },
      rooms: () => rooms,
    };
  }

  /** Publishes those whose state has changed, now or as soon as it may be. */
  async function publishIn(writing: Writing, uids: readonly Uid[], { rooms }: PublishingWrite): Promise<void> {
    const changed = await changesOf(writing.db, uids, writing.nowMs);
    const now = changed.filter(({ update }) => update.type === 'now');
    await publish(deps, writing, now, rooms());
    writing.afterCommit(() => postpone(uids, changed));
  }

  function postpone(uids: readonly Uid[], changed: readonly Changed[]): void {
    for (const uid of uids) due.delete(uid);
    for (const { uid, update } of changed) if (update.type === 'later') due.set(uid, update.atMs);
  }

  /** Reads first, and writes only for those whose state has changed. */
  async function refresh(uids: readonly Uid[]): Promise<void> {
    for (const some of chunked(uids, peopleAtOnce)) {
      const first = await changesOf(record.db, some, clock.now());
      await deps.mayHaveMoved(first.filter(({ showsHearing }) => showsHearing).map(({ uid }) => uid));
      postpone(some, first);
      const now = first.filter(({ update }) => update.type === 'now').map(({ uid }) => uid);
      if (now.length === 0) continue;
      // Decided again inside: of two tabs opening and closing at once the last write sees both.
      const write = publishing(now);
      try {
        await record.write(write.streams, (writing) => publishIn(writing, now, write));
      } catch (error) {
        // Nothing else may ask for them again: a person who came online has a connection that changes no more.
        for (const uid of now) due.set(uid, clock.now());
        throw error;
      }
      log.debug({ uids: now }, 'presence.refreshed');
    }
  }

  return {
    refresh,
    publishing,
    publishIn,

    /** Publishes what had to wait. Runs every second; what a crash loses is found by `refreshOrphans`. */
    async publishDue(): Promise<void> {
      const nowMs = clock.now();
      await refresh([...due].filter(([, atMs]) => atMs <= nowMs).map(([uid]) => uid));
    },

    /** Corrects people who are stored as online and have no connection, whatever failed before. Runs every 30 s. */
    async refreshOrphans(): Promise<void> {
      await refresh(await onlineWithoutConnection(record.db, clock.now() - orphanedPresenceMs));
    },
  };
}
export type OnlineState = ReturnType<typeof onlineState>;

interface Changed {
  uid: Uid;
  isConnected: boolean;
  showsHearing: boolean;
  update: ReturnType<typeof decidePresenceUpdate>;
}

/** What is to be published of these people's connections now; nothing of deleted accounts. */
async function changesOf(db: Db, uids: readonly Uid[], nowMs: number): Promise<Changed[]> {
  const facts = await shownAndConnected(db, uids);
  return facts.map(({ uid, isConnected, isShownOnline, sentAtMs, showsHearing }) => ({
    uid,
    isConnected,
    showsHearing,
    update: decidePresenceUpdate({ isShownOnline, sentAtMs, isConnected, nowMs }),
  }));
}

async function publish(
  deps: OnlineStateDeps,
  writing: Writing,
  changed: readonly Changed[],
  rooms: RoomsOf,
): Promise<void> {
  const { db, nowMs } = writing;
  for (const online of [true, false]) {
    const uids = changed.filter(({ isConnected }) => isConnected === online).map(({ uid }) => uid);
    if (uids.length === 0) continue;
    await showing(db, uids, online ? 1 : 0, nowMs);
    for (const uid of uids) {
      const presence = { uid, state: online ? 'online' : 'offline', last_changed: nowMs } as const;
      await writing.append(userStream(uid), { type: 'presence/changed', presence });
      await writing.append(roomStreamsOf(rooms, uid), { type: 'rooms/participantPresence', uid, online });
    }
  }
  if (changed.length === 0) return;
  const uids = changed.map(({ uid }) => uid);
  const judged = uids.flatMap((uid) => (rooms.get(uid) ?? []).filter(({ majoritySkips }) => majoritySkips));
  const touched = new Map(judged.map((room) => [room.roomId, room] as const));
  writing.afterCommit(() => {
    deps.shownChanged(uids);
    deps.onlineChangedIn([...touched.values()]);
  });
}

const showing = builtForEach((db, uids: readonly Uid[], online: number, nowMs: number) =>
  db
    .updateTable('users')
    .set({ online, presence_changed_at_ms: nowMs, shown_changed_at_ms: nowMs })
    .where('uid', 'in', uids),
);

function roomStreamsOf(rooms: RoomsOf, uid: Uid): StreamId[] {
  return (rooms.get(uid) ?? []).flatMap(({ roomId, isLarge }) => (isLarge ? [] : [roomStream(roomId)]));
}

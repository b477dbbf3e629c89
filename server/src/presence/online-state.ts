/**
 * Who is online: brings the stored state of a person in line with their live connections, and tells the person, their
 * rooms and those who may see it, at most once in 5 s. It does not know how connections come and go.
 */
import { decidePresenceUpdate, type PresenceUpdate } from '@tunemate/domain';
import { userStream, roomStream, type StreamId, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Clock, Log } from '../ports.ts';
import type { Schema } from '../storage/schema.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import { countConnections, onlineWithoutConnection, type RoomRef } from './connections-store.ts';

/** Online without any connection for this long: a write failed half-way, or a new account never connected. */
const orphanedPresenceMs = 60_000;

export interface OnlineStateDeps {
  record: StreamRecord;
  clock: Clock;
  log: Log;
  /** What others see of this person has changed: called after the commit, for every process. */
  shownChanged: (uid: Uid) => void;
  roomsOf: (db: Kysely<Schema>, uid: Uid) => Promise<RoomRef[]>;
}

export function onlineState(deps: OnlineStateDeps) {
  const { record, clock, log } = deps;
  /** People whose state changed again too soon, and when it may be published. */
  const due = new Map<Uid, number>();

  /** Publishes the person's state if it has changed, now or as soon as it may be. */
  async function refresh(uid: Uid): Promise<void> {
    const first = await updateOf(record.db, uid, clock.now());
    if (first?.update.type !== 'now') return postpone(uid, first?.update);
    // Decided again inside: of two tabs opening and closing at once the last write sees both.
    const decided = await record.write(
      async (db) => [userStream(uid), ...(await roomStreamsOf(deps, db, uid))],
      async (writing) => {
        const again = await updateOf(writing.db, uid, writing.nowMs);
        if (again?.update.type !== 'now') return again?.update;
        await publish(deps, writing, uid, again.isConnected);
        return undefined;
      },
    );
    postpone(uid, decided);
    log.debug({ uid }, 'presence.refreshed');
  }

  function postpone(uid: Uid, update: PresenceUpdate | undefined): void {
    if (update?.type === 'later') due.set(uid, update.atMs);
    else due.delete(uid);
  }

  return {
    refresh,

    /** Publishes what had to wait. Runs every second; what a crash loses is found by `refreshOrphans`. */
    async publishDue(): Promise<void> {
      const nowMs = clock.now();
      for (const [uid, atMs] of due) if (atMs <= nowMs) await refresh(uid);
    },

    /** Corrects people who are stored as online and have no connection, whatever failed before. Runs every 30 s. */
    async refreshOrphans(): Promise<void> {
      for (const uid of await onlineWithoutConnection(record.db, clock.now() - orphanedPresenceMs)) await refresh(uid);
    },
  };
}
export type OnlineState = ReturnType<typeof onlineState>;

/** What is to be published of this person's connections now; null for a deleted account. */
async function updateOf(db: Kysely<Schema>, uid: Uid, nowMs: number) {
  const isConnected = (await countConnections(db, uid)) > 0;
  const stored = await db
    .selectFrom('users')
    .select(['online', 'presence_changed_at_ms'])
    .where('uid', '=', uid)
    .executeTakeFirst();
  if (!stored) return null;
  const fact = { isShownOnline: stored.online === 1, sentAtMs: stored.presence_changed_at_ms, isConnected, nowMs };
  return { isConnected, update: decidePresenceUpdate(fact) };
}

async function publish(deps: OnlineStateDeps, writing: Writing, uid: Uid, online: boolean): Promise<void> {
  const { db, nowMs } = writing;
  const set = { online: online ? 1 : 0, presence_changed_at_ms: nowMs, shown_changed_at_ms: nowMs };
  await db.updateTable('users').set(set).where('uid', '=', uid).execute();
  const presence = { uid, state: online ? 'online' : 'offline', last_changed: nowMs } as const;
  await writing.append(userStream(uid), { type: 'presence/changed', presence });
  await writing.append(await roomStreamsOf(deps, db, uid), { type: 'rooms/participantPresence', uid, online });
  writing.afterCommit(() => deps.shownChanged(uid));
}

async function roomStreamsOf({ roomsOf }: OnlineStateDeps, db: Kysely<Schema>, uid: Uid): Promise<StreamId[]> {
  return (await roomsOf(db, uid)).map(({ roomId }) => roomStream(roomId));
}

/**
 * The snapshot of a person's own state, as of one number of their stream.
 */
import type {
  AskedSoulmate,
  Notification,
  UserSnapshot,
  SoulmateCard,
  Tunemate,
  Uid,
  UserDocument,
  Result,
} from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { accept, type Clock, refuse } from '../ports.ts';
import type { StreamRecord } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';

type Db = Kysely<Schema>;

export interface OwnSnapshotDeps {
  record: StreamRecord;
  clock: Clock;
  userDocumentOf: (db: Db, uid: Uid) => Promise<UserDocument | null>;
  soulmateCardOf: (db: Db, uid: Uid) => Promise<SoulmateCard | null>;
  tunematesOf: (db: Db, uid: Uid) => Promise<Tunemate[]>;
  /** What waits for this person's answer, and which of their own soulmate requests wait for others'. */
  inboxOf: (db: Db, uid: Uid) => Promise<{ notifications: Notification[]; asked: AskedSoulmate[] }>;
  unreadChatsOf: (db: Db, uid: Uid) => Promise<number>;
}

export function userSnapshotReader(deps: OwnSnapshotDeps) {
  const { record, clock } = deps;
  /** `seq` was read before: a change made while reading is delivered again, and applying it twice is safe. */
  return async (uid: Uid, seq: number): Promise<Result<UserSnapshot>> => {
    const user = await deps.userDocumentOf(record.db, uid);
    if (!user) return refuse('auth/required');
    return accept({
      seq,
      // A person who reads their own snapshot is online, whatever was published last.
      user: { ...user, online: true },
      soulmate: user.soulmate === null ? null : await deps.soulmateCardOf(record.db, uid),
      tunemates: await deps.tunematesOf(record.db, uid),
      ...(await deps.inboxOf(record.db, uid)),
      unreadChats: await deps.unreadChatsOf(record.db, uid),
      serverNowMs: clock.now(),
    });
  };
}

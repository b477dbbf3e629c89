/**
 * Everything a person's own screens need, as of one number of their own stream.
 */
import type { Notification, UserSnapshot, SoulmateCard, Tunemate, Uid, UserDocument } from '@tunemate/protocol';
import { userStream } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { accept, type Clock, type Outcome, refuse } from '../ports.ts';
import type { StreamRecord } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';

type Db = Kysely<Schema>;

export interface OwnSnapshotDeps {
  record: StreamRecord;
  clock: Clock;
  userDocumentOf: (db: Db, uid: Uid) => Promise<UserDocument | null>;
  soulmateCardOf: (db: Db, uid: Uid) => Promise<SoulmateCard | null>;
  tunematesOf: (db: Db, uid: Uid) => Promise<Tunemate[]>;
  notificationsOf: (db: Db, uid: Uid) => Promise<Notification[]>;
  unreadChatsOf: (db: Db, uid: Uid) => Promise<number>;
}

export function userSnapshotReader(deps: OwnSnapshotDeps) {
  const { record, clock } = deps;
  return async (uid: Uid): Promise<Outcome<UserSnapshot>> => {
    // The number first: a change that slips in while reading is delivered again, and each is safe to apply twice.
    const seq = await record.head(userStream(uid));
    const user = await deps.userDocumentOf(record.db, uid);
    if (!user) return refuse('auth/required');
    return accept({
      seq,
      // Whoever is told this is here, whatever others were told last.
      user: { ...user, online: true },
      soulmate: await deps.soulmateCardOf(record.db, uid),
      tunemates: await deps.tunematesOf(record.db, uid),
      notifications: await deps.notificationsOf(record.db, uid),
      unreadChats: await deps.unreadChatsOf(record.db, uid),
      serverNowMs: clock.now(),
    });
  };
}

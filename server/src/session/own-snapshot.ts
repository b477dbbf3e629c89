/**
 * The snapshot of a person's own state, as of one number of their stream. Those of one moment are read together.
 */
import type { UserSnapshot, Uid, UserDocument, Result } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { gather } from '../system/gather.ts';
import { accept, type Clock, refuse } from '../system/ports.ts';
import type { StreamRecord } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';

type Db = Kysely<Schema>;
type Lists = Pick<UserDocument, 'tunemates' | 'audioConnections'>;
export type OwnAccount = Omit<UserDocument, keyof Lists>;

/** What a person sees of other people, and of what waits for them. */
export interface OwnPeople extends Pick<
  UserSnapshot,
  'soulmate' | 'tunemates' | 'notifications' | 'asked' | 'unreadChats'
> {
  lists: Lists;
}

export interface OwnSnapshotDeps {
  record: StreamRecord;
  clock: Clock;
  /** The accounts of those of these sessions that still hold, by session. */
  accountsOf: (sessionIds: readonly string[]) => Promise<ReadonlyMap<string, OwnAccount>>;
  peopleOf: (db: Db, who: readonly Pick<OwnAccount, 'uid' | 'soulmate'>[]) => Promise<ReadonlyMap<Uid, OwnPeople>>;
}

interface Asking {
  sessionId: string;
}

/** Answers the snapshot as of `seq`, or auth/required once the session or the account has ended. */
export function userSnapshotReader({ record: { db }, clock, ...deps }: OwnSnapshotDeps) {
  const read = gather(async (all: readonly Asking[]) => {
    const accounts = await deps.accountsOf(all.map(({ sessionId }) => sessionId));
    const byUid = new Map(Array.from(accounts.values(), (account) => [account.uid, account]));
    const people = await deps.peopleOf(db, [...byUid.values()]);
    return all.map(({ sessionId }) => {
      const account = accounts.get(sessionId);
      const own = account && people.get(account.uid);
      return own ? { account, own } : null;
    });
  });

  /** `seq` was read before: a change made while reading is delivered again, and applying it twice is safe. */
  return async (who: Asking, seq: number): Promise<Result<UserSnapshot>> => {
    const found = await read(who);
    if (!found) return refuse('auth/required');
    const { lists, ...own } = found.own;
    // A person who reads their own snapshot is online, whatever was published last.
    return accept({ seq, user: { ...found.account, ...lists, online: true }, ...own, serverNowMs: clock.now() });
  };
}

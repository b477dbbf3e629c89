/**
 * One's own document: changing it, deleting the account. What other words hold of a person comes in by
 * hooks.
 */
import { ownStream, type Uid, type UserDocument } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Session } from '../access/session.ts';
import { dropMailsTo } from '../mail/mail-store.ts';
import { accept, type Outcome, refuse } from '../ports.ts';
import { forgetAnswersTo } from '../storage/idempotency.ts';
import { forgetEntries } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import type { AccountsDeps, Nothing } from './accounts-deps.ts';
import { dropCodesOf, dropTicketsOf } from './codes-store.ts';
import { accountByUid, anonymise, ownDocument, updateProfile } from './users-store.ts';

type Somebody = Exclude<Session, { status: 'signed-out' }>;
export type ProfileService = ReturnType<typeof profileService>;

export function profileService({ record, limits, passwords, sessions, audit, hooks }: AccountsDeps) {
  async function update(
    { uid }: Somebody,
    changes: { name?: string | undefined; readReceipts?: boolean | undefined },
  ): Promise<Outcome<UserDocument>> {
    const isRename = changes.name !== undefined && changes.name !== (await accountByUid(record.db, uid))?.name;
    if (isRename) {
      const taken = await limits.take('rename', uid);
      if (!taken.ok) return taken;
    }
    const user = await record.write(isRename ? streamsOfRename(uid) : [ownStream(uid)], async (writing) => {
      const { db } = writing;
      await updateProfile(db, uid, changes);
      const now = await ownDocument(db, uid);
      if (!now) return null;
      const { name, readReceipts } = now;
      await writing.append(ownStream(uid), { type: 'accounts/changed', name, readReceipts });
      if (isRename) for (const rename of hooks.onRenaming) await rename(writing, uid, name);
      return now;
    });
    return user ? accept(user) : refuse('auth/required');
  }

  const streamsOfRename = (uid: Uid) => async (db: Kysely<Schema>) => {
    const further = await Promise.all(hooks.streamsOfRename.map((read) => read(db, uid)));
    return [ownStream(uid), ...further.flat()];
  };

  /** Asks for the password again, then takes the person out of everything. */
  async function remove({ uid }: Somebody, password: string, address: string): Promise<Outcome<Nothing>> {
    const account = await accountByUid(record.db, uid);
    const { isRight } = await passwords.check(password, account?.passwordHash ?? null);
    if (!account || !isRight) return refuse('auth/invalid-credentials', { field: 'password' });
    for (const clear of hooks.onDeleting) await clear(uid);
    await record.write([ownStream(uid)], async (writing) => {
      const { db, nowMs } = writing;
      await forgetEntries(db, [ownStream(uid)]);
      await forgetAnswersTo(db, uid);
      await sessions.end(writing, uid, 'all');
      await dropCodesOf(db, uid);
      await dropTicketsOf(db, uid);
      await dropMailsTo(db, account.email);
      await anonymise(db, uid, nowMs);
      await audit(db, nowMs, 'account.deleted', uid, address);
    });
    return accept({});
  }

  return { update, remove };
}

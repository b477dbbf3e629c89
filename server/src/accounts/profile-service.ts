/**
 * Changing a person's own document, and deleting the account. Other features take part by hooks.
 */
import { userStream, type Uid, type UserDocument, type Result } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Session } from '../access/session.ts';
import { accept, refuse } from '../system/ports.ts';
import type { Schema } from '../storage/schema.ts';
import type { AccountsDeps, Nothing } from './accounts-deps.ts';
import type { RemovalService } from './removal-service.ts';
import { accountByUid, ownDocument, updateProfile } from './users-store.ts';

type Somebody = Exclude<Session, { status: 'signed-out' }>;
export type ProfileService = ReturnType<typeof profileService>;

export function profileService({ record, limits, passwords, hooks }: AccountsDeps, removal: RemovalService) {
  async function update(
    { uid }: Somebody,
    changes: { name?: string | undefined; readReceipts?: boolean | undefined },
  ): Promise<Result<UserDocument>> {
    const isRename = changes.name !== undefined && changes.name !== (await accountByUid(record.db, uid))?.name;
    if (isRename) {
      const taken = await limits.take('rename', uid);
      if (!taken.ok) return taken;
    }
    const user = await record.write(isRename ? streamsOfRename(uid) : [userStream(uid)], async (writing) => {
      const { db } = writing;
      await updateProfile(db, uid, changes);
      const now = await ownDocument(db, uid);
      if (!now) return null;
      const { name, readReceipts } = now;
      await writing.append(userStream(uid), { type: 'accounts/changed', name, readReceipts });
      if (isRename) for (const { onRenaming } of hooks) await onRenaming?.(writing, uid, name);
      return now;
    });
    return user ? accept(user) : refuse('auth/required');
  }

  const streamsOfRename = (uid: Uid) => async (db: Kysely<Schema>) => {
    const further = await Promise.all(
      hooks.map(async ({ streamsOfRename }) => (await streamsOfRename?.(db, uid)) ?? []),
    );
    return [userStream(uid), ...further.flat()];
  };

  /** Asks for the password again, then deletes the account everywhere. */
  async function remove({ uid }: Somebody, password: string, address: string): Promise<Result<Nothing>> {
    const account = await accountByUid(record.db, uid);
    const { isRight } = await passwords.check(password, account?.passwordHash ?? null);
    if (!account || !isRight) return refuse('auth/invalid-credentials', { field: 'password' });
    await removal.remove(account, 'account.deleted', address);
    return accept({});
  }

  return { update, remove };
}

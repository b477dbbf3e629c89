/**
 * Changing a user's own document, and deleting the account on their own order. Other features react by hooks.
 */
import { type Result, type RoutePayload, type Uid, type UserDocument, userStream } from '@tunemate/protocol';
import type { UserSession } from '../access/session.ts';
import type { Db } from '../storage/schema.ts';
import { accept, type Nothing, refuse } from '../system/ports.ts';
import { type AccountsDeps, type Caller, audit } from './accounts-deps.ts';
import type { RemovalService } from './removal.ts';
import { checkCurrent } from './sign-in/passwords.ts';
import { endSignUp } from './sign-up/rejection.ts';
import { type Account, accountByUid, ownDocument, updateProfile } from './users-store.ts';

export type ProfileService = ReturnType<typeof profileService>;

export function profileService({ record, limits, passwords, hooks, sessions }: AccountsDeps, removal: RemovalService) {
  async function update(
    { uid }: UserSession,
    changes: RoutePayload<'PATCH /api/accounts/me'>,
  ): Promise<Result<UserDocument>> {
    const isRename = changes.name !== undefined && changes.name !== (await accountByUid(record.db, uid))?.name;
    if (isRename) {
      const taken = await limits.take('rename', uid);
      if (!taken.ok) return taken;
    }
    const { hearingShownTo: to } = changes;
    const streams = isRename ? streamsOfRename(uid) : to === undefined ? [userStream(uid)] : streamsOfShowing(uid);
    const user = await record.write(streams, async (writing) => {
      const { db } = writing;
      await updateProfile(db, uid, changes);
      if (to !== undefined) for (const { onShowing } of hooks) await onShowing?.(writing, uid, to);
      const now = await ownDocument(db, uid);
      if (!now) return null;
      const { name, readReceipts, linkPreviews, hearingShownTo } = now;
      const shown = hearingShownTo === undefined ? {} : { hearingShownTo };
      await writing.append(userStream(uid), { type: 'accounts/changed', name, readReceipts, linkPreviews, ...shown });
      if (isRename) for (const { onRenaming } of hooks) await onRenaming?.(writing, uid, name);
      return now;
    });
    return user ? accept(user) : refuse('auth/required');
  }

  const streamsOfShowing = (uid: Uid) => async (db: Db) => {
    const further = await Promise.all(hooks.map(async (hook) => (await hook.streamsOfShowing?.(db, uid)) ?? []));
    return [userStream(uid), ...further.flat()];
  };

  /** A change of both at once is told to those of both. */
  const streamsOfRename = (uid: Uid) => async (db: Db) => {
    const further = await Promise.all(hooks.map(async (hook) => (await hook.streamsOfRename?.(db, uid)) ?? []));
    return [...(await streamsOfShowing(uid)(db)), ...further.flat()];
  };

  async function remove({ uid }: UserSession, password: string, caller: Caller): Promise<Result<Nothing>> {
    const field = 'password';
    const checked = await checkCurrent({ record, limits, passwords }, uid, { password, field }, caller);
    if (!checked.ok) return checked;
    const isEnded =
      (await removeSignUp(checked.value, caller.address)) ||
      (await removal.remove(checked.value, 'account.deleted', caller.address));
    return isEnded ? accept({}) : refuse('auth/invalid-credentials', { field });
  }

  /** The person may not own the address; its owner's own sign-up goes on. False once it is verified. */
  async function removeSignUp({ uid, passwordHash, isVerified }: Account, address: string): Promise<boolean> {
    if (isVerified) return false;
    return await record.write([userStream(uid)], async (writing) => {
      const now = await accountByUid(writing.db, uid);
      if (now?.passwordHash !== passwordHash || now.isVerified) return false;
      await audit(writing.db, writing.nowMs, 'account.deleted', uid, address);
      await endSignUp(writing, sessions, now, passwordHash);
      return true;
    });
  }

  return { update, remove };
}

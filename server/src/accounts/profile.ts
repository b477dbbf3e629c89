/**
 * Changing a user's own document, and deleting the account. Other features react by hooks.
 */
import { type Result, type RoutePayload, type Uid, type UserDocument, userStream } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { UserSession } from '../access/session.ts';
import { dropMailsTo } from '../mail/mail-queue.ts';
import { forgetAnswersTo } from '../storage/idempotency.ts';
import { forgetEntries } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import { accept, refuse } from '../system/ports.ts';
import { type AccountsDeps, type Caller, audit, type AuditEvent, type Nothing } from './accounts-deps.ts';
import { checkCurrent } from './sign-in/passwords.ts';
import { dropCodesOf, dropTicketsOf } from './sign-up/codes.ts';
import { forgetPlaceOf } from './sign-up/sign-up-gate.ts';
import {
  type Account,
  accountByUid,
  deletedBefore,
  markCleared,
  markDeleted,
  ownDocument,
  updateProfile,
} from './users-store.ts';

export type ProfileService = ReturnType<typeof profileService>;

export function profileService({ record, limits, passwords, hooks }: AccountsDeps, removal: RemovalService) {
  async function update(
    { uid }: UserSession,
    changes: RoutePayload<'PATCH /api/accounts/me'>,
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
      const { name, readReceipts, linkPreviews } = now;
      await writing.append(userStream(uid), { type: 'accounts/changed', name, readReceipts, linkPreviews });
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

  async function remove({ uid }: UserSession, password: string, caller: Caller): Promise<Result<Nothing>> {
    const checked = await checkCurrent({ record, limits, passwords }, uid, { password, field: 'password' }, caller);
    if (!checked.ok) return checked;
    await removal.remove(checked.value, 'account.deleted', caller.address);
    return accept({});
  }

  return { update, remove };
}

export type RemovalService = ReturnType<typeof removalService>;

/** A removal not finished after this time was interrupted. */
const interruptedAfterMs = 60_000;

/**
 * Deletes an account everywhere. A write that holds its stream first marks it as deleted: other writes of the user
 * either finish before and are cleared, or are refused.
 */
export function removalService({
  record,
  clock,
  log,
  sessions,
  hooks,
}: Pick<AccountsDeps, 'record' | 'clock' | 'log' | 'sessions' | 'hooks'>) {
  async function remove({ uid, email }: Account, event: AuditEvent, address: string): Promise<void> {
    await record.write([userStream(uid)], async (writing) => {
      const { db, nowMs } = writing;
      await forgetEntries(db, [userStream(uid)]);
      await forgetAnswersTo(db, uid);
      await sessions.end(writing, uid, { type: 'all' });
      await dropCodesOf(db, uid);
      await dropTicketsOf(db, uid);
      await forgetPlaceOf(db, uid);
      await dropMailsTo(db, email);
      await markDeleted(db, uid, nowMs);
      await audit(db, nowMs, event, uid, address);
    });
    // The account is deleted; a timer tries again to clear the rest.
    await clear(uid).catch((error: unknown) => log.error({ err: error, uid }, 'account.not-cleared'));
  }

  async function clear(uid: Uid): Promise<void> {
    for (const { onDeleting } of hooks) await onDeleting?.(uid);
    await markCleared(record.db, uid);
  }

  /** Finishes interrupted removals. Runs on a timer in every process. */
  async function finish(): Promise<void> {
    for (const uid of await deletedBefore(record.db, clock.now() - interruptedAfterMs)) await clear(uid);
  }

  return { remove, finish };
}

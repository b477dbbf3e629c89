/** Deleting an account, by its user or the operator. Other features react by hooks. */
import { type Uid, userStream } from '@tunemate/protocol';
import { dropMailsTo } from '../mail/mail-queue.ts';
import { forgetAnswersTo } from '../storage/idempotency.ts';
import { forgetEntries, type Writing } from '../storage/record.ts';
import { type AccountsDeps, audit, type AuditEvent } from './accounts-deps.ts';
import { dropCodesOf, dropTicketsOf } from './sign-up/codes.ts';
import { forgetPlaceOf } from './sign-up/sign-up-gate.ts';
import { type Account, accountByUid, deletedBefore, markCleared, markDeleted } from './users-store.ts';

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
  /** False, changing nothing, when the password of the account has been replaced meanwhile, or the account is gone. */
  async function remove(
    { uid, email, passwordHash }: Account,
    event: AuditEvent,
    address: string,
    alsoWrite?: (writing: Writing) => Promise<void>,
  ): Promise<boolean> {
    const isRemoved = await record.write([userStream(uid)], async (writing) => {
      const { db, nowMs } = writing;
      if ((await accountByUid(db, uid))?.passwordHash !== passwordHash) return false;
      await forgetEntries(db, [userStream(uid)]);
      await forgetAnswersTo(db, uid);
      await sessions.end(writing, uid, { type: 'all' });
      await dropCodesOf(db, uid);
      await dropTicketsOf(db, uid);
      await forgetPlaceOf(db, uid);
      await dropMailsTo(db, email);
      await markDeleted(db, uid, nowMs);
      await audit(db, nowMs, event, uid, address);
      await alsoWrite?.(writing);
      return true;
    });
    // The account is deleted; a timer tries again to clear the rest.
    if (isRemoved) await clear(uid).catch((error: unknown) => log.error({ err: error, uid }, 'account.not-cleared'));
    return isRemoved;
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

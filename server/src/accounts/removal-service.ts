/**
 * Deleting an account everywhere. It is marked as deleted first, in a write that holds its stream: other writes of the
 * person at that moment either finish before and are cleared, or are refused.
 */
import { userStream, type Uid } from '@tunemate/protocol';
import { dropMailsTo } from '../mail/mail-store.ts';
import { forgetAnswersTo } from '../storage/idempotency.ts';
import { forgetEntries } from '../storage/record.ts';
import type { AccountsDeps } from './accounts-deps.ts';
import type { AuditEvent } from './audit.ts';
import { dropCodesOf, dropTicketsOf } from './sign-up/codes-store.ts';
import { forgetPlaceOf } from './sign-up/sign-up-gate-store.ts';
import { type Account, deletedBefore, markCleared, markDeleted } from './users-store.ts';

export type RemovalService = ReturnType<typeof removalService>;

/** A removal that is not finished after this time was interrupted. */
const interruptedAfterMs = 60_000;

export function removalService({
  record,
  clock,
  log,
  sessions,
  audit,
  hooks,
}: Pick<AccountsDeps, 'record' | 'clock' | 'log' | 'sessions' | 'audit' | 'hooks'>) {
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
    // The account is deleted already; clearing the rest is tried again later.
    await clear(uid).catch((error: unknown) => log.error({ err: error, uid }, 'account.not-cleared'));
  }

  async function clear(uid: Uid): Promise<void> {
    for (const { onDeleting } of hooks) await onDeleting?.(uid);
    await markCleared(record.db, uid);
  }

  /** Finishes removals that a failure or a stop of the server interrupted. Runs on a timer in every process. */
  async function finish(): Promise<void> {
    for (const uid of await deletedBefore(record.db, clock.now() - interruptedAfterMs)) await clear(uid);
  }

  return { remove, finish };
}

/**
 * Deletes sign-ups whose address nobody has verified: they hold an address and a name, and nobody can use them. Whoever
 * verifies at that moment is kept.
 */
import { userStream } from '@tunemate/protocol';
import { dropMailsTo } from '../../mail/mail-store.ts';
import type { AccountsDeps } from '../accounts-deps.ts';
import { dropCodesOf, dropTicketsOf } from './codes-store.ts';
import { forgetPlaceOf } from './sign-up-gate-store.ts';
import { deleteUnverified, unverifiedBefore } from '../users-store.ts';

export const unverifiedKeptMs = 30 * 24 * 60 * 60 * 1000;
/** How many go in one round. */
const atOnce = 200;

export async function expireSignUps({
  record,
  clock,
  sessions,
}: Pick<AccountsDeps, 'record' | 'clock' | 'sessions'>): Promise<void> {
  for (const { uid, email } of await unverifiedBefore(record.db, clock.now() - unverifiedKeptMs, atOnce)) {
    await record.write([userStream(uid)], async (writing) => {
      if (!(await deleteUnverified(writing.db, uid))) return;
      await sessions.end(writing, uid, { type: 'all' });
      await dropCodesOf(writing.db, uid);
      await dropTicketsOf(writing.db, uid);
      await forgetPlaceOf(writing.db, uid);
      await dropMailsTo(writing.db, email);
    });
  }
}

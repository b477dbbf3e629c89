/** "This wasn't me": the owner of an address ends a sign-up that another person made with it, before or after the press. */
import { type Result, userStream } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { dropMailsTo } from '../../mail/mail-queue.ts';
import type { Writing } from '../../storage/record.ts';
import type { Schema } from '../../storage/schema.ts';
import { accept, refuse } from '../../system/ports.ts';
import { type AccountsDeps, audit, codeLifetimeMs, type Nothing } from '../accounts-deps.ts';
import type { RemovalService } from '../profile.ts';
import { type Account, accountByUid, changeSignUp, deleteUnverified } from '../users-store.ts';
import { dropCodesOf, dropSignUp, dropTicketsOf, findCode } from './codes.ts';
import { forgetPlaceOf, holdPlace } from './sign-up-gate.ts';

/** How long after a verification its page may reject the sign-up. */
const rejectWithinMs = 60 * 60 * 1000;

/** The owner of the address says that this sign-up was not theirs. */
export async function rejectSignUp(
  deps: AccountsDeps,
  removal: RemovalService,
  code: string,
  address: string,
): Promise<Result<Nothing>> {
  const { record, clock } = deps;
  const found = await findCode(record.db, 'rejectSignUp', code, clock.now() - rejectWithinMs);
  const account = found && (await accountByUid(record.db, found.uid));
  if (!account) return await rejectUnverified(deps, code, address);
  await removal.remove(account, 'account.sign-up-rejected', address);
  return accept({});
}

/** Before its link was used: only that sign-up ends, and the account with it if it has no other. */
async function rejectUnverified(
  { record, clock, sessions }: AccountsDeps,
  code: string,
  address: string,
): Promise<Result<Nothing>> {
  const find = (db: Kysely<Schema>) => findCode(db, 'verifyEmail', code, clock.now() - codeLifetimeMs);
  const uid = (await find(record.db))?.uid;
  if (uid === undefined) return refuse('auth/code-invalid');
  return await record.write([userStream(uid)], async (writing): Promise<Result<Nothing>> => {
    const { db, nowMs } = writing;
    const [found, account] = [await find(db), await accountByUid(db, uid)];
    if (!found || !account || account.isVerified) return refuse('auth/code-invalid');
    const { passwordHash } = found.signUp ?? account;
    const other = await dropSignUp(db, uid, passwordHash, nowMs - codeLifetimeMs);
    await audit(db, nowMs, 'account.sign-up-rejected', uid, address);
    if (other === null) await endUnverified(writing, sessions, account);
    else if (account.passwordHash === passwordHash) {
      await changeSignUp(db, uid, other);
      await forgetPlaceOf(db, uid);
      if (other.invitationHash !== null) await holdPlace(db, uid, other.invitationHash);
      await sessions.end(writing, uid, { type: 'all' });
    }
    return accept({});
  });
}

/** Deletes an account whose address was never verified. One that is verified at that moment stays. */
export async function endUnverified(
  writing: Writing,
  sessions: AccountsDeps['sessions'],
  { uid, email }: Pick<Account, 'uid' | 'email'>,
): Promise<void> {
  if (!(await deleteUnverified(writing.db, uid))) return;
  await sessions.end(writing, uid, { type: 'all' });
  await dropCodesOf(writing.db, uid);
  await dropTicketsOf(writing.db, uid);
  await forgetPlaceOf(writing.db, uid);
  await dropMailsTo(writing.db, email);
}

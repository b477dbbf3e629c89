/**
 * How a sign-up ends: by "This wasn't me" of the owner of the address, before or after the press, or by the user who made
 * it and deletes it. The other sign-ups with the address go on.
 */
import { type Result, userStream } from '@tunemate/protocol';
import { dropMailsTo } from '../../mail/mail-queue.ts';
import type { Writing } from '../../storage/record.ts';
import type { Db } from '../../storage/schema.ts';
import { accept, type Nothing, refuse } from '../../system/ports.ts';
import { codeLifetimeMs } from '../../access/session.ts';
import { type AccountsDeps, audit } from '../accounts-deps.ts';
import type { RemovalService } from '../removal.ts';
import { type Account, accountByUid, changeSignUp, deleteUnverified } from '../users-store.ts';
import { dropCodesOf, dropSignUp, dropTicketsOf, findCode, latestSignUp } from './codes.ts';
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
  const isRemoved = await removal.remove(account, 'account.sign-up-rejected', address);
  return isRemoved ? accept({}) : refuse('auth/code-invalid');
}

/** Before its link was used: only that sign-up ends, and the account with it if it has no other. */
async function rejectUnverified(
  { record, clock, sessions }: AccountsDeps,
  code: string,
  address: string,
): Promise<Result<Nothing>> {
  const find = (db: Db) => findCode(db, 'verifyEmail', code, clock.now() - codeLifetimeMs);
  const uid = (await find(record.db))?.uid;
  if (uid === undefined) return refuse('auth/code-invalid');
  return await record.write([userStream(uid)], async (writing): Promise<Result<Nothing>> => {
    const { db, nowMs } = writing;
    const [found, account] = [await find(db), await accountByUid(db, uid)];
    if (!found || !account || account.isVerified) return refuse('auth/code-invalid');
    await audit(db, nowMs, 'account.sign-up-rejected', uid, address);
    await endSignUp(writing, sessions, account, (found.signUp ?? account).passwordHash);
    return accept({});
  });
}

/** Ends one sign-up of an address that is not verified, and the account with it if it has no other. */
export async function endSignUp(
  writing: Writing,
  sessions: AccountsDeps['sessions'],
  account: Pick<Account, 'uid' | 'email' | 'passwordHash'>,
  passwordHash: string,
): Promise<void> {
  const { db, nowMs } = writing;
  const { uid } = account;
  await dropSignUp(db, uid, passwordHash);
  const other = await latestSignUp(db, uid, nowMs - codeLifetimeMs);
  if (other === null) return await endUnverified(writing, sessions, account);
  if (account.passwordHash !== passwordHash) return;
  await changeSignUp(db, uid, other);
  await forgetPlaceOf(db, uid);
  if (other.invitationHash !== null) await holdPlace(db, uid, other.invitationHash);
  await sessions.end(writing, uid, { type: 'all' });
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

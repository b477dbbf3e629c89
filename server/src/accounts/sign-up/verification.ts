/**
 * Verifies an address: by the code of a mailed link, or by an operator's word. Its owner can reject a sign-up that another
 * person made with it.
 */
import { type Result, type RoutePayload, type Uid, userStream } from '@tunemate/protocol';
import type { Writing } from '../../storage/record.ts';
import { accept, refuse } from '../../system/ports.ts';
import { codeLifetimeMs } from '../../access/session.ts';
import { type AccountsDeps, audit, type AuditEvent, type Caller } from '../accounts-deps.ts';
import { firstOperator } from '../operators/operators.ts';
import type { RemovalService } from '../removal.ts';
import { accountByUid, applySignUp } from '../users-store.ts';
import {
  decoyOtherTickets,
  findCode,
  findTicket,
  guessCode,
  insertCode,
  linkStatus,
  type SignUp,
  spendOnlyCodesOf,
} from './codes.ts';
import { rejectSignUp } from './rejection.ts';
import { placeOf, takePlace } from './sign-up-gate.ts';
import { ticketOf, type WaitingBrowser } from './waiting.ts';

/**
 * The account gets the name and password of this sign-up, and all its links, other tickets and sessions end. `used` is the
 * ticket of a browser that is signed in by it. Within a write that holds the user's stream.
 */
export async function confirmSignUp(
  { sessions }: Pick<AccountsDeps, 'sessions'>,
  writing: Writing,
  uid: Uid,
  { name, passwordHash }: Pick<SignUp, 'name' | 'passwordHash'>,
  by: { used: string | null; event: AuditEvent; address: string },
): Promise<void> {
  const { db, nowMs } = writing;
  await applySignUp(db, uid, { name, passwordHash });
  // An operator who is asked for this sign-up finds it verified: the list leaves it out.
  await spendOnlyCodesOf(db, uid, nowMs);
  await decoyOtherTickets(db, uid, passwordHash, by.used);
  await sessions.end(writing, uid, { type: 'all' });
  await audit(db, nowMs, by.event, uid, by.address);
}

export type VerificationService = ReturnType<typeof verificationService>;

/** The code of a mailed link alone decides; the session decides only whether its browser stays signed in. */
export function verificationService(deps: AccountsDeps, removal: RemovalService) {
  const { record, clock, ids, limits, sessions, devices } = deps;
  const makeFirstOperator = firstOperator();

  /**
   * Consumes the code: the account gets the name and password of the link's sign-up, and all its other links, tickets
   * and sessions end. The caller is signed in if this browser made that sign-up, or had signed in with its password.
   */
  async function verify(
    code: string,
    { session, waiting, device, address, isFromThisMachine }: WaitingBrowser,
  ): Promise<Result<Verified>> {
    const found = await findCode(record.db, 'verifyEmail', code, clock.now() - codeLifetimeMs);
    if (!found) return refuse('auth/code-invalid');
    const { uid } = found;
    return await record.write([userStream(uid)], async (writing) => {
      const { db, nowMs } = writing;
      const account = await accountByUid(db, uid);
      // Read again under the lock, because a code works once.
      if (!account || !(await findCode(db, 'verifyEmail', code, nowMs - codeLifetimeMs))) {
        return refuse('auth/code-invalid');
      }
      // A sign-up mailed meanwhile must not replace the verified one.
      if (account.isVerified) return refuse('auth/code-invalid');
      if (account.isDisabled) return refuse('auth/disabled');
      const invitationHash = found.signUp ? found.signUp.invitationHash : await placeOf(db, uid);
      if (!(await takePlace(db, uid, invitationHash))) return refuse('auth/invitation-needed');
      const { name, passwordHash } = found.signUp ?? account;
      const isSignedIn =
        session.status === 'unverified' && session.uid === uid && account.passwordHash === passwordHash;
      const ticket = waiting === null ? null : ticketOf(waiting);
      const waitsFor = isSignedIn || ticket === null ? null : await findTicket(db, ticket, nowMs - codeLifetimeMs);
      const isWaiting = waitsFor?.uid === uid && waitsFor.signUp?.passwordHash === passwordHash;
      const isOwn = isSignedIn || (isWaiting && session.status !== 'signed-in');
      const by = { used: isOwn ? ticket : null, event: 'account.email-verified', address } as const;
      await confirmSignUp(deps, writing, uid, { name, passwordHash }, by);
      if (isOwn && isFromThisMachine) await makeFirstOperator(db, uid, nowMs);
      const chosen = { uid, name, passwordHash };
      if (isOwn) return accept({ ...chosen, token: await sessions.open(writing, uid, device), rejectCode: null });
      const rejectCode = ids.newToken();
      await insertCode(db, { uid, mode: 'rejectSignUp', code: rejectCode, signUp: null }, nowMs);
      return accept({ ...chosen, token: null, rejectCode });
    });
  }

  /** Reads what the page of a mailed link shows at first. Changes nothing. */
  async function status({ mode, oobCode }: RoutePayload<'GET /api/accounts/mailed-link'>) {
    return accept(await linkStatus(record.db, mode, oobCode, clock.now() - codeLifetimeMs));
  }

  return {
    async verify(code: string, browser: WaitingBrowser) {
      const verified = await guessCode(limits, browser.network, () => verify(code, browser));
      if (!verified.ok) return verified;
      const { uid, passwordHash, ...rest } = verified.value;
      // Its own sessions have ended with the verification.
      const { session } = browser;
      const isOthers = session.status !== 'signed-out' && session.uid !== uid;
      if (rest.token !== null && isOthers) await sessions.endEarlier(session);
      // The link proves the mailbox: guesses of strangers no longer lock this device out.
      return accept({ ...rest, mark: devices.remember(browser.mark, { uid, passwordHash }) });
    },
    reject: (code: string, { address, network }: Caller) =>
      guessCode(limits, network, () => rejectSignUp(deps, removal, code, address)),
    status: (link: RoutePayload<'GET /api/accounts/mailed-link'>, { network }: Caller) =>
      guessCode(
        limits,
        network,
        () => status(link),
        (answer) => answer.ok && answer.value.status === 'over',
      ),
  };
}

interface Verified {
  uid: Uid;
  name: string;
  passwordHash: string;
  token: string | null;
  rejectCode: string | null;
}

/**
 * Signing in and out, and the list of one's sessions. A refusal never says whether the address or the password was
 * wrong, and takes as long for either.
 */
import { userStream, type SessionRow, type SessionState, type Result } from '@tunemate/protocol';
import type { Session } from '../access/session.ts';
import { accept, refuse } from '../ports.ts';
import type { AccountsDeps, Nothing } from './accounts-deps.ts';
import { type Account, accountByTyped, accountByUid, ownDocument, setPasswordHash } from './users-store.ts';

type Somebody = Exclude<Session, { status: 'signed-out' }>;
export type SignInService = ReturnType<typeof signInService>;

export function signInService({ record, clock, log, passwords, sessions, audit }: AccountsDeps) {
  /** What the page may know of its own session. */
  async function stateOf(session: Session): Promise<SessionState> {
    if (session.status === 'signed-out') return session;
    if (session.status === 'signed-in') {
      const user = await ownDocument(record.db, session.uid);
      return user ? { status: 'signed-in', user } : { status: 'signed-out' };
    }
    const account = await accountByUid(record.db, session.uid);
    return account ? unverified(account) : { status: 'signed-out' };
  }

  async function signIn(
    { email, password }: { email: string; password: string },
    { session, device, address }: { session: Session; device: string; address: string },
  ): Promise<Result<{ token: string; state: SessionState }>> {
    const account = await accountByTyped(record.db, email);
    const { isRight, rehash } = await passwords.check(password, account?.passwordHash ?? null);
    if (!isRight || !account) {
      await audit(record.db, clock.now(), 'account.sign-in-refused', account?.uid ?? null, address);
      log.info({ address }, 'account.sign-in-refused');
      return refuse('auth/invalid-credentials');
    }
    const { uid } = account;
    // Said only to somebody who knows the password.
    if (account.isDisabled) return refuse('auth/disabled');
    // A session from before the sign-in is never reused; it ends here.
    if (session.status !== 'signed-out') await sessions.endNow(session.uid, { type: 'only', ids: [session.sessionId] });
    const token = await record.write([userStream(uid)], async (writing) => {
      if ((await accountByUid(writing.db, uid))?.isDisabled !== false) return null;
      if (rehash !== null) await setPasswordHash(writing.db, uid, rehash, account.passwordHash);
      await audit(writing.db, writing.nowMs, 'account.signed-in', uid, address);
      return await sessions.open(writing, uid, device);
    });
    if (token === null) return refuse('auth/disabled');
    const state = account.isVerified ? await stateOf({ status: 'signed-in', uid, sessionId: '' }) : unverified(account);
    return accept({ token, state });
  }

  async function signOut(session: Session, address: string): Promise<Result<Nothing>> {
    if (session.status === 'signed-out') return accept({});
    await record.write([userStream(session.uid)], async (writing) => {
      await sessions.end(writing, session.uid, { type: 'only', ids: [session.sessionId] });
      await audit(writing.db, writing.nowMs, 'account.signed-out', session.uid, address);
    });
    return accept({});
  }

  /** All of the person's sessions, this one too. */
  async function signOutEverywhere({ uid }: Somebody, address: string): Promise<Result<Nothing>> {
    await record.write([userStream(uid)], async (writing) => {
      await sessions.end(writing, uid, { type: 'all' });
      await audit(writing.db, writing.nowMs, 'account.signed-out-everywhere', uid, address);
    });
    return accept({});
  }

  /** Ends one session of the caller; an unknown id and another person's get the same answer. */
  async function revoke({ uid }: Somebody, sessionId: string, address: string): Promise<Result<Nothing>> {
    const isOwn = (await sessions.list(uid, '')).some((row) => row.sessionId === sessionId);
    if (!isOwn) return refuse('access/not-found');
    await record.write([userStream(uid)], async (writing) => {
      await sessions.end(writing, uid, { type: 'only', ids: [sessionId] });
      await audit(writing.db, writing.nowMs, 'account.session-revoked', uid, address);
    });
    return accept({});
  }

  async function list({ uid, sessionId }: Somebody): Promise<Result<{ sessions: SessionRow[] }>> {
    return accept({ sessions: await sessions.list(uid, sessionId) });
  }

  return { stateOf, signIn, signOut, signOutEverywhere, revoke, list };
}

const unverified = ({ uid, name, email }: Account): SessionState => ({ status: 'unverified', uid, name, email });

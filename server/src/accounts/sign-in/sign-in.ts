/**
 * Signing in and out, and the list of a user's sessions. A refusal never reveals whether the address or the password was
 * wrong, and takes as long for either.
 */
import { type Result, type SessionRow, type SessionState, type Uid, userStream } from '@tunemate/protocol';
import { guess } from '../../access/spending.ts';
import type { Session, UserSession } from '../../access/session.ts';
import type { Db } from '../../storage/schema.ts';
import type { Asker } from '../../system/network-turns.ts';
import { accept, type Nothing, refuse } from '../../system/ports.ts';
import { dropTicket, dropTicketsOf } from '../sign-up/codes.ts';
import { ticketOf } from '../sign-up/waiting.ts';
import { isWrongPassword } from './passwords.ts';
import { type AccountsDeps, audit, type Caller } from '../accounts-deps.ts';
import {
  type Account,
  accountByTyped,
  accountByUid,
  addressKey,
  ownDocument,
  setPasswordHash,
} from '../users-store.ts';

export type SignInService = ReturnType<typeof signInService>;

interface Credentials {
  email: string;
  password: string;
}
interface Visitor extends Caller {
  session: Session;
  /** The device's name in the list of sessions. */
  device: string;
  /** The cookie of a device that signed in before. */
  mark: string | null;
  /** The cookie of a browser that signed up. */
  waiting: string | null;
}
interface SignedIn {
  token: string;
  state: SessionState;
  /** The cookie that marks the device from now on. */
  mark: string;
}

export function signInService(deps: AccountsDeps) {
  const { record, passwords, sessions, limits, devices } = deps;

  const stateOf = (session: Session) => readState(record.db, session);

  async function signIn(credentials: Credentials, visitor: Visitor): Promise<Result<SignedIn>> {
    const { network, mark } = visitor;
    const account = await accountByTyped(record.db, credentials.email);
    const deviceId = account && devices.idOf(mark, account);
    const asker = { network, isKnown: deviceId !== null };
    const key = addressKey(credentials.email);
    const buckets =
      deviceId === null
        ? ([
            ['signIn', `${network}|${key}`],
            ['signInFar', key],
            ['signInMissesIp', network],
          ] as const)
        : ([['signInDevice', `${key}|${deviceId}`]] as const);
    const pace = await limits.take('signInIp', deviceId ?? network);
    if (!pace.ok) return pace;
    return await guess(limits, buckets, isWrongPassword, async () => {
      const signedIn = await tryToSignIn(account, credentials.password, visitor, asker);
      if (signedIn) return signedIn;
      // Tried twice, because a concurrent sign-in may rehash the same password.
      const now = await accountByTyped(record.db, credentials.email);
      const again = await tryToSignIn(now, credentials.password, visitor, asker);
      return again ?? (await refuseSignIn(deps, null, visitor.address));
    });
  }

  /** Null when the password was replaced while it was checked. */
  async function tryToSignIn(
    account: Account | null,
    password: string,
    { session, device, address, mark, waiting }: Visitor,
    asker: Asker,
  ): Promise<Result<SignedIn> | null> {
    const { isRight, rehash } = await passwords.check(password, account?.passwordHash ?? null, asker);
    if (!isRight || !account) return await refuseSignIn(deps, account?.uid ?? null, address);
    const { uid } = account;
    // Revealed only after the right password.
    if (account.isDisabled) return refuse('auth/disabled');
    await sessions.endEarlier(session);
    const opened = await record.write([userStream(uid)], async (writing) => {
      const now = await accountByUid(writing.db, uid);
      // The change of the password ended all older sessions; the old password must not open another.
      if (now?.passwordHash !== account.passwordHash) return null;
      if (now.isDisabled) return refuse('auth/disabled');
      if (rehash !== null) await setPasswordHash(writing.db, uid, rehash, account.passwordHash);
      // Otherwise the next person at this browser could sign in without the password after the sign-out.
      if (now.isVerified && waiting !== null) await dropTicket(writing.db, ticketOf(waiting), uid);
      await audit(writing.db, writing.nowMs, 'account.signed-in', uid, address);
      return accept({ token: await sessions.open(writing, uid, device), isVerified: now.isVerified });
    });
    if (!opened?.ok) return opened;
    const { token, isVerified } = opened.value;
    const state = isVerified ? await stateOf({ status: 'signed-in', uid, sessionId: '' }) : unverified(account);
    return accept({
      token,
      state,
      mark: devices.remember(mark, { uid, passwordHash: rehash ?? account.passwordHash }),
    });
  }

  return { stateOf, signIn, ...sessionEndings(deps) };
}

/** Signing out, here or elsewhere, and the list to choose from. */
function sessionEndings({ record, sessions }: AccountsDeps) {
  async function signOut(session: Session, address: string): Promise<Result<Nothing>> {
    if (session.status === 'signed-out') return accept({});
    await record.write([userStream(session.uid)], async (writing) => {
      await sessions.end(writing, session.uid, { type: 'only', ids: [session.sessionId] });
      await audit(writing.db, writing.nowMs, 'account.signed-out', session.uid, address);
    });
    return accept({});
  }

  /** All sessions of the user, this one too. */
  async function signOutEverywhere({ uid, status }: UserSession, address: string): Promise<Result<Nothing>> {
    await record.write([userStream(uid)], async (writing) => {
      await sessions.end(writing, uid, { type: 'all' });
      // A browser that waits for the mail counts as signed in. Before that is opened, others may wait with the same address.
      if (status === 'signed-in') await dropTicketsOf(writing.db, uid);
      await audit(writing.db, writing.nowMs, 'account.signed-out-everywhere', uid, address);
    });
    return accept({});
  }

  /** Ends one session of the caller; the answer for an unknown id and for another user's session is the same. */
  async function revoke({ uid }: UserSession, sessionId: string, address: string): Promise<Result<Nothing>> {
    const isOwn = (await sessions.list(uid, '')).some((row) => row.sessionId === sessionId);
    if (!isOwn) return refuse('access/not-found');
    await record.write([userStream(uid)], async (writing) => {
      await sessions.end(writing, uid, { type: 'only', ids: [sessionId] });
      await audit(writing.db, writing.nowMs, 'account.session-revoked', uid, address);
    });
    return accept({});
  }

  async function list({ uid, sessionId }: UserSession): Promise<Result<{ sessions: SessionRow[] }>> {
    return accept({ sessions: await sessions.list(uid, sessionId) });
  }

  return { signOut, signOutEverywhere, revoke, list };
}

async function readState(db: Db, session: Session): Promise<SessionState> {
  if (session.status === 'signed-out') return session;
  if (session.status === 'signed-in') {
    const user = await ownDocument(db, session.uid);
    return user ? { status: 'signed-in', user } : { status: 'signed-out' };
  }
  const account = await accountByUid(db, session.uid);
  return account ? unverified(account) : { status: 'signed-out' };
}

const unverified = ({ uid, name, email }: Account): SessionState => ({ status: 'unverified', uid, name, email });

async function refuseSignIn(
  { record, clock, log }: AccountsDeps,
  uid: Uid | null,
  address: string,
): Promise<Result<never>> {
  await audit(record.db, clock.now(), 'account.sign-in-refused', uid, address);
  log.info({ address }, 'account.sign-in-refused');
  return refuse('auth/invalid-credentials');
}

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (table: readonly (readonly [RegExp, string])[], agent: string): string | undefined =>
  table.find(([pattern]) => pattern.test(agent))?.[1];

/** The device's name in the list of sessions, from the User-Agent: 'Firefox on Linux', or 'Unknown device'. */
export function deviceName(userAgent: string): string {
  const browser = nameIn(browsers, userAgent);
  const system = nameIn(systems, userAgent);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown device';
}

/**
 * Passwords: which are too weak, how they are stored (argon2id, the minimum that OWASP names), and how a forgotten one
 * is reset or a known one changed.
 */
import { hash, verify } from '@node-rs/argon2';
import { limits, type Result, userStream } from '@tunemate/protocol';
import type { Session } from '../../access/session.ts';
import { passwordResetMail } from '../../mail/templates.ts';
import { accept, Failure, refuse } from '../../system/ports.ts';
import { type AccountsDeps, codeLifetimeMs, type Nothing, type Passwords } from '../accounts-deps.ts';
import { dropCodesOf, findCode, noAccount, replaceResetCode } from '../sign-up/codes.ts';
import { takePlace } from '../sign-up/sign-up-gate.ts';
import { accountByTyped, accountByUid, markVerified, setPasswordHash } from '../users-store.ts';

export type PasswordService = ReturnType<typeof passwordService>;

/**
 * Forgotten and changed passwords. Both end every other session and every mailed link of the person; resetting a
 * forgotten one also ends this session.
 */
export function passwordService(deps: AccountsDeps) {
  const { record, clock, ids, mailer, passwords, sessions, audit, publicUrl } = deps;

  /** The same answer, whether or not the address has an account. One that has none leaves no row that stays. */
  async function requestReset(email: string, address: string): Promise<Result<Nothing>> {
    await record.write([], async ({ db, nowMs }) => {
      const account = await accountByTyped(db, email);
      const code = ids.newToken();
      await replaceResetCode(db, account?.uid ?? noAccount, code, nowMs);
      if (!account) return;
      await audit(db, nowMs, 'account.password-reset-requested', account.uid, address);
      const link = `${publicUrl()}/auth/action?mode=resetPassword&oobCode=${code}`;
      await mailer.enqueue(db, { to: account.email, ...passwordResetMail(account.name, link) }, nowMs);
    });
    mailer.kick();
    return accept({});
  }

  async function reset(code: string, password: string, address: string): Promise<Result<Nothing>> {
    const found = await findCode(record.db, 'resetPassword', code, clock.now() - codeLifetimeMs);
    const account = found && (await accountByUid(record.db, found.uid));
    if (!account) return refuse('auth/code-invalid');
    // A weak password does not use up the code: the person can choose another.
    if (await isWeakPassword(password, account)) return refuse('auth/password-weak', { field: 'password' });
    const hash = await passwords.hash(password);
    return await record.write([userStream(account.uid)], async (writing) => {
      const { db, nowMs } = writing;
      // Read again under the lock: what follows must not be done twice.
      const now = await accountByUid(db, account.uid);
      if (!now || !(await findCode(db, 'resetPassword', code, nowMs - codeLifetimeMs))) {
        return refuse('auth/code-invalid');
      }
      // Where the address is not verified yet, the link does that too, and needs what verifying needs.
      if (!now.isVerified && !(await takePlace(db, account.uid))) return refuse('auth/invitation-needed');
      await setPasswordHash(db, account.uid, hash);
      // The link proves who owns the address; an earlier, unverified sign-up may have been somebody else's.
      await markVerified(db, account.uid);
      await dropCodesOf(db, account.uid);
      await sessions.end(writing, account.uid, { type: 'all' });
      await audit(db, nowMs, 'account.password-reset', account.uid, address);
      return accept({});
    });
  }

  async function change(
    { uid, sessionId }: Exclude<Session, { status: 'signed-out' }>,
    { currentPassword, password }: { currentPassword: string; password: string },
    address: string,
  ): Promise<Result<Nothing>> {
    const account = await accountByUid(record.db, uid);
    const { isRight } = await passwords.check(currentPassword, account?.passwordHash ?? null);
    if (!account || !isRight) return refuse('auth/invalid-credentials', { field: 'currentPassword' });
    if (await isWeakPassword(password, account)) return refuse('auth/password-weak', { field: 'password' });
    const hash = await passwords.hash(password);
    return await record.write([userStream(uid)], async (writing) => {
      // Of two changes at once the second is refused: its current password is no longer the current one.
      if (!(await setPasswordHash(writing.db, uid, hash, account.passwordHash))) {
        return refuse('auth/invalid-credentials', { field: 'currentPassword' });
      }
      await dropCodesOf(writing.db, uid);
      await sessions.end(writing, uid, { type: 'all-but', id: sessionId });
      await audit(writing.db, writing.nowMs, 'account.password-changed', uid, address);
      return accept({});
    });
  }

  return { requestReset, reset, change };
}

// Argon2id is the library's default algorithm.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const currentCost = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;
/** The hash of no password: verifying against it takes as long as against a real one. */
const dummyHash = '$argon2id$v=19$m=19456,t=2,p=1$+AyY57PIaHjFJQ/xPVrhVQ$RV272MpYZI61A5XyiNfll1Aq+Xcb7bdYFI1bxPmyLTs';
const atOnce = 2;
const queueLength = 64;

let common: Promise<ReadonlySet<string>> | null = null;

/** Long lists, which are unpacked when somebody chooses a password and not at every start. */
async function readCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter((password) => password.length >= limits.passwordMinLength));
}

const productWords = ['tunemate', 'soulmate', 'nowplaying', 'audioroom', 'videoroom', 'listeningroom', 'musicroom'];

/** Letters only, in lower case: what is left of 'Tunemate2026!'. */
const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}]/gu, '');

/** Too short, too long, widely used, or made of the product's, the person's or the address's own words. */
export async function isWeakPassword(password: string, own: { name: string; email: string }): Promise<boolean> {
  const length = Array.from(password).length;
  if (length < limits.passwordMinLength || length > limits.passwordMaxLength) return true;
  common ??= readCommon();
  if ((await common).has(password.toLowerCase()) || new Set(password).size < 3) return true;
  const core = bare(password);
  const ownWords = [own.name, own.email, own.email.replace(/@.*$/s, '')].map(bare);
  return core !== '' && [...productWords, ...ownWords].includes(core);
}

/**
 * Hashing is expensive on purpose, so only two run at a time, and a queue that grows too long is refused instead of
 * served late.
 */
export function createPasswords(): Passwords {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (waiting.length >= queueLength) throw new Failure('server/busy', 'passwords.queue-full');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

  // The same characters typed on different keyboards may arrive composed differently.
  const prepared = (password: string): string => password.normalize('NFKC');
  const hashed = (password: string): Promise<string> => hash(prepared(password), cost);

  return {
    hash: (password) => inTurn(() => hashed(password)),
    check: (password, stored) =>
      inTurn(async () => {
        const matches = await verify(stored ?? dummyHash, prepared(password)).catch(() => false);
        const isRight = matches && stored !== null;
        const isOutdated = stored !== null && !currentCost.test(stored);
        return { isRight, rehash: isRight && isOutdated ? await hashed(password) : null };
      }),
  };
}

/**
 * Passwords: which are too weak, how they are stored (argon2id with OWASP's minimum cost), resetting and changing them.
 */
import { hash, verify } from '@node-rs/argon2';
import { limits, type Result, userStream } from '@tunemate/protocol';
import type { UserSession } from '../../access/session.ts';
import { passwordResetMail } from '../../mail/templates.ts';
import { accept, Failure, refuse } from '../../system/ports.ts';
import { type AccountsDeps, audit, codeLifetimeMs, type Nothing, type Passwords } from '../accounts-deps.ts';
import { dropCodesOf, findCode, noAccount, replaceResetCode } from '../sign-up/codes.ts';
import { takePlace } from '../sign-up/sign-up-gate.ts';
import { accountByTyped, accountByUid, markVerified, setPasswordHash } from '../users-store.ts';

export type PasswordService = ReturnType<typeof passwordService>;

/**
 * Resets and changes passwords. Both end every mailed link and every other session of the user; a reset also ends this
 * session.
 */
export function passwordService(deps: AccountsDeps) {
  const { record, clock, ids, mailer, passwords, sessions, publicUrl } = deps;

  /** The answer is the same whether or not the address has an account. */
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
    // A weak password does not use up the code, so that the user can choose another.
    if (await isWeakPassword(password, account)) return refuse('auth/password-weak', { field: 'password' });
    const hash = await passwords.hash(password);
    return await record.write([userStream(account.uid)], async (writing) => {
      const { db, nowMs } = writing;
      // Read again under the lock, because a code works once.
      const now = await accountByUid(db, account.uid);
      if (!now || !(await findCode(db, 'resetPassword', code, nowMs - codeLifetimeMs))) {
        return refuse('auth/code-invalid');
      }
      // The link also verifies an unverified address, under the same conditions as a verification link.
      if (!now.isVerified && !(await takePlace(db, account.uid))) return refuse('auth/invitation-needed');
      await setPasswordHash(db, account.uid, hash);
      // The link proves ownership of the address; an earlier, unverified sign-up may be another person's.
      await markVerified(db, account.uid);
      await dropCodesOf(db, account.uid);
      await sessions.end(writing, account.uid, { type: 'all' });
      await audit(db, nowMs, 'account.password-reset', account.uid, address);
      return accept({});
    });
  }

  async function change(
    { uid, sessionId }: UserSession,
    { currentPassword, password }: { currentPassword: string; password: string },
    address: string,
  ): Promise<Result<Nothing>> {
    const account = await accountByUid(record.db, uid);
    const { isRight } = await passwords.check(currentPassword, account?.passwordHash ?? null);
    if (!account || !isRight) return refuse('auth/invalid-credentials', { field: 'currentPassword' });
    if (await isWeakPassword(password, account)) return refuse('auth/password-weak', { field: 'password' });
    const hash = await passwords.hash(password);
    return await record.write([userStream(uid)], async (writing) => {
      // Of two concurrent changes the second is refused: its current password has been replaced.
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
/** No password matches it; verifying against it takes as long as against a real hash. */
const dummyHash = '$argon2id$v=19$m=19456,t=2,p=1$+AyY57PIaHjFJQ/xPVrhVQ$RV272MpYZI61A5XyiNfll1Aq+Xcb7bdYFI1bxPmyLTs';
const atOnce = 2;
const queueLength = 64;

let common: Promise<ReadonlySet<string>> | null = null;

/** Loaded at the first use, because the lists are large. */
async function readCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter((password) => password.length >= limits.passwordMinLength));
}

const productWords = ['tunemate', 'soulmate', 'nowplaying', 'audioroom', 'videoroom', 'listeningroom', 'musicroom'];

/** 'tunemate' of 'Tunemate2026!'. */
const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}]/gu, '');

/** Too short, too long, widely used, or made of the product's name, the user's name or the address. */
export async function isWeakPassword(password: string, own: { name: string; email: string }): Promise<boolean> {
  const length = Array.from(password).length;
  if (length < limits.passwordMinLength || length > limits.passwordMaxLength) return true;
  common ??= readCommon();
  if ((await common).has(password.toLowerCase()) || new Set(password).size < 3) return true;
  const core = bare(password);
  const ownWords = [own.name, own.email, own.email.replace(/@.*$/s, '')].map(bare);
  return core !== '' && [...productWords, ...ownWords].includes(core);
}

/** Hashing is expensive on purpose: `atOnce` run at a time, and `queueLength` wait; beyond that both functions throw. */
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

  // Keyboards differ in how they compose the same characters.
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

/**
 * Passwords: which are too weak, how they are stored (argon2id with OWASP's minimum cost), resetting and changing them.
 */
import { hash, verify } from '@node-rs/argon2';
import { limits, linkModes, type Result, type RoutePayload, type Uid, userStream } from '@tunemate/protocol';
import { guess } from '../../access/spending.ts';
import type { UserSession } from '../../access/session.ts';
import { passwordResetMail } from '../../mail/templates.ts';
import { type Asker, createNetworkTurns } from '../../system/network-turns.ts';
import { accept, type Nothing, refuse } from '../../system/ports.ts';
import { codeLifetimeMs } from '../../access/session.ts';
import { type AccountsDeps, audit, type Caller, type MailCaller, type Passwords } from '../accounts-deps.ts';
import {
  dropSignUp,
  findCode,
  guessCode,
  mailedLink,
  noAccount,
  replaceResetCode,
  spendCode,
  spendCodesOf,
} from '../sign-up/codes.ts';
import { placeOf, takePlace } from '../sign-up/sign-up-gate.ts';
import {
  type Account,
  accountByTyped,
  accountByUid,
  addressKey,
  markVerified,
  setPasswordHash,
} from '../users-store.ts';

type AskedReset = RoutePayload<'POST /api/accounts/request-password-reset'>;

export type PasswordService = ReturnType<typeof passwordService>;

/**
 * Resets and changes passwords. Both end every mailed link and every other session of the user (before the address is
 * verified, a change those of its own sign-up); a reset also ends this session.
 */
export function passwordService(deps: AccountsDeps) {
  const { record, clock, limits: counted, passwords, devices, sessions } = deps;

  /** The value is the cookie that marks the device as the owner's, because the link proves the mailbox. */
  async function reset(
    { oobCode, password }: RoutePayload<'POST /api/accounts/reset-password'>,
    caller: Caller,
    mark: string | null,
  ): Promise<Result<{ mark: string }>> {
    const done = await guessCode(counted, caller.network, () => setByCode(oobCode, password, caller));
    return done.ok ? accept({ mark: devices.remember(mark, done.value) }) : done;
  }

  async function setByCode(code: string, password: string, { address, network }: Caller): Promise<Result<Chosen>> {
    const found = await findCode(record.db, 'resetPassword', code, clock.now() - codeLifetimeMs);
    const account = found && (await accountByUid(record.db, found.uid));
    if (!account) return refuse('auth/code-invalid');
    // A weak password does not use up the code, so that the user can choose another.
    if (await isWeakPassword(password, account)) return refuse('auth/password-weak', { field: 'password' });
    const hash = await passwords.hash(password, { network, isKnown: true });
    return await record.write([userStream(account.uid)], async (writing) => {
      const { db, nowMs } = writing;
      // Read again under the lock, because a code works once.
      const now = await accountByUid(db, account.uid);
      if (!now || !(await findCode(db, 'resetPassword', code, nowMs - codeLifetimeMs))) {
        return refuse('auth/code-invalid');
      }
      // The link also verifies an unverified address, under the same conditions as a verification link.
      const needsPlace = !now.isVerified && !(await takePlace(db, account.uid, await placeOf(db, account.uid)));
      if (needsPlace) return refuse('auth/invitation-needed');
      await setPasswordHash(db, account.uid, hash);
      // The link proves ownership of the address; an earlier, unverified sign-up may be another person's.
      await markVerified(db, account.uid);
      await spendCode(db, code, nowMs);
      await spendCodesOf(db, account.uid, nowMs);
      await sessions.end(writing, account.uid, { type: 'all' });
      await audit(db, nowMs, 'account.password-reset', account.uid, address);
      return accept({ uid: account.uid, passwordHash: hash });
    });
  }

  /** Browsers that knew the old password are known no longer, but for this one. */
  async function change(
    session: UserSession,
    given: { currentPassword: string; password: string },
    caller: Caller,
    mark: string | null,
  ): Promise<Result<{ mark: string }>> {
    const done = await replacePassword(deps, session, given, caller);
    return done.ok ? accept({ mark: devices.remember(mark, done.value) }) : done;
  }

  return { requestReset: (asked: AskedReset, caller: MailCaller) => requestReset(deps, asked, caller), reset, change };
}

/** Whose password was chosen, and how it is stored. */
type Chosen = Pick<Account, 'uid' | 'passwordHash'>;

async function replacePassword(
  deps: AccountsDeps,
  { uid, sessionId }: UserSession,
  { currentPassword, password }: { currentPassword: string; password: string },
  caller: Caller,
): Promise<Result<Chosen>> {
  const { record, passwords, sessions } = deps;
  const checked = await checkCurrent(deps, uid, { password: currentPassword, field: 'currentPassword' }, caller);
  if (!checked.ok) return checked;
  const { address, network } = caller;
  const account = checked.value;
  const asker = { network, isKnown: true };
  if (await isWeakPassword(password, account)) return refuse('auth/password-weak', { field: 'password' });
  const hash = await passwords.hash(password, asker);
  return await record.write([userStream(uid)], async (writing) => {
    // Of two concurrent changes the second is refused: its current password has been replaced.
    if (!(await setPasswordHash(writing.db, uid, hash, account.passwordHash))) {
      return refuse('auth/invalid-credentials', { field: 'currentPassword' });
    }
    const isVerified = (await accountByUid(writing.db, uid))?.isVerified === true;
    // The user may not own the address: its owner can still reject the sign-up, and keeps the links of their own.
    if (isVerified) await spendCodesOf(writing.db, uid, writing.nowMs, linkModes);
    else await dropSignUp(writing.db, uid, account.passwordHash);
    await sessions.end(writing, uid, { type: 'all-but', id: sessionId });
    await audit(writing.db, writing.nowMs, 'account.password-changed', uid, address);
    return accept({ uid, passwordHash: hash });
  });
}

/** The account of a signed-in user who gives its current password in `field`. Every place that asks for it uses this. */
export async function checkCurrent(
  { record, limits: counted, passwords }: Pick<AccountsDeps, 'record' | 'limits' | 'passwords'>,
  uid: Uid,
  given: { password: string; field: string },
  { network }: Caller,
): Promise<Result<Account>> {
  const pace = await counted.take('passwordPace', uid);
  if (!pace.ok) return pace;
  return await guess(counted, [['password', uid]], isWrongPassword, async () => {
    const account = await accountByUid(record.db, uid);
    const asker = { network, isKnown: true };
    const { isRight } = await passwords.check(given.password, account?.passwordHash ?? null, asker);
    return account && isRight ? accept(account) : refuse('auth/invalid-credentials', { field: given.field });
  });
}

/** A wrong guess, as limits on guesses count it. */
export const isWrongPassword = (answer: Result<unknown>): boolean =>
  !answer.ok && answer.error.code === 'auth/invalid-credentials';

/** The answer is the same whether or not the address has an account, and while a mail is on its way. */
async function requestReset(
  { record, ids, limits: counted, mailer, publicUrl, withoutMail }: AccountsDeps,
  { email }: AskedReset,
  caller: MailCaller,
): Promise<Result<Nothing>> {
  if (!(await counted.take('resetMails', addressKey(email))).ok) return accept({});
  await record.write([], async (writing) => {
    const { db, nowMs } = writing;
    const account = await accountByTyped(db, email);
    const code = ids.newToken();
    await replaceResetCode(db, account?.uid ?? noAccount, code, nowMs);
    if (!account) return;
    await audit(db, nowMs, 'account.password-reset-requested', account.uid, caller.address);
    // A stranger may have asked: the way on to a room stays in the browser that did.
    const link = mailedLink(publicUrl(caller), 'resetPassword', code);
    const mail = { to: account.email, ...passwordResetMail(link, caller.language) };
    await mailer.enqueue(db, mail, nowMs);
    const who = { kind: 'reset', number: null, passwordHash: null, ticketHash: null } as const;
    await withoutMail?.deliver(writing, { ...account, ...who, subject: mail.subject, link }, caller);
  });
  mailer.kick();
  return accept({});
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

const nobody: Asker = { network: '', isKnown: false };

/** Hashing is expensive on purpose: `atOnce` run at a time, and the others wait for their turn. */
export function createPasswords(): Passwords {
  const inTurn = createNetworkTurns({ atOnce, queueLength, whenFull: 'passwords.queue-full' });
  // Keyboards differ in how they compose the same characters.
  const prepared = (password: string): string => password.normalize('NFKC');
  const hashed = (password: string): Promise<string> => hash(prepared(password), cost);

  return {
    hash: (password, asker = nobody) => inTurn(asker, () => hashed(password)),
    check: (password, stored, asker = nobody) =>
      inTurn(asker, async () => {
        const matches = await verify(stored ?? dummyHash, prepared(password)).catch(() => false);
        const isRight = matches && stored !== null;
        const isOutdated = stored !== null && !currentCost.test(stored);
        return { isRight, rehash: isRight && isOutdated ? await hashed(password) : null };
      }),
  };
}

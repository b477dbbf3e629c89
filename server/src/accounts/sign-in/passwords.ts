/**
 * Passwords: which are too weak, and how they are kept (argon2id, the minimum that OWASP names). Hashing is made
 * expensive on purpose, so only two run at a time, and a queue that grows too long is refused instead of served late.
 */
import { hash, verify } from '@node-rs/argon2';
import { limits } from '@tunemate/protocol';
import { Failure } from '../../system/ports.ts';

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

export interface Passwords {
  /** Throws a Failure server/busy when too many wait. */
  hash(password: string): Promise<string>;
  /** `stored` is null for an unknown account: as slow, and never right. `rehash` is set when the cost is outdated. */
  check(password: string, stored: string | null): Promise<{ isRight: boolean; rehash: string | null }>;
}

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

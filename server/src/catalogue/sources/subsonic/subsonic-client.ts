/**
 * Speaks the Subsonic protocol with the operator's music server: how it signs in, what an answer may be, and how long
 * one may take. Addresses of calls hold secrets, so no error, log line or answer contains one.
 */
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { causeOf, type OutsideCause, outsideCauses } from '../../../system/outside.ts';
import { partsOf, wholeOf } from '../../../system/response-bytes.ts';
import { within } from '../../../system/within.ts';
import { readAnswer, type SubsonicAnswer } from './subsonic-answers.ts';

/**
 * `away`: no answer, a late one, or a fault of the server; the causes of `system/outside.ts` where it is known why.
 * `busy`: it takes no more calls for now. `proxy`: what stands before it asks for a sign-in of its own. `address`: what answers is no Subsonic server. `redirect`: it leads elsewhere. `password`: it does not accept the name,
 * the password or the key. `key`: it accepts no API keys. `rights`: the account may not do this. `protocol`: it is too old.
 * `gone`: it has no such track or picture. `answer`: the answer is not what the protocol describes.
 */
export type SubsonicFault =
  | 'away'
  | OutsideCause
  | 'busy'
  | 'proxy'
  | 'address'
  | 'redirect'
  | 'password'
  | 'key'
  | 'rights'
  | 'protocol'
  | 'gone'
  | 'answer';

/** Of these the server itself is in a state; others are about one thing that was asked of it. */
export const ofServer: ReadonlySet<SubsonicFault> = new Set<SubsonicFault>([
  ...(['away', 'busy', 'proxy', 'redirect', 'password', 'key', 'protocol'] as const),
  ...outsideCauses,
]);

export class SubsonicFailure extends Error {
  readonly fault: SubsonicFault;
  constructor(fault: SubsonicFault) {
    super(`music server: ${fault}`);
    this.name = 'SubsonicFailure';
    this.fault = fault;
  }
}

/** Of the settings SUBSONIC_URL, SUBSONIC_USER, SUBSONIC_PASSWORD and SUBSONIC_TOKEN. */
export interface SubsonicAccount {
  /** Up to where `/rest/` begins, without a slash at the end. */
  url: string;
  user: string | null;
  password: string | null;
  /** An API key of the server; used in place of name and password. */
  token: string | null;
}

export interface SubsonicPatience {
  /** Until an answer begins. */
  answerMs: number;
  /** Between two parts of an answer. */
  partMs: number;
  /** For an answer that is read whole: one that comes in drops would never end. */
  wholeMs: number;
  /** From a refusal of the account until a track or a picture is asked for again. */
  refusedMs?: number;
}
/**
 * Waits before another try, in milliseconds. A connection that was kept open may be one of a server that has started
 * again since, and Supysonic answers 500 where two of its answers write at the same moment.
 */
const retriesMs = [50, 250, 500, 0];
const usualPatience: SubsonicPatience = { answerMs: 20_000, partMs: 20_000, wholeMs: 60_000 };
const usualRefusedMs = 5000;

/** More than 500 tracks with long names and all that extensions add. */
const mostAnswerBytes = 8 * 1024 * 1024;
/** The oldest protocol with `search3`, which lists tracks by their tags. */
const oldestMinor = 8;
/** Servers refuse clients that are newer than they are. */
const versions = { key: '1.16.1', salt: '1.13.0', body: '1.8.0' } as const;
const clientName = 'Tunemate';

/** By an API key, by a salted hash of the password, or by the password in the body of a POST. */
type SignIn = keyof typeof versions;
type Parameters = Readonly<Record<string, string | number>>;

const faultOfCode: Readonly<Record<number, SubsonicFault>> = {
  20: 'protocol',
  30: 'protocol',
  40: 'password',
  42: 'key',
  44: 'password',
  50: 'rights',
  70: 'gone',
};
/** The name, the password or the key is wrong, as opposed to one thing that the account may not do. */
const refusesAccount = new Set([40, 42, 44]);
/** A parameter is missing, or a server that keeps only hashes of passwords accepts no salted one. */
const needsPassword = new Set([10, 41]);

class CodedFailure extends SubsonicFailure {
  readonly code: number;
  constructor(code: number) {
    super(faultOfCode[code] ?? 'answer');
    this.code = code;
  }
}

/** A file as it begins to arrive. */
export interface SubsonicFile {
  status: number;
  headers: Headers;
  /** Throws SubsonicFailure when the server stops sending. Ending it early ends the call. */
  bytes: AsyncGenerator<Buffer, void>;
  /** Ends a call whose bytes are not read. */
  end(): void;
}

export interface SubsonicClient {
  /** Finds out how to sign in. Answers the server's own name, if it says one. */
  signIn(): Promise<string | null>;
  /** One call; the answer is JSON of at most so many bytes. Every method throws SubsonicFailure. */
  ask(method: string, parameters?: Parameters, mostBytes?: number): Promise<SubsonicAnswer>;
  /** Bytes of a track or a picture. `range` is a header of HTTP. */
  file(method: 'stream' | 'getCoverArt', parameters: Parameters, range?: string): Promise<SubsonicFile>;
  /** What comes of these bytes, in the time of an answer that is read whole. */
  whole(bytes: SubsonicFile['bytes'], mostBytes: number): Promise<Buffer>;
}

export function subsonicClient(account: SubsonicAccount, patience: SubsonicPatience = usualPatience): SubsonicClient {
  let how: SignIn = account.token === null ? 'salt' : 'key';
  const refusal = refusalsOfAccount(patience.refusedMs ?? usualRefusedMs);
  const whole: SubsonicClient['whole'] = (bytes, mostBytes) =>
    wholeOf(bytes, mostBytes, SubsonicFailure, patience.wholeMs);

  async function send(method: string, parameters: Parameters, range?: string) {
    // How often this server signs in is limited elsewhere.
    if (method !== 'ping' && refusal.isRecent()) throw new SubsonicFailure('password');
    let cause: OutsideCause | 'busy' | null = null;
    for (const waitMs of retriesMs) {
      const called = await call({ account, how, patience }, method, parameters, range);
      const isFaulty = called.type === 'answer' && (called.response.status >= 500 || called.response.status === 429);
      if (called.type === 'answer' && !isFaulty) return called;
      if (called.type === 'answer') called.end();
      if (called.type === 'late') break;
      cause = called.type === 'broken' ? called.cause : called.response.status === 429 ? 'busy' : null;
      // No waiting mends these.
      if (cause === 'certificate' || cause === 'tls') break;
      await pause(waitMs);
    }
    throw new SubsonicFailure(cause ?? 'away');
  }

  async function ask(
    method: string,
    parameters: Parameters = {},
    mostBytes = mostAnswerBytes,
  ): Promise<SubsonicAnswer> {
    const { response, bytes, end } = await send(method, parameters);
    if (!response.ok) {
      const { status } = response;
      // Some say with a status of failure, too, what the protocol calls it.
      const coded = await refusal.noted(answeredIn(whole(bytes, mostAnswerBytes))).catch((error: unknown) => error);
      end();
      if (coded instanceof CodedFailure) throw coded;
      if (status >= 300 && status < 400) throw new SubsonicFailure('redirect');
      // A music server says what it refuses in its own words: a page that asks for a sign-in is of what stands before it.
      if (response.headers.has('www-authenticate')) throw new SubsonicFailure('proxy');
      throw new SubsonicFailure(status === 401 || status === 403 ? 'password' : 'address');
    }
    return await refusal.noted(answeredIn(whole(bytes, mostBytes)));
  }

  return {
    ask,
    whole,
    async signIn() {
      how = account.token === null ? 'salt' : 'key';
      const answer = await ping(ask).catch(async (error: unknown) => {
        const mayTry = error instanceof CodedFailure && needsPassword.has(error.code);
        if (!mayTry) throw error;
        // A server that knows no keys misses the name.
        if (how === 'key') throw new SubsonicFailure('key');
        how = 'body';
        return await ping(ask);
      });
      refusal.forget();
      return answer.type ?? null;
    },
    async file(method, parameters, range) {
      const { response, bytes, end } = await send(method, parameters, range);
      const { status, headers } = response;
      const isError = /\b(?:json|xml|html)\b/i.test(headers.get('content-type') ?? '');
      if (status === 416 || (response.ok && !isError)) return await begun({ status, headers, bytes, end });
      // Servers describe what went wrong in place of the file, with a status of success or without.
      const said: unknown = isError
        ? await refusal.noted(answeredIn(whole(bytes, mostAnswerBytes))).catch((error: unknown) => error)
        : null;
      end();
      if (said instanceof CodedFailure) throw said;
      if (status === 404 || status === 410) throw new SubsonicFailure('gone');
      // A page in place of one file says nothing of the others.
      throw new SubsonicFailure(status === 401 || status === 403 ? 'rights' : 'answer');
    },
  };
}

/** The file, unless nothing comes of it: so Airsonic-Pulse and Ampache say that it is gone. */
async function begun(file: SubsonicFile): Promise<SubsonicFile> {
  if (file.status !== 200 || Number(file.headers.get('content-length')) > 0) return file;
  const { value: first, done } = await file.bytes.next();
  if (done !== true) return { ...file, bytes: startingWith(first, file.bytes) };
  file.end();
  throw new SubsonicFailure('gone');
}

async function* startingWith(first: Buffer, rest: SubsonicFile['bytes']): SubsonicFile['bytes'] {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return();
  }
}

/** One try. */
async function call(
  { account, how, patience }: { account: SubsonicAccount; how: SignIn; patience: SubsonicPatience },
  method: string,
  parameters: Parameters,
  range: string | undefined,
) {
  const form = new URLSearchParams({ ...secretsOf(account, how), v: versions[how], c: clientName, f: 'json' });
  for (const [name, value] of Object.entries(parameters)) form.set(name, String(value));
  const address = `${account.url}/rest/${method}.view`;
  const ending = new AbortController();
  const answer = fetch(how === 'body' ? address : `${address}?${form.toString()}`, {
    method: how === 'body' ? 'POST' : 'GET',
    ...(how === 'body' && { body: form }),
    // What is sent must be the file itself, or its positions would be of something else.
    headers: { 'accept-encoding': 'identity', ...(range !== undefined && { range }) },
    // A server that leads elsewhere could make this one call any address of its network.
    redirect: 'manual',
    signal: ending.signal,
  }).catch((error: unknown) => ({ cause: causeOf(error) }));
  const response = await within(patience.answerMs, answer, 'late' as const);
  if (response === 'late' || 'cause' in response) {
    ending.abort();
    return response === 'late' ? ({ type: 'late' } as const) : ({ type: 'broken', cause: response.cause } as const);
  }
  const end = () => ending.abort();
  return { type: 'answer', response, bytes: partsOf(response, patience.partMs, ending, SubsonicFailure), end } as const;
}

/** Some servers lock an account out that is refused too often, and every player of a room tries again. */
function refusalsOfAccount(forMs: number) {
  let untilMs = Number.NEGATIVE_INFINITY;
  return {
    isRecent: () => performance.now() < untilMs,
    forget(): void {
      untilMs = Number.NEGATIVE_INFINITY;
    },
    /** The answer of a call, noting whether it refuses the account. */
    async noted<T>(answer: Promise<T>): Promise<T> {
      try {
        return await answer;
      } catch (error) {
        const isRefused = error instanceof CodedFailure && refusesAccount.has(error.code);
        if (isRefused) untilMs = performance.now() + forMs;
        throw error;
      }
    },
  };
}

/** Throws when the server is too old. */
async function ping(ask: SubsonicClient['ask']): Promise<SubsonicAnswer> {
  const answer = await ask('ping');
  const [major = 0, minor = 0] = (answer.version ?? '').split('.').map(Number);
  if (!(major > 1 || (major === 1 && minor >= oldestMinor))) throw new SubsonicFailure('protocol');
  return answer;
}

function secretsOf({ user, password, token }: SubsonicAccount, how: SignIn): Record<string, string> {
  if (how === 'key') return { apiKey: token ?? '' };
  const name = { u: user ?? '' };
  if (how === 'body') return { ...name, p: `enc:${Buffer.from(password ?? '').toString('hex')}` };
  const salt = randomBytes(12).toString('hex');
  // The protocol wants MD5.
  const hashed = createHash('md5')
    .update(`${password ?? ''}${salt}`)
    .digest('hex');
  return { ...name, t: hashed, s: salt };
}

/** Throws what a failed answer says. What is no answer of the protocol comes from another program at this address. */
async function answeredIn(body: Promise<Buffer>): Promise<SubsonicAnswer> {
  const read = readAnswer(await body);
  if (read.type === 'other') throw new SubsonicFailure('address');
  if (read.type === 'failed') throw new CodedFailure(read.code);
  return read.answer;
}

/**
 * Asks the operator's object store: signs each request, waits no longer than is worth it, asks again where that helps,
 * and says in one word what is wrong. The keys sign every request, so no error, log line or answer contains one.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { causeOf, type OutsideCause } from '../outside.ts';
import { partsOf, wholeOf } from '../response-bytes.ts';
import { within } from '../within.ts';

/**
 * `away`: no answer, a late one, or a fault of the store, and an `OutsideCause` where it is known why. `address`: what answers is no S3 store. `key`: it does not
 * accept the keys, or they may not do this. `clock`: our time is not its time. `region`: it is of another region.
 * `bucket`: there is none of this name. `public`: strangers can read the bucket. `full`: it takes no more. `answer`:
 * the answer is not what S3 describes, or not what was asked for.
 */
export type StoreFault =
  | OutsideCause
  | 'away'
  | 'address'
  | 'key'
  | 'clock'
  | 'region'
  | 'bucket'
  | 'public'
  | 'full'
  | 'answer';

export class StoreFailure extends Error {
  readonly fault: StoreFault;
  constructor(fault: StoreFault) {
    super(`object-store.${fault}`);
    this.name = 'StoreFailure';
    this.fault = fault;
  }
}

/** Of the settings S3_URL, S3_REGION, S3_ACCESS_KEY and S3_SECRET_KEY. */
export interface StoreAccount {
  /** With the bucket, and with what all names begin with if there is anything; without a slash at the end. */
  url: string;
  region: string;
  accessKey: string;
  secretKey: string;
}

export interface StorePatience {
  /** Until an answer begins. */
  answerMs: number;
  /** Between two parts of an answer. */
  partMs: number;
  /** On the slowest line: what is sent may take as much longer. */
  bytesPerMs: number;
}

/** Every request may be repeated: an object is written whole, and always with the same bytes. */
const retriesMs = [100, 400];
const mostErrorBytes = 16 * 1024;

/** Positions of the first and the last byte, both included. */
export interface Part {
  first: number;
  last: number;
}

export interface Asked {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Empty for the bucket itself. */
  key: string;
  query?: Readonly<Record<string, string>>;
  part?: Part | undefined;
  body?: Body;
  /** Ends it. */
  signal?: AbortSignal | undefined;
}

export interface Body {
  bytes: number;
  sha256: string;
  /** Anew for each try. */
  open: () => Uint8Array | Readable;
}

export interface Answered {
  status: number;
  headers: Headers;
  body: AsyncGenerator<Buffer, void>;
  end: () => void;
}

/** A folder and a name in it. Neither begins with a dot, so that no key leads out of what S3_URL names. */
const keyShape = /^[a-z][a-z-]{0,40}\/[0-9A-Za-z][\w.-]{0,200}$/u;
export const isKey = (key: string): boolean => keyShape.test(key);

export type StoreClient = ReturnType<typeof storeClient>;

export function storeClient(account: StoreAccount, patience: StorePatience) {
  const { origin, pathname } = new URL(account.url);
  const [, bucket = '', ...above] = pathname.split('/');
  const below = above.map((each) => `${each}/`).join('');

  /** `late` when no answer begins in time, the cause when the connection fails. */
  async function call(asked: Asked, isSigned: boolean): Promise<Answered | 'late' | { cause: OutsideCause | null }> {
    const { method, key, query = {}, body } = asked;
    const url = new URL(`${origin}/${bucket}${key === '' ? '' : `/${below}${key}`}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const headers = await headersOf(url, asked, isSigned ? account : null);
    const ending = new AbortController();
    const sent = body?.open();
    const answer = fetch(url, {
      method,
      headers,
      ...(sent && { body: sent as BodyInit, duplex: 'half' }),
      // A store that leads elsewhere could make this one send pictures to any address.
      redirect: 'manual',
      signal: asked.signal === undefined ? ending.signal : AbortSignal.any([ending.signal, asked.signal]),
    }).catch((error: unknown) => ({ cause: causeOf(error) }));
    const waitMs = patience.answerMs + (body?.bytes ?? 0) / patience.bytesPerMs;
    const response = await within(waitMs, answer, 'late' as const);
    if (response === 'late' || 'cause' in response) {
      ending.abort();
      // A file that nothing was read of would stay open.
      if (sent instanceof Readable) sent.destroy();
      return response;
    }
    const end = () => ending.abort();
    const { status, headers: said } = response;
    return { status, headers: said, body: partsOf(response, patience.partMs, ending, StoreFailure), end };
  }

  /** Null when there is no such object. The caller reads the body or ends it. Throws StoreFailure. */
  async function ask(asked: Asked): Promise<Answered | null> {
    if (asked.key !== '' && !isKey(asked.key)) throw new StoreFailure('address');
    let cause: OutsideCause | null = null;
    for (const waitMs of [...retriesMs, null]) {
      if (asked.signal?.aborted === true) break;
      const answered = await call(asked, true);
      if (answered === 'late') break;
      cause = 'cause' in answered ? answered.cause : null;
      if (!('cause' in answered)) {
        if (answered.status >= 200 && answered.status < 300) return answered;
        const code = await codeIn(answered, patience.partMs);
        // An answer to HEAD has no words.
        const fault = asked.method === 'HEAD' && answered.status === 404 ? 'gone' : faultOf(answered.status, code);
        if (fault === 'gone') return null;
        if (fault !== 'away') throw new StoreFailure(fault);
      }
      if (waitMs !== null) await pause(waitMs);
    }
    throw new StoreFailure(cause ?? 'away');
  }

  return {
    /** What stands before all names. */
    below,
    patience,
    ask,
    /** The status of an answer to a stranger without a key; null without an answer. */
    async askAsStranger(key: string): Promise<number | null> {
      const answered = await call({ method: 'GET', key }, false);
      if (answered === 'late' || 'cause' in answered) return null;
      answered.end();
      return answered.status;
    },
    /** A connection is used again once its answer is read. */
    async finish(answered: Answered | null): Promise<void> {
      if (answered !== null)
        await wholeOf(answered.body, mostErrorBytes, StoreFailure, patience.partMs).catch(answered.end);
    },
  };
}

/** Null as the account asks as a stranger. */
async function headersOf(url: URL, { method, part, body }: Asked, account: StoreAccount | null): Promise<Headers> {
  const headers = {
    'x-amz-content-sha256': body?.sha256 ?? emptySha256,
    ...(part && { range: `bytes=${String(part.first)}-${String(part.last)}` }),
    ...(body && { 'content-length': String(body.bytes), 'content-type': 'application/octet-stream' }),
  };
  // Not signed: `fetch` names it once more beside a range.
  const unsigned = { 'accept-encoding': 'identity' };
  if (account === null) return new Headers({ ...headers, ...unsigned });
  const { accessKey: accessKeyId, secretKey: secretAccessKey, region } = account;
  const signer = new AwsV4Signer({
    url: url.href,
    method,
    headers,
    accessKeyId,
    secretAccessKey,
    region,
    service: 's3',
  });
  return new Headers([...(await signer.sign()).headers, ...Object.entries(unsigned)]);
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const emptySha256 = sha256Of(new Uint8Array());

/** What S3 calls the error; empty when the answer does not say. */
async function codeIn({ body }: Answered, withinMs: number): Promise<string> {
  const text = await wholeOf(body, mostErrorBytes, StoreFailure, withinMs).catch(() => Buffer.alloc(0));
  return /<Code>([A-Za-z]{1,64})<\/Code>/.exec(text.toString())?.[1] ?? '';
}

const faultOfCode: Readonly<Record<string, StoreFault | 'gone'>> = {
  NoSuchKey: 'gone',
  NoSuchBucket: 'bucket',
  InvalidBucketName: 'bucket',
  RequestTimeTooSkewed: 'clock',
  AuthorizationHeaderMalformed: 'region',
  PermanentRedirect: 'region',
  QuotaExceeded: 'full',
  XMinioStorageFull: 'full',
};

function faultOf(status: number, code: string): StoreFault | 'gone' {
  const known = faultOfCode[code];
  if (known !== undefined) return known;
  if (status === 507) return 'full';
  if (status >= 500 || status === 429) return 'away';
  if (status === 401 || status === 403) return 'key';
  if (status === 404) return 'address';
  return code === '' ? 'address' : 'answer';
}

/**
 * Speaks S3 with the operator's object store: which objects may be named, how long an answer may take, and what an answer
 * may be. The keys sign every request, so no error, log line or answer contains one.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { within } from './within.ts';

/**
 * `away`: no answer, a late one, or a fault of the store. `address`: what answers is no S3 store. `key`: it does not accept
 * the keys, or they may not do this. `clock`: our time is not its time. `region`: it is of another region. `bucket`: there
 * is none of this name. `public`: anybody can read the bucket. `full`: it takes no more. `answer`: the answer is not what S3
 * describes, or not what was asked for.
 */
export type StoreFault = 'away' | 'address' | 'key' | 'clock' | 'region' | 'bucket' | 'public' | 'full' | 'answer';

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
}

const usualPatience: StorePatience = { answerMs: 10_000, partMs: 20_000 };
/** What is sent may take longer, as on a slow line. */
const slowestBytesPerMs = 100;
/** Every request may be repeated: an object is written whole, and always with the same bytes. */
const retriesMs = [100, 400];
const mostErrorBytes = 16 * 1024;
/** A page of 500 names with all that stores say of each. */
const mostListBytes = 2 * 1024 * 1024;
const namesPerPage = 500;

/** Positions of the first and the last byte, both included. */
interface Part {
  first: number;
  last: number;
}

/** An object as it begins to arrive. */
export interface ArrivingObject {
  /** Of what arrives. */
  bytes: number;
  /** Fails when less arrives. Destroying it ends the request. */
  stream: Readable;
}

interface FileBounds {
  mostBytes?: number;
  signal?: AbortSignal;
}

interface ListedObject {
  /** Without the folder. */
  name: string;
  modifiedMs: number;
}

export type ObjectStore = ReturnType<typeof objectStore>;

/** A folder and a name in it. Neither begins with a dot, so that no key leads out of what S3_URL names. */
const keyShape = /^[a-z][a-z-]{0,40}\/[0-9A-Za-z][\w.-]{0,200}$/u;

interface Asked {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Empty for the bucket itself. */
  key: string;
  query?: Readonly<Record<string, string>>;
  part?: Part | undefined;
  body?: Body;
  /** Ends it. */
  signal?: AbortSignal | undefined;
}

interface Body {
  bytes: number;
  sha256: string;
  /** Anew for each try. */
  open: () => Uint8Array | Readable;
}

interface Answered {
  status: number;
  headers: Headers;
  body: AsyncGenerator<Buffer, void>;
  end: () => void;
}

/** Every method throws StoreFailure. */
export function objectStore(account: StoreAccount, patience: StorePatience = usualPatience) {
  const { origin, pathname } = new URL(account.url);
  const [, bucket = '', ...above] = pathname.split('/');
  const below = above.map((each) => `${each}/`).join('');

  /** `late` when no answer begins in time, `broken` when the connection fails. */
  async function call(asked: Asked, isSigned: boolean): Promise<Answered | 'late' | 'broken'> {
    const { method, key, query = {}, part, body } = asked;
    const url = new URL(`${origin}/${bucket}${key === '' ? '' : `/${below}${key}`}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const headers = {
      'x-amz-content-sha256': body?.sha256 ?? emptySha256,
      ...(part && { range: `bytes=${String(part.first)}-${String(part.last)}` }),
      ...(body && { 'content-length': String(body.bytes), 'content-type': 'application/octet-stream' }),
    };
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
    const sent = new Headers(isSigned ? (await signer.sign()).headers : headers);
    // Not signed: `fetch` names it once more beside a range.
    sent.set('accept-encoding', 'identity');
    const ending = new AbortController();
    const answer = fetch(url, {
      method,
      headers: sent,
      ...(body && { body: body.open() as BodyInit, duplex: 'half' }),
      // A store that leads elsewhere could make this one send pictures to any address.
      redirect: 'manual',
      signal: asked.signal === undefined ? ending.signal : AbortSignal.any([ending.signal, asked.signal]),
    }).catch(() => 'broken' as const);
    const waitMs = patience.answerMs + (body?.bytes ?? 0) / slowestBytesPerMs;
    const response = await within(waitMs, answer, 'late' as const);
    if (response === 'late' || response === 'broken') {
      ending.abort();
      return response;
    }
    const end = () => ending.abort();
    const { status, headers: said } = response;
    return { status, headers: said, body: bytesOf(response, patience.partMs, ending), end };
  }

  /** Null when there is no such object. The caller reads the body or ends it. */
  async function ask(asked: Asked): Promise<Answered | null> {
    if (asked.key !== '' && !keyShape.test(asked.key)) throw new StoreFailure('address');
    for (const waitMs of [...retriesMs, null]) {
      if (asked.signal?.aborted === true) break;
      const answered = await call(asked, true);
      if (answered === 'late') break;
      if (answered !== 'broken') {
        if (answered.status >= 200 && answered.status < 300) return answered;
        const code = await codeIn(answered, patience.partMs);
        // An answer to HEAD has no words.
        const fault = asked.method === 'HEAD' && answered.status === 404 ? 'gone' : faultOf(answered.status, code);
        if (fault === 'gone') return null;
        if (fault !== 'away') throw new StoreFailure(fault);
      }
      if (waitMs !== null) await pause(waitMs);
    }
    throw new StoreFailure('away');
  }

  /** A connection is used again once its answer is read. */
  const finish = async (answered: Answered | null): Promise<void> =>
    void (answered && (await wholeOf(answered.body, mostErrorBytes, patience.partMs).catch(answered.end)));

  async function put(key: string, body: Body, signal?: AbortSignal): Promise<void> {
    const answered = await ask({ method: 'PUT', key, body, signal });
    await finish(answered);
    if (answered === null) throw new StoreFailure('bucket');
  }

  const putBytes = (key: string, bytes: Uint8Array) =>
    put(key, { bytes: bytes.byteLength, sha256: sha256Of(bytes), open: () => bytes });

  /** Null when there is none. */
  async function get(key: string, part?: Part, signal?: AbortSignal): Promise<ArrivingObject | null> {
    const answered = await ask({ method: 'GET', key, part, signal });
    if (answered === null) return null;
    const bytes = lengthIn(answered.headers);
    const wanted = part && part.last - part.first + 1;
    const isPart = `bytes ${String(part?.first)}-${String(part?.last)}/`;
    const isAsked = part
      ? answered.status === 206 && bytes === wanted && answered.headers.get('content-range')?.startsWith(isPart)
      : answered.status === 200;
    if (bytes === null || isAsked !== true) {
      answered.end();
      throw new StoreFailure('answer');
    }
    return { bytes, stream: Readable.from(counted(answered.body, bytes), { objectMode: false }) };
  }

  async function remove(key: string): Promise<void> {
    await finish(await ask({ method: 'DELETE', key }));
  }

  /** The objects of a folder, a page at a time. */
  async function* list(folder: string, signal?: AbortSignal): AsyncGenerator<ListedObject[], void> {
    const prefix = `${below}${folder}/`;
    // The first form of lists goes on after a name, and every store has it.
    for (let after = ''; ;) {
      const query = { prefix, 'max-keys': String(namesPerPage), ...(after !== '' && { marker: after }) };
      const answered = await ask({ method: 'GET', key: '', query, signal });
      if (answered === null) throw new StoreFailure('bucket');
      const xml = (await wholeOf(answered.body, mostListBytes, patience.partMs)).toString();
      if (!xml.includes('<ListBucketResult')) throw new StoreFailure('address');
      const objects = objectsIn(xml);
      yield objects.flatMap(({ key, modifiedMs }) => {
        const name = key.slice(prefix.length);
        // What other programs put there is left out.
        return key.startsWith(prefix) && keyShape.test(`a/${name}`) ? [{ name, modifiedMs }] : [];
      });
      if (!/<IsTruncated>true</.test(xml)) return;
      const last = objects.at(-1)?.key ?? '';
      // A list that does not go on would never end.
      if (Buffer.compare(Buffer.from(last), Buffer.from(after)) <= 0) throw new StoreFailure('answer');
      after = last;
    }
  }

  return {
    put: putBytes,
    /** Reads the file twice, first for what is signed. */
    async putFile(key: string, path: string, signal?: AbortSignal): Promise<void> {
      const hash = createHash('sha256');
      await pipeline(createReadStream(path), hash);
      const { size } = await stat(path);
      await put(key, { bytes: size, sha256: hash.digest('hex'), open: () => createReadStream(path) }, signal);
    },
    get,
    /** Null when there is none, or no bucket. */
    async sizeOf(key: string): Promise<number | null> {
      const answered = await ask({ method: 'HEAD', key });
      await finish(answered);
      return answered && lengthIn(answered.headers);
    },
    /** Does nothing when there is none. */
    remove,
    list,
    /** Writes the object into a file. False when there is none. */
    async getFile(key: string, path: string, { mostBytes = Infinity, signal }: FileBounds = {}): Promise<boolean> {
      const found = await get(key, undefined, signal);
      if (found === null) return false;
      if (found.bytes > mostBytes) {
        found.stream.destroy();
        throw new StoreFailure('answer');
      }
      await pipeline(found.stream, createWriteStream(path, { mode: 0o600 }), { ...(signal && { signal }) });
      return true;
    },
    /** Writes, reads, lists and removes one object, and looks whether strangers can read it. */
    async prove(): Promise<void> {
      const key = `probes/${randomUUID()}`;
      const bytes = Buffer.from(key);
      await putBytes(key, bytes);
      const stranger = await call({ method: 'GET', key }, false);
      if (typeof stranger === 'object') stranger.end();
      const found = await get(key);
      const read = found && (await found.stream.toArray().catch(() => null));
      await list('probes').next();
      await remove(key);
      if (read === null || !Buffer.concat(read as Buffer[]).equals(bytes)) throw new StoreFailure('answer');
      if (typeof stranger === 'object' && stranger.status === 200) throw new StoreFailure('public');
    },
  };
}

/** Null without the settings. Throws StoreFailure when the store can't be used. */
export async function openObjectStore(account: StoreAccount | null): Promise<ObjectStore | null> {
  if (account === null) return null;
  const store = objectStore(account);
  await store.prove();
  return store;
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const emptySha256 = sha256Of(new Uint8Array());

/** Null when the answer does not say, as one that never ends. */
function lengthIn(headers: Headers): number | null {
  const said = headers.get('content-length') ?? '';
  return /^\d{1,15}$/.test(said) ? Number(said) : null;
}

/** The time that a reader of the bytes takes does not count. */
async function* bytesOf(response: Response, partMs: number, ending: AbortController): AsyncGenerator<Buffer, void> {
  const reader = response.body?.getReader();
  try {
    while (reader !== undefined) {
      const part = await within(partMs, reader.read(), null);
      if (part === null) throw new StoreFailure('away');
      if (part.done) return;
      yield Buffer.from(part.value);
    }
  } catch {
    throw new StoreFailure('away');
  } finally {
    ending.abort();
  }
}

/** A body that ends early would be taken for the whole. */
async function* counted(body: AsyncGenerator<Buffer, void>, bytes: number): AsyncGenerator<Buffer, void> {
  let left = bytes;
  for await (const part of body) {
    left -= part.length;
    if (left < 0) throw new StoreFailure('answer');
    yield part;
  }
  if (left !== 0) throw new StoreFailure('answer');
}

/** Not one that comes in drops for ever. */
async function wholeOf(body: AsyncGenerator<Buffer, void>, most: number, withinMs: number): Promise<Buffer> {
  const startedMs = performance.now();
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > most) throw new StoreFailure('answer');
    if (performance.now() - startedMs > withinMs) throw new StoreFailure('away');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** What S3 calls the error; empty when the answer does not say. */
async function codeIn({ body }: Answered, withinMs: number): Promise<string> {
  const text = await wholeOf(body, mostErrorBytes, withinMs).catch(() => Buffer.alloc(0));
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

/** The text of the first element of this name. */
function textIn(xml: string, name: string): string | null {
  const text = new RegExp(`<${name}>([^<]{1,2000})</${name}>`).exec(xml)?.[1];
  return text === undefined
    ? null
    : text.replaceAll(/&(amp|lt|gt|quot|apos|#34|#39);/g, (_all, each: string) => plain[each] ?? '');
}

const plain: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#34': '"', '#39': "'" },
};

function objectsIn(xml: string): { key: string; modifiedMs: number }[] {
  const each = xml.split('<Contents>').slice(1);
  return each.map((one) => ({
    key: textIn(one, 'Key') ?? '',
    modifiedMs: Date.parse(textIn(one, 'LastModified') ?? '') || Infinity,
  }));
}

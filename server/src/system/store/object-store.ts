/**
 * The objects of the operator's store: written whole, read whole or in part, listed and removed. What an answer may be.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type Body,
  isKey,
  type Part,
  sha256Of,
  type StoreAccount,
  storeClient,
  type StoreClient,
  StoreFailure,
  type StorePatience,
} from './store-client.ts';
import { wholeOf } from '../response-bytes.ts';

const usualPatience: StorePatience = { answerMs: 10_000, partMs: 20_000, bytesPerMs: 100 };
/** Names the database whose files `images` holds; not beside them, where they are listed. */
export const ownerOfImages = 'owners/images';
/** A page of 500 names with all that stores say of each. */
const mostListBytes = 2 * 1024 * 1024;
const namesPerPage = 500;

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

/** Every method throws StoreFailure. */
export function objectStore(account: StoreAccount, patience: StorePatience = usualPatience) {
  const client = storeClient(account, patience);
  const { ask, finish } = client;

  async function put(key: string, body: Body, signal?: AbortSignal): Promise<void> {
    const answered = await ask({ method: 'PUT', key, body, signal });
    await finish(answered);
    if (answered === null) throw new StoreFailure('bucket');
  }

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
    const stream = Readable.from(counted(answered.body, bytes), { objectMode: false });
    // Also when no reading has begun.
    stream.once('close', answered.end);
    return { bytes, stream };
  }

  return {
    put: (key: string, bytes: Uint8Array) =>
      put(key, { bytes: bytes.byteLength, sha256: sha256Of(bytes), open: () => bytes }),
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
    async remove(key: string): Promise<void> {
      await finish(await ask({ method: 'DELETE', key }));
    },
    /** The objects of a folder, a page at a time. */
    list: (folder: string, signal?: AbortSignal) => pagesOf(client, folder, signal),
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
    /** Whether a stranger without a key can read the object. */
    isPublic: async (key: string) => (await client.askAsStranger(key)) === 200,
  };
}

async function* pagesOf(
  { below, patience, ask }: StoreClient,
  folder: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<ListedObject[], void> {
  const prefix = `${below}${folder}/`;
  // The first form of lists goes on after a name, and every store has it.
  for (let after = ''; ;) {
    const query = { prefix, 'max-keys': String(namesPerPage), ...(after !== '' && { marker: after }) };
    const answered = await ask({ method: 'GET', key: '', query, signal });
    if (answered === null) throw new StoreFailure('bucket');
    const xml = (await wholeOf(answered.body, mostListBytes, StoreFailure, patience.partMs)).toString();
    if (!xml.includes('<ListBucketResult')) throw new StoreFailure('address');
    const objects = objectsIn(xml);
    yield objects.flatMap(({ key, modifiedMs }) => {
      const name = key.slice(prefix.length);
      // What other programs put there is left out.
      return key.startsWith(prefix) && isKey(`a/${name}`) ? [{ name, modifiedMs }] : [];
    });
    if (!/<IsTruncated>true</.test(xml)) return;
    const last = objects.at(-1)?.key ?? '';
    // A list that does not go on would never end.
    if (Buffer.compare(Buffer.from(last), Buffer.from(after)) <= 0) throw new StoreFailure('answer');
    after = last;
  }
}

/** Null without the settings. Throws StoreFailure when the store can't be used. */
export async function openObjectStore(account: StoreAccount | null): Promise<ObjectStore | null> {
  if (account === null) return null;
  const store = objectStore(account);
  await prove(store);
  return store;
}

/** Writes, reads, lists and removes one object, and looks whether strangers can read it. */
export async function prove(store: ObjectStore): Promise<void> {
  const key = `probes/${randomUUID()}`;
  const bytes = Buffer.from(key);
  await store.put(key, bytes);
  const isPublic = await store.isPublic(key);
  const found = await store.get(key);
  const read = found && (await found.stream.toArray().catch(() => null));
  await store.list('probes').next();
  await store.remove(key);
  if (read === null || !Buffer.concat(read as Buffer[]).equals(bytes)) throw new StoreFailure('answer');
  if (isPublic) throw new StoreFailure('public');
}

/** Null when the answer does not say, as one that never ends. */
function lengthIn(headers: Headers): number | null {
  const said = headers.get('content-length') ?? '';
  return /^\d{1,15}$/.test(said) ? Number(said) : null;
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

/**
 * Fetches the head of a web page whose address was sent in a message. Everything about the answer is hostile: each
 * address on the way is judged anew, and time, redirects and bytes are bounded, before and after decompression.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import { mayHavePreview } from '@tunemate/domain';
import { openPublic, type PublicLine } from '../../system/outside.ts';

export interface PageParts {
  line: PublicLine;
  /** Of Tunemate. */
  version: string;
  /** Asked before each address is; false ends the fetching. */
  mayAsk: (url: URL) => Promise<boolean>;
}

const withinMs = 5000;
const mostRedirects = 3;
const mostBytes = 256 * 1024;

/** The page's head as text; null where there is no web page. Throws when a server on the way can't be reached. */
export async function fetchHead(address: URL, parts: PageParts, ending: AbortSignal): Promise<string | null> {
  const signal = AbortSignal.any([AbortSignal.timeout(withinMs), ending]);
  const headers = {
    accept: 'text/html',
    'accept-encoding': 'gzip',
    'user-agent': `Tunemate/${parts.version} (link preview)`,
  };
  let url = address;
  for (let hops = 0; hops <= mostRedirects; hops += 1) {
    if (!mayHavePreview(url) || !(await parts.mayAsk(url))) return null;
    const answer = await openPublic(parts.line, url, { headers, signal });
    try {
      const { statusCode: status = 0 } = answer;
      if (status === 200) return isPage(answer.headers) ? await textOf(answer) : null;
      const next = status >= 301 && status <= 308 ? redirected(answer.headers.location, url) : null;
      if (next === null) return null;
      url = next;
    } finally {
      answer.destroy();
    }
  }
  return null;
}

function redirected(location: string | undefined, from: URL): URL | null {
  if (location === undefined || !URL.canParse(location, from)) return null;
  const next = new URL(location, from);
  next.hash = '';
  return next;
}

const isPage = (headers: IncomingHttpHeaders): boolean =>
  /^\s*text\/html\s*(?:;|$)/iu.test(headers['content-type'] ?? '');

async function textOf(answer: IncomingMessage): Promise<string | null> {
  const plain = Readable.from(upTo(mostBytes, answer));
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return textIn(await headIn(plain), answer.headers);
  if (encoding !== 'gzip' && encoding !== 'x-gzip') return null;
  // An answer that was cut off ends within its compressed data.
  const unzipped = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  pipeline(plain, unzipped, () => undefined);
  return textIn(await headIn(unzipped), answer.headers);
}

/** The first bytes; the rest is not read. */
async function* upTo(most: number, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = most;
  for await (const chunk of source) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

/** Up to where the body of the page begins. */
async function headIn(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let tail = '';
  for await (const chunk of upTo(mostBytes, source)) {
    chunks.push(chunk);
    tail = tail.slice(-8) + chunk.toString('latin1');
    if (/<\/head|<body/iu.test(tail)) break;
  }
  return Buffer.concat(chunks);
}

/** Where pages name their encoding at the latest. */
const namedWithin = 1024;

/** By the mark at the beginning, the header, or the page itself; without any UTF-8, or what most older pages have. */
function textIn(bytes: Buffer, headers: IncomingHttpHeaders): string {
  const beginning = bytes.subarray(0, namedWithin).toString('latin1');
  const named =
    byMark(bytes) ??
    /charset\s*=\s*["']?([^\s"';]+)/iu.exec(headers['content-type'] ?? '')?.[1] ??
    /<meta[^>]+charset\s*=\s*["']?([^\s"';/>]+)/iu.exec(beginning)?.[1];
  return decodedAs(named, bytes) ?? decodedAs('utf-8', bytes, true) ?? decodedAs('windows-1252', bytes) ?? '';
}

function byMark([first, second, third]: Buffer): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

/**
 * Null for an encoding that is none, and, if `isStrict`, for bytes that are not of it. A cut at the end is no fault.
 */
function decodedAs(encoding: string | undefined, bytes: Buffer, isStrict = false): string | null {
  if (encoding === undefined) return null;
  try {
    return new TextDecoder(encoding, { fatal: isStrict }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/**
 * Fetches the head of a web page whose address was sent in a message. Everything about the answer is hostile: each
 * address on the way is judged anew, and time, redirects and bytes are bounded, before and after decompression.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import { mayHavePreview } from '@tunemate/domain';
import { hasWholeHead, leadsTo } from './page-words.ts';
import { openPublic, type PublicLine } from '../../system/outside.ts';

export interface PageParts {
  line: PublicLine;
  /** Of Tunemate. */
  version: string;
  /** Which encoding these words, which are no UTF-8, are in; `language` is a tag, or null where the page names none. */
  encodingOf: (words: Uint8Array, language: string | null) => string;
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
      const html = status === 200 && isPage(answer.headers) ? await textOf(answer, parts) : null;
      const location = html === null ? answer.headers.location : (leadsTo(html) ?? undefined);
      const isLedOn = html !== null || (status >= 301 && status <= 308);
      const next = isLedOn ? redirected(location, url) : null;
      if (next === null || next.href === url.href) return html;
      if (isGate(next, address)) return null;
      url = next;
    } finally {
      answer.destroy();
    }
  }
  return null;
}

/** A page for consent or for signing in stands in place of the page that was sent. */
const isGate = (url: URL, address: URL): boolean =>
  url.hostname !== address.hostname && /^(?:consent|guce|accounts?|login|signin|auth|sso|idp?)\./u.test(url.hostname);

function redirected(location: string | undefined, from: URL): URL | null {
  if (location === undefined || !URL.canParse(location, from)) return null;
  const next = new URL(location, from);
  next.hash = '';
  return next;
}

const isPage = (headers: IncomingHttpHeaders): boolean =>
  /^\s*text\/html\s*(?:;|$)/iu.test(headers['content-type'] ?? '');

async function textOf(answer: IncomingMessage, { encodingOf }: PageParts): Promise<string | null> {
  const plain = Readable.from(upTo(mostBytes, answer));
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return textIn(await headIn(plain), answer.headers, encodingOf);
  if (encoding !== 'gzip' && encoding !== 'x-gzip') return null;
  // An answer that was cut off ends within its compressed data.
  const unzipped = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  pipeline(plain, unzipped, () => undefined);
  return textIn(await headIn(unzipped), answer.headers, encodingOf);
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

/** Scripts and comments may write the same; a page that has it in each packet is read to its bound. */
const mostLooks = 16;

/** Up to where the body of the page begins. */
async function headIn(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let [tail, looks] = ['', 0];
  for await (const chunk of upTo(mostBytes, source)) {
    chunks.push(chunk);
    tail = tail.slice(-8) + chunk.toString('latin1');
    if (!/<\/head|<body/iu.test(tail) || looks === mostLooks) continue;
    looks += 1;
    if (hasWholeHead(Buffer.concat(chunks).toString('latin1'))) break;
  }
  return Buffer.concat(chunks);
}

/** By the mark at the beginning, the header, or the page itself; without any UTF-8, or what its words look like. */
function textIn(bytes: Buffer, headers: IncomingHttpHeaders, encodingOf: PageParts['encodingOf']): string {
  const plain = withoutComments(bytes.toString('latin1'));
  const named =
    byMark(bytes) ??
    /charset\s*=\s*["']?([^\s"';]+)/iu.exec(headers['content-type'] ?? '')?.[1] ??
    asBytes(/<meta\s[^>]{0,500}charset\s*=\s*["']?([^\s"';/>]+)/iu.exec(plain)?.[1]);
  const language = /<html\s[^>]{0,200}\blang\s{0,9}=\s{0,9}["']?([\w-]{2,20})/iu.exec(plain)?.[1] ?? null;
  return (
    decodedAs(named, bytes) ??
    decodedAs('utf-8', bytes, true) ??
    decodedAs(encodingOf(Buffer.from(spokenIn(plain), 'latin1'), language), bytes) ??
    ''
  );
}

/** What a page comments out names nothing. */
const withoutComments = (page: string): string =>
  page
    .split('<!--')
    .map((part, at) => (at === 0 ? part : part.slice(part.includes('-->') ? part.indexOf('-->') + 3 : part.length)))
    .join('');

const mostSpoken = 4096;

/** What people read of the head; names of elements and scripts would look like a text in English. */
const spokenIn = (page: string): string =>
  Array.from(
    page.matchAll(/<title[^>]{0,200}>([^<]{1,500})|\bcontent\s{0,9}=\s{0,9}["']([^"'<>]{1,500})/giu),
    ([, title, content]) => title ?? content ?? '',
  )
    .join('\n')
    .slice(0, mostSpoken);

/** A page that names UTF-16 in plain bytes, by whichever of its names, is none: browsers read UTF-8. */
const asBytes = (named: string | undefined): string | undefined =>
  /^(?:(?:cs)?unicode|(?:iso-10646-)?ucs-2|utf-?16)/iu.test(named ?? '') ? 'utf-8' : named;

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

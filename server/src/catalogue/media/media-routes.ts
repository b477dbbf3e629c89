/**
 * Serves the library's files, covers and subtitles, from whichever source they are. They are found by id only, so no path
 * comes from a request.
 */
import type { FileHandle } from 'node:fs/promises';
import { putLatest } from '@tunemate/domain';
import type { Result } from '@tunemate/protocol';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Limits } from '../../access/limits.ts';
import { sendRefusal } from '../../http/answers.ts';
import { describePart, readRange, sendPastEnd } from '../../http/byte-range.ts';
import { type AdmitFile, createFileSlots } from '../../http/routes.ts';
import { type Log, refuse } from '../../system/ports.ts';
import { maxCoverBytes } from '../library/album-pictures.ts';
import { type Cover, createCovers, type MakeSmaller } from '../library/covers.ts';
import type { LibraryItem } from '../library/library-item.ts';
import type { MediaLibrary } from '../library/media-library.ts';
import { maxSubtitlesBytes } from '../library/subtitles.ts';
import { webVttOf } from '../library/web-vtt.ts';
import type { OpenedElsewhere, OpenedFile, Version } from '../sources/source.ts';
import type { SentFile } from './exact-copies.ts';
import type { EvenCopies } from './even-copies.ts';
import { patched, type PicturesOf, rememberedPictures } from './hidden-picture.ts';
import type { MediaAddresses } from './media-address.ts';
import { openCopy, openStill } from './still-there.ts';

/** Private: shared caches must not serve signed-out clients. A day, then one conditional request. */
const cacheControl = 'private, max-age=86400';
/** Files sent to one user at once: a player opens one to three, and each holds a file open. */
const filesAtOnce = 8;

type FileCaller = ReturnType<ReturnType<AdmitFile>['callerOf']>;

interface MediaRoutesDeps {
  library: Pick<MediaLibrary, 'byId' | 'isListed' | 'sourceOf'>;
  even?: Pick<EvenCopies, 'of'>;
  /** Null when no web server beside us sends files. */
  elsewhere?: MediaAddresses | null;
  admitFile: AdmitFile;
  limits: Limits;
  makeSmaller: MakeSmaller;
  log: Pick<Log, 'warn'>;
}

/** Raised when the same file is turned into another text: pages keep what they got. */
const webVttVersion = '6';

export function mediaRoutes({
  library,
  admitFile,
  limits,
  makeSmaller,
  log,
  even = { of: () => null },
  elsewhere = null,
}: MediaRoutesDeps): FastifyPluginCallback {
  return (http, _options, done) => {
    const find = (request: FastifyRequest): LibraryItem | null => library.byId((request.params as { id: string }).id);
    const route = (
      url: '/media/:id' | '/media/:id/cover' | '/media/:id/subtitles/:subtitlesId',
      serve: (
        item: LibraryItem,
        caller: FileCaller,
        request: FastifyRequest,
        reply: FastifyReply,
      ) => Promise<FastifyReply>,
    ) => {
      const { onRequest, callerOf } = admitFile(`GET ${url}`);
      http.route({
        method: ['GET', 'HEAD'],
        url,
        onRequest,
        handler: async (request, reply) => {
          const item = find(request);
          if (item === null) {
            return sendRefusal(reply, refuse(library.isListed() ? 'access/not-found' : 'server/unavailable'));
          }
          return await serve(item, callerOf(request), request, reply);
        },
      });
    };
    const hold = createFileSlots(filesAtOnce);
    const begun = begunFiles();
    const sending: Sending = {
      ...{ elsewhere, picturesOf: rememberedPictures() },
      openCopyOf: (path) => openCopy(path, (file) => log.warn({ file }, 'catalogue.copy-damaged')),
    };
    route('/media/:id', async (item, caller, request, reply) => {
      hold(caller, reply);
      const gain = gainAskedFor(request);
      const turnedDown = gain === null ? null : even.of(item, gain);
      // A device of the same person that gets another file is at its own place in it.
      const loader = `${caller.session.uid}${gain === null ? '' : String(gain)}`;
      const { copies, open } = library.sourceOf(item);
      const newest = turnedDown ?? copies.of(item) ?? item;
      const sent = request.method === 'HEAD' ? newest : begun.of(loader, item.id, newest, request.headers.range);
      const isCopy = sent.path !== item.path;
      const file = isCopy ? await sending.openCopyOf(sent.path) : null;
      if (file !== null) {
        const isKept = gain === null || sent.path === turnedDown?.path;
        const copy = { file, path: sent.path, mime: sent.mime, isKept };
        return await sendMedia(copy, request, describeStreams(reply, item), sending);
      }
      // The folder of copies may be deleted at any time.
      if (isCopy) copies.forget(sent);
      begun.instead(loader, item.id, item);
      const opened = await open(item);
      if (!opened.ok) return sendRefusal(reply, opened);
      describeStreams(reply, item);
      const track = { ...opened.value, mime: item.mime, isKept: gain === null };
      return await ('file' in track ? sendMedia(track, request, reply, sending) : sendPart(track, request, reply));
    });
    const covers = createCovers(undefined, makeSmaller, (item) => library.sourceOf(item).cover(item));
    route('/media/:id/cover', async (item, { session }, request, reply) => {
      const address = request.method === 'HEAD' ? null : await coverElsewhere(item, elsewhere);
      if (address !== null) return reply.header('cache-control', 'no-store').redirect(address);
      return sendCover(await covers.of(item, () => limits.take('covers', session.uid)), request, reply);
    });
    route('/media/:id/subtitles/:subtitlesId', async (item, _caller, request, reply) =>
      sendSubtitles(item, request, reply),
    );
    done();
  };
}

/** What a page asks its browser about before a film plays: some show only half of it, without an error. */
function describeStreams(reply: FastifyReply, { streams }: LibraryItem): FastifyReply {
  if (streams === null) return reply;
  return reply.header('x-film-picture', streams.picture ?? 'none').header('x-film-sound', streams.sound ?? 'none');
}

/** How files leave. */
interface Sending {
  /** Null where there is no whole copy. */
  openCopyOf: (path: string) => Promise<FileHandle | null>;
  /** Addresses of the server that sends files in place of this one; null without it. */
  elsewhere: MediaAddresses | null;
  picturesOf: PicturesOf;
}

interface Kept {
  /** False under the address of a turned down copy: a browser must not keep the track there as it was recorded. */
  isKept: boolean;
}

/** Only gains that some track may have; another word is none. */
function gainAskedFor({ query }: FastifyRequest): number | null {
  const { even } = query as { even?: unknown };
  return typeof even === 'string' && /^-[1-9]\d{0,2}$/.test(even) ? Number(even) : null;
}

/** Bytes from elsewhere. */
async function sendPart(
  { version, part: partOf, mime, isKept }: OpenedElsewhere & Kept & Pick<LibraryItem, 'mime'>,
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (isUnchanged(headers, version)) return describe(reply, version, isKept).code(304).send();
  const isHead = method === 'HEAD';
  // A player that got nothing asks for the head to learn why, so the source is asked for that too.
  const range = isHead ? 'bytes=0-0' : mayContinue(headers, version) ? headers.range : undefined;
  const opened = await partOf(range);
  if (!opened.ok) return sendRefusal(reply, opened);
  const { size, part, bytes } = opened.value;
  if (bytes === null) return sendPastEnd(reply, size);
  describe(reply, version, isKept).type(mime).header('accept-ranges', 'bytes');
  if (isHead) {
    bytes.destroy();
    return reply.header('content-length', size).send();
  }
  describePart(reply, { size, part });
  return reply.send(bytes);
}

/** Closes the file. */
async function sendMedia(
  { file, path, mime, isKept }: OpenedFile & Kept,
  request: FastifyRequest,
  reply: FastifyReply,
  { elsewhere, picturesOf }: Sending,
): Promise<FastifyReply> {
  let isHandedOver = false;
  try {
    const stat = await file.stat({ bigint: true });
    const size = Number(stat.size);
    const etag = `"${stat.size.toString(16)}-${stat.mtimeNs.toString(16)}"`;
    const hidden = () => picturesOf(`${path}${etag}`, file, size);
    const isHead = request.method === 'HEAD';
    if (elsewhere !== null && !isHead) {
      // With a picture inside, the file is not what is sent.
      const address = (await hidden()).length > 0 ? null : await elsewhere.of(path);
      if (address !== null) return reply.header('cache-control', 'no-store').redirect(address);
    }
    const version = { etag, lastModified: new Date(Number(stat.mtimeMs)).toUTCString() };
    describe(reply, version, isKept).type(mime).header('accept-ranges', 'bytes');
    if (isUnchanged(request.headers, version)) return reply.code(304).send();
    const asked = !isHead && mayContinue(request.headers, version) ? readRange(request.headers.range, size) : null;
    if (asked?.type === 'unsatisfiable') return sendPastEnd(reply, size);
    const { first, last } = describePart(reply, { size, part: asked?.type === 'part' ? asked.range : null });
    if (isHead || size === 0) return reply.send();
    const patches = await hidden();
    isHandedOver = true;
    const bytes = file.createReadStream({ start: first, end: last, highWaterMark: 128 * 1024 });
    return reply.send(patched(bytes, { first, last }, patches));
  } finally {
    if (!isHandedOver) await file.close();
  }
}

/** A picture that is sent as it is, and is a file of its own. */
async function coverElsewhere({ cover }: LibraryItem, elsewhere: MediaAddresses | null): Promise<string | null> {
  if (elsewhere === null || (cover.in !== 'file' && cover.in !== 'frame')) return null;
  const file = await openStill(cover.path);
  if (file === null) return null;
  const { size } = await file.stat();
  await file.close();
  return size <= maxCoverBytes ? await elsewhere.of(cover.path) : null;
}

function sendCover(cover: Result<Cover>, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!cover.ok) return sendRefusal(reply, cover);
  const { bytes, mime, etag } = cover.value;
  reply
    .header('etag', etag)
    .header('cache-control', cacheControl)
    .header('x-content-type-options', 'nosniff')
    .type(mime);
  if (isUnchanged(request.headers, { etag, lastModified: '' })) return reply.code(304).send();
  reply.header('content-length', bytes.length);
  return request.method === 'HEAD' ? reply.send() : reply.send(bytes);
}

async function sendSubtitles(item: LibraryItem, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { subtitlesId } = request.params as { subtitlesId: string };
  const subtitles = item.subtitles.find(({ id }) => id === subtitlesId);
  const file = subtitles === undefined ? null : await openStill(subtitles.path);
  if (file === null) return sendRefusal(reply, refuse('access/not-found'));
  try {
    const { size, mtimeMs } = await file.stat();
    if (size > maxSubtitlesBytes) return sendRefusal(reply, refuse('access/not-found'));
    const version = {
      etag: `"${webVttVersion}-${size.toString(16)}-${Math.trunc(mtimeMs).toString(16)}"`,
      lastModified: new Date(mtimeMs).toUTCString(),
    };
    describe(reply, version).type('text/vtt; charset=utf-8');
    if (isUnchanged(request.headers, version)) return reply.code(304).send();
    return reply.send(webVttOf(await file.readFile(), subtitles?.language ?? subtitles?.label ?? null));
  } finally {
    await file.close();
  }
}

function describe(reply: FastifyReply, { etag, lastModified }: Version, isKept = true): FastifyReply {
  return reply.headers({
    etag,
    'last-modified': lastModified,
    'cache-control': isKept ? cacheControl : 'no-store',
    'x-content-type-options': 'nosniff',
  });
}

/** The latest loads remembered; an older one continues with the newest file. */
const remembered = 10_000;

/**
 * Keeps a player on the file that it began to load, even when a newer copy of the item appears meanwhile: a player that
 * gets the rest of another file fails. A load from the first byte gets the newest file.
 */
export function begunFiles() {
  const begun = new Map<string, SentFile>();
  return {
    /** The file to send to this user; `range` is the request's header. */
    of(uid: string, id: string, newest: SentFile, range: string | undefined): SentFile {
      const key = `${uid} ${id}`;
      const isContinued = range !== undefined && !range.startsWith('bytes=0-');
      const sent = (isContinued ? begun.get(key) : undefined) ?? newest;
      return putLatest(begun, key, sent, remembered);
    },
    /** Switches this user's load to another file when its own is gone. */
    instead(uid: string, id: string, sent: SentFile): void {
      const key = `${uid} ${id}`;
      if (begun.has(key)) begun.set(key, sent);
    },
  };
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Joins repeated headers into one list. */
const one = (value: string | string[] | undefined): string | undefined => value?.toString();

/** RFC 9110 §13. True when the answer is 304: If-None-Match decides, and If-Modified-Since only without it. */
function isUnchanged(headers: Headers, version: Version): boolean {
  const tags = one(headers['if-none-match']);
  if (tags !== undefined) {
    return tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === version.etag);
  }
  const since = Date.parse(one(headers['if-modified-since']) ?? '');
  return Date.parse(version.lastModified) <= since;
}

/** True when a Range may be honoured: no If-Range, or exactly this version named by strong tag or by date. */
function mayContinue(headers: Headers, version: Version): boolean {
  const condition = one(headers['if-range'])?.trim();
  return condition === undefined || condition === version.etag || condition === version.lastModified;
}

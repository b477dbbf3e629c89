/**
 * Serves the library's files, covers and subtitles. Files are found by id only, so no path comes from a request. Tracks
 * of the music server pass through the same routes, under the same rules.
 */
import type { FileHandle } from 'node:fs/promises';
import { putLatest } from '@tunemate/domain';
import type { Result } from '@tunemate/protocol';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Limits } from '../../access/limits.ts';
import { sendRefusal } from '../../http/answers.ts';
import { describePart, type FilePart, readRange, sendPastEnd } from '../../http/byte-range.ts';
import { type AdmitFile, createFileSlots } from '../../http/routes.ts';
import { type Log, refuse } from '../../system/ports.ts';
import { maxCoverBytes } from '../library/album-pictures.ts';
import { type Cover, createCovers, type MakeSmaller } from '../library/covers.ts';
import { type LibraryItem, type RemoteTrack, shortHash } from '../library/library-item.ts';
import type { MediaLibrary } from '../library/media-library.ts';
import { maxSubtitlesBytes } from '../library/subtitles.ts';
import { webVttOf } from '../library/web-vtt.ts';
import type { ExactCopies, SentFile } from './exact-copies.ts';
import type { EvenCopies } from './even-copies.ts';
import { patched, type PicturesOf, rememberedPictures } from './hidden-picture.ts';
import type { MediaAddresses } from './media-address.ts';
import { isFolderAway, openCopy, openStill } from './still-there.ts';

/** Private: shared caches must not serve signed-out clients. A day, then one conditional request. */
const cacheControl = 'private, max-age=86400';
/** Files sent to one user at once: a player opens one to three, and each holds a file open. */
const filesAtOnce = 8;

type FileCaller = ReturnType<ReturnType<AdmitFile>['callerOf']>;

interface MediaRoutesDeps {
  library: Pick<MediaLibrary, 'byId' | 'isListed'>;
  /** Null without a music server. */
  remote?: RemoteFiles | null;
  copies: Pick<ExactCopies, 'fileOf' | 'forget'>;
  even?: Pick<EvenCopies, 'of'>;
  /** Null when no web server beside us sends files. */
  elsewhere?: MediaAddresses | null;
  admitFile: AdmitFile;
  limits: Limits;
  makeSmaller: MakeSmaller;
  log: Pick<Log, 'warn'>;
}

/** Of the operator's music server. */
export interface RemoteFiles {
  /** False until the whole list was read once: an unknown track may be one of its tracks. */
  isListed(): boolean;
  /** The exact copy of a track; null while there is none. */
  copyOf(item: LibraryItem): SentFile | null;
  /** `range` is the header. Refuses with `server/unavailable` while the server does not answer. */
  open(item: LibraryItem, track: RemoteTrack, range: string | undefined): Promise<Result<FilePart>>;
  /** The bytes of a picture, whatever they are. */
  cover(id: string): Promise<Result<Buffer>>;
}

/** Raised when the same file is turned into another text: pages keep what they got. */
const webVttVersion = '6';

export function mediaRoutes({
  library,
  copies,
  admitFile,
  limits,
  makeSmaller,
  log,
  even = { of: () => null },
  remote = null,
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
            const isYetToCome = !library.isListed() || remote?.isListed() === false;
            return sendRefusal(reply, refuse(isYetToCome ? 'server/unavailable' : 'access/not-found'));
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
      if (item.remote !== undefined) {
        const asked = { begun, loader, gain, turnedDown, request, reply, sending };
        return await sendRemote(remote, item, item.remote, asked);
      }
      const newest = turnedDown ?? copies.fileOf(item);
      const sent = request.method === 'HEAD' ? newest : begun.of(loader, item.id, newest, request.headers.range);
      const opened = await openSent(sent, item, sending, () => {
        copies.forget(sent);
        begun.instead(loader, item.id, item);
      });
      // Players try again what is away, and skip what is gone.
      const missing = async () => ((await isFolderAway(item.path)) ? 'server/unavailable' : 'access/not-found');
      if (opened === null) return sendRefusal(reply, refuse(await missing()));
      const isKept = gain === null || opened.path === turnedDown?.path;
      return await sendMedia({ ...opened, isKept }, request, describeStreams(reply, item), sending);
    });
    const covers = createCovers(undefined, makeSmaller, remote);
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
  /** Addresses of the server that sends files in place of this one; null without it. */
  /** Null where there is no whole copy. */
  openCopyOf: (path: string) => Promise<FileHandle | null>;
  elsewhere: MediaAddresses | null;
  picturesOf: PicturesOf;
}

interface OpenedFile extends SentFile {
  file: FileHandle;
  /** Left out for yes. Under the address of a turned down copy a browser must not keep the track as it was recorded. */
  isKept?: boolean;
}

/** Falls back to the original when the copy is gone: the folder of copies may be deleted at any time. */
async function openSent(
  sent: SentFile,
  item: LibraryItem,
  { openCopyOf }: Sending,
  onCopyGone: () => void,
): Promise<OpenedFile | null> {
  const isOriginal = sent.path === item.path;
  const file = await (isOriginal ? openStill : openCopyOf)(sent.path);
  if (file !== null) return { file, path: sent.path, mime: sent.mime };
  if (isOriginal) return null;
  onCopyGone();
  const original = await openStill(item.path);
  return original && { file: original, path: item.path, mime: item.mime };
}

/** Only gains that some track may have; another word is none. */
function gainAskedFor({ query }: FastifyRequest): number | null {
  const { even } = query as { even?: unknown };
  return typeof even === 'string' && /^-[1-9]\d{0,2}$/.test(even) ? Number(even) : null;
}

interface RemoteAsked {
  begun: ReturnType<typeof begunFiles>;
  /** Of the person, and of the gain where their device asks for one. */
  loader: string;
  gain: number | null;
  turnedDown: SentFile | null;
  request: FastifyRequest;
  reply: FastifyReply;
  sending: Sending;
}

/** From the music server, or its exact copy where there is one by now. */
async function sendRemote(
  remote: RemoteFiles | null,
  item: LibraryItem,
  track: RemoteTrack,
  { begun, loader, gain, turnedDown, request, reply, sending }: RemoteAsked,
): Promise<FastifyReply> {
  const { headers } = request;
  const isHead = request.method === 'HEAD';
  const newest = turnedDown ?? remote?.copyOf(item) ?? item;
  const sent = isHead ? newest : begun.of(loader, item.id, newest, headers.range);
  const copy = sent.path === '' ? null : await sending.openCopyOf(sent.path);
  const isKept = gain === null || sent.path === turnedDown?.path;
  if (copy !== null) return await sendMedia({ file: copy, ...sent, isKept }, request, reply, sending);
  begun.instead(loader, item.id, item);
  const version = {
    etag: `"${shortHash(`${track.id}\n${String(item.modifiedMs)}\n${String(track.bytes)}`)}"`,
    lastModified: new Date(item.modifiedMs).toUTCString(),
  };
  if (isUnchanged(headers, version))
    return describe(reply, version, gain === null)
      .code(304)
      .send();
  // A player that got nothing asks for the head to learn why, so the server is asked for that too.
  const range = isHead ? 'bytes=0-0' : mayContinue(headers, version) ? headers.range : undefined;
  const opened = (await remote?.open(item, track, range)) ?? refuse('access/not-found');
  if (!opened.ok) return sendRefusal(reply, opened);
  const { size, part, bytes } = opened.value;
  if (bytes === null) return sendPastEnd(reply, size);
  describe(reply, version, gain === null)
    .type(item.mime)
    .header('accept-ranges', 'bytes');
  if (isHead) {
    bytes.destroy();
    return reply.header('content-length', size).send();
  }
  describePart(reply, { size, part });
  return reply.send(bytes);
}

/** Closes the file. */
async function sendMedia(
  { file, path, mime, isKept = true }: OpenedFile,
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

interface Version {
  /** Strong: two versions with the same tag are the same bytes. Quotes included. */
  etag: string;
  /** As an HTTP date. */
  lastModified: string;
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

/**
 * Tracks and pictures of the music server on their way to people: which bytes of a track are asked for, and what is
 * answered when the server does not send them.
 */
import { Readable } from 'node:stream';
import type { Result } from '@tunemate/protocol';
import { accept, Failure, refuse } from '../../../system/ports.ts';
import { maxReadBytes, pictureIn } from '../../library/album-pictures.ts';
import { type AtSource, type LibraryItem, shortHash } from '../../library/library-item.ts';
import { type Patch, patched, type ReadsAt, rememberedPictures } from '../../media/hidden-picture.ts';
import { type FilePart, readRange } from '../../../http/byte-range.ts';
import type { Source } from '../source.ts';
import { ofServer, type SubsonicClient, SubsonicFailure, type SubsonicFile } from './subsonic-client.ts';
import type { SubsonicLibrary } from './subsonic-library.ts';

/** Wide enough for the largest place that shows a cover. */
const coverPixels = 600;
/** Asked for at once. A slow server must not make everything that waits for it grow without end. */
const [tracksAtOnce, coversAtOnce] = [100, 4];

interface SubsonicMediaDeps {
  client: SubsonicClient;
  library: Pick<SubsonicLibrary, 'note' | 'remark' | 'hasAny' | 'drop'>;
  /** A page has begun to play the track. */
  wantCopy: (item: LibraryItem) => void;
}

export function subsonicMedia({ client, library, wantCopy }: SubsonicMediaDeps): Pick<Source, 'open' | 'cover'> {
  const [tracks, covers] = [atMost(tracksAtOnce), atMost(coversAtOnce)];
  const picturesOf = hiddenPictures(client);

  /** Refuses in place of a failure, which it notes. */
  async function trying<T>(ask: () => Promise<T>): Promise<Result<T>> {
    try {
      const value = await ask();
      library.note(null);
      return accept(value);
    } catch (error) {
      const fault = error instanceof SubsonicFailure ? error.fault : 'answer';
      // An odd answer about one track or picture says nothing of the server.
      if (ofServer.has(fault)) library.note(error);
      else library.remark(fault);
      return refuse(fault === 'gone' ? 'access/not-found' : 'server/unavailable');
    }
  }

  async function picture(id: string) {
    const free = await covers.wait();
    const answer = await trying(async () => {
      const { bytes } = await client.file('getCoverArt', { id, size: coverPixels });
      return await client.whole(bytes, maxReadBytes);
    }).finally(free);
    if (answer.ok) return pictureIn(answer.value);
    if (answer.error.code === 'access/not-found') return null;
    throw new Failure(answer.error.code, 'catalogue.subsonic-failed');
  }

  async function part(item: LibraryItem, track: AtSource, range: string | undefined): Promise<Result<FilePart>> {
    const free = tracks.take();
    if (free === null) return refuse('server/unavailable');
    const opened = await trying(() => openTrack(client, track, range, () => picturesOf(item, track)));
    if (!opened.ok) {
      free();
      if (opened.error.code !== 'access/not-found') return opened;
      if (!(await library.hasAny())) return refuse('server/unavailable');
      library.drop(item.id);
      return opened;
    }
    const { bytes } = opened.value;
    if (bytes === null) free();
    else bytes.once('close', free);
    wantCopy(item);
    return opened;
  }

  return {
    async open(item) {
      const { at, modifiedMs } = item;
      if (at === undefined) return refuse('access/not-found');
      const version = {
        etag: `"${shortHash(`${at.id}\n${String(modifiedMs)}\n${String(at.bytes)}`)}"`,
        lastModified: new Date(modifiedMs).toUTCString(),
      };
      return accept({ version, part: (range) => part(item, at, range) });
    },
    async cover({ cover }) {
      if (cover.in !== 'source') return null;
      return { version: `subsonic\n${cover.id}\n${String(hourNow())}`, read: () => picture(cover.id) };
    },
  };
}

/** The server does not say when a picture has changed, so it is asked again. */
const hourNow = (): number => Math.floor(Date.now() / 3_600_000);

async function openTrack(
  client: SubsonicClient,
  track: AtSource,
  header: string | undefined,
  patchesOf: () => Promise<readonly Patch[]>,
): Promise<FilePart> {
  // One range of bytes is passed on, and nothing else that a page may write there.
  const range = /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/.exec(header?.trim() ?? '')?.[0];
  // Raw: a file that is made while it is sent has no positions.
  const file = await client.file('stream', { id: track.id, format: 'raw' }, range);
  const answer = positionsOf(file, track, range);
  if (answer === null) {
    file.end();
    throw new SubsonicFailure('answer');
  }
  const { size, part, passOver } = answer;
  if (passOver === null) {
    file.end();
    return { size, part: null, bytes: null };
  }
  const { first, last } = part ?? { first: 0, last: size - 1 };
  const sent = Readable.from(exactly(file.bytes, passOver, last - first + 1), { objectMode: false });
  const bytes = patched(sent, { first, last }, await patchesOf());
  // Also when no reading has begun.
  bytes.once('close', () => file.end());
  return { size, part, bytes };
}

/** Read at once of a track, so that the places that are looked at next are mostly there. */
const blockBytes = 64 * 1024;
/** A track whose picture is not found in so many blocks is sent with it. */
const mostBlocks = 12;

/** Where the pictures inside of tracks are: not looked for where players do not mind them. */
function hiddenPictures(client: SubsonicClient) {
  const picturesOf = rememberedPictures();
  return async (item: LibraryItem, track: AtSource): Promise<readonly Patch[]> => {
    if (track.bytes === null || !/^audio\/(?:mpeg|mp4)$/.test(item.mime)) return [];
    return await picturesOf(item.id, blocksOf(client, track.id), track.bytes).catch(() => []);
  };
}

function blocksOf(client: SubsonicClient, id: string): ReadsAt {
  const blocks = new Map<number, Promise<Buffer>>();
  const read = async (block: number): Promise<Buffer> => {
    const from = block * blockBytes;
    const range = `bytes=${String(from)}-${String(from + blockBytes - 1)}`;
    const { status, bytes, end } = await client.file('stream', { id, format: 'raw' }, range);
    try {
      // Of a server that knows no ranges only the beginning is read.
      if (status !== 206 && block > 0) return Buffer.alloc(0);
      return await client.whole(exactly(bytes, 0, blockBytes, true), blockBytes);
    } finally {
      end();
    }
  };
  return {
    async read(into, offset, length, at) {
      const block = Math.floor(at / blockBytes);
      if (!blocks.has(block) && blocks.size >= mostBlocks) return { buffer: into, bytesRead: 0 };
      const found = blocks.get(block) ?? read(block);
      blocks.set(block, found);
      const start = at - block * blockBytes;
      return { buffer: into, bytesRead: (await found).copy(into, offset, start, start + length) };
    },
  };
}

interface Positions extends Pick<FilePart, 'size' | 'part'> {
  /** How many bytes come before those that were asked for; null when these begin behind the end. */
  passOver: number | null;
}

/** Null when the server does not say which bytes it sends, or sends others. */
function positionsOf({ status, headers }: SubsonicFile, track: AtSource, range: string | undefined): Positions | null {
  const [, from, to, whole] =
    /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/.exec(headers.get('content-range') ?? '') ?? [];
  if (status === 416) return { size: Number(whole ?? track.bytes ?? 0), part: null, passOver: null };
  if (status === 206) {
    const [first, last, size] = [Number(from ?? -1), Number(to ?? -1), Number(whole ?? 0)];
    const asked = readRange(range, size);
    const isAsked = asked.type === 'part' && asked.range.first === first && first <= last && last <= asked.range.last;
    return isAsked ? { size, part: { first, last }, passOver: 0 } : null;
  }
  const length = /^\d{1,15}$/.exec(headers.get('content-length') ?? '')?.[0];
  const size = Number(length ?? track.bytes ?? 0);
  if (status !== 200 || size === 0) return null;
  // A server that knows no ranges sends everything.
  const asked = readRange(range, size);
  if (asked.type !== 'part') return { size, part: null, passOver: asked.type === 'whole' ? 0 : null };
  return { size, part: asked.range, passOver: asked.range.first };
}

/** So many bytes after the first ones, never more. Throws when fewer come, unless these are enough. */
async function* exactly(
  bytes: SubsonicFile['bytes'],
  passOver: number,
  count: number,
  mayBeFewer = false,
): AsyncGenerator<Buffer, void> {
  let [skip, left] = [passOver, count];
  for await (const part of bytes) {
    const from = Math.min(skip, part.length);
    skip -= from;
    const wanted = part.subarray(from, from + left);
    left -= wanted.length;
    if (wanted.length > 0) yield wanted;
    if (left === 0) return;
  }
  if (mayBeFewer) return;
  throw new SubsonicFailure('away');
}

export function atMost(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  const once = (): (() => void) => {
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    };
  };
  return {
    /** Null when none is free. */
    take(): (() => void) | null {
      if (free === 0) return null;
      free -= 1;
      return once();
    },
    async wait(): Promise<() => void> {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return once();
    },
  };
}

/**
 * Keeps the list of what the operator's music server has: what is stored of an earlier reading, then read in pages, one
 * request after another, kept for a time and read again while people look at it. A server that does not answer leaves the
 * list as it is.
 */
import { type MusicServer, musicServer } from '@tunemate/protocol';
import type { Log } from '../../../system/ports.ts';
import { growingList, type GrowingList, type KeptList, keptList } from '../../library/kept-list.ts';
import { noteFewer } from '../../library/library-item.ts';
import { turns } from '../../../system/in-turns.ts';
import { adviceOn } from '../../../system/outside.ts';
import { listIn } from './subsonic-answers.ts';
import { ofServer, type SubsonicClient, type SubsonicFault, SubsonicFailure } from './subsonic-client.ts';
import { plainSong, songReader } from './subsonic-items.ts';
import { noSongs, type StoredSongs, writing } from './stored-songs.ts';

const pageSize = 500;
/** Pages of the library count no further. A server that never ends is read to here. */
const mostTracks = 1_000_000;
/** How long a list is good. */
const keptMs = 15 * 60_000;
/** The first tracks are shown at once, more whenever their number has grown by this factor. */
const showGrowth = 2;

/** How soon a faulty server is asked again, at most, however often people look. Some lock an account out after too many wrong passwords. */
const usualRetryMs = 20_000;
const retryMs: Partial<Record<SubsonicFault, number>> = { password: 10 * 60_000, key: 10 * 60_000 };
const dropEveryMs = 10_000;

const emptyAdvice =
  'It lists no track any more, so its tracks stay listed until it does. Is its disk mounted, its scan done, and may the account see its folders?';
const letThrough = 'Let addresses below /rest/ through there, or name the address of the music server itself.';
/** What the operator reads in the log. */
const advice: Record<SubsonicFault, string> = {
  away: 'Is it running, and does SUBSONIC_URL lead to it? Its tracks are listed and do not play until it answers.',
  address: 'What answers at SUBSONIC_URL is no Subsonic server. Does the address miss a path, or a port?',
  ...adviceOn,
  busy: 'It takes no more calls for now. Does it, or what stands before it, limit the calls of one address?',
  proxy: `What stands before it asks for a sign-in of its own. ${letThrough}`,
  redirect: `It leads to another address, which is not followed. Set SUBSONIC_URL to the address that it leads to. Is that a page to sign in? ${letThrough}`,
  rights: 'Its account may not do this. Give the account of SUBSONIC_USER the right to stream, and to see its folders.',
  password: 'It does not accept SUBSONIC_USER and SUBSONIC_PASSWORD, or SUBSONIC_TOKEN.',
  key: 'It accepts no API keys. Set SUBSONIC_USER and SUBSONIC_PASSWORD in place of SUBSONIC_TOKEN.',
  protocol: 'It is too old: protocol 1.8.0 or newer is needed. Update it.',
  gone: 'It does not know what it listed before.',
  answer: 'Its answer is not what the Subsonic protocol describes.',
};

interface SubsonicLibraryDeps {
  client: SubsonicClient;
  log: Pick<Log, 'info' | 'warn'>;
  nowMs: () => number;
  /** What earlier processes listed; by default nothing. */
  stored?: StoredSongs;
  /** Gets the list whenever it has changed, and whether it is the whole of it. */
  show(list: KeptList, isWhole: boolean): void;
}

export interface SubsonicLibrary {
  /** Lists what is stored, once. Never rejects. */
  recall(): Promise<void>;
  /** Reads the list if it is old, and resolves when it has been read. Never rejects. */
  refresh(): Promise<void>;
  /** Notes whether the server did what was asked of it, for the log and for `isAway`. */
  note(error: unknown): void;
  /** Says once in the log that it refuses one thing for want of rights; other odd answers about one thing say nothing. */
  remark(fault: SubsonicFault): void;
  /** Takes a track out of the list that the server does not have any more. */
  drop(id: string): void;
  /** Whether the server lists anything at all: one that has lost its disk knows none of its tracks for now. */
  hasAny(): Promise<boolean>;
  readonly isAway: boolean;
  /** Whether the whole list was read or recalled once. */
  readonly isListed: boolean;
  readonly server: MusicServer;
  close(): void;
}

export function subsonicLibrary({ client, log, nowMs, show, stored = noSongs }: SubsonicLibraryDeps): SubsonicLibrary {
  let readAtMs: number | null = null;
  let reading: Promise<void> | null = null;
  let server: MusicServer = 'other';
  let isClosed = false;
  const shown = shownList((list, isWhole) => void (isClosed || show(list, isWhole)));
  const state = stateOf({ client, log, nowMs, listed: () => shown.list().items.length });
  let triedAtMs = Number.NEGATIVE_INFINITY;
  const dropping = together(shown.drop);
  const collecting = () => ({ before: shown.list(), isEnded: () => isClosed, onGrown: shown.grow });

  async function recall(): Promise<void> {
    try {
      const { found } = await collected(stored.recall(), collecting());
      if (found.items.length > 0) shown.take(found, true);
    } catch (error) {
      log.warn({ err: error }, 'catalogue.index-not-stored');
    }
  }
  let recalling: Promise<void> | null = null;
  const recallOnce = (): Promise<void> => (recalling ??= recall());

  async function read(): Promise<void> {
    await recallOnce();
    server = serverOf(await client.signIn());
    const { found, skipped } = await readAll(client, { ...collecting(), written: writing(stored, log) });
    if (isClosed) return;
    const [before, now] = [shown.list().items.length, found.items.length];
    if (now === 0 && before > 0) {
      state.noteEmpty();
      return;
    }
    state.noteFull();
    noteFewer(log, 'catalogue.subsonic-fewer', before, now);
    shown.take(found, true);
    readAtMs = nowMs();
    if (now >= mostTracks) log.warn({ listed: mostTracks }, 'catalogue.subsonic-too-large');
    log.info({ items: now, skipped }, 'catalogue.subsonic-read');
  }

  return {
    recall: recallOnce,
    refresh() {
      const agoMs = (atMs: number) => Math.abs(nowMs() - atMs);
      const { isFaulty } = state;
      const isFresh = readAtMs !== null && !isFaulty && agoMs(readAtMs) < keptMs;
      const isTooSoon = isFaulty && agoMs(triedAtMs) < state.retryMs;
      if (isClosed || isFresh || (isTooSoon && reading === null)) return reading ?? Promise.resolve();
      if (reading === null) triedAtMs = nowMs();
      reading ??= read()
        .then(() => state.note(null), state.note)
        .finally(() => (reading = null));
      return reading;
    },
    note: state.note,
    remark: state.remark,
    hasAny: state.hasAny,
    drop: (id) => dropping.add(id),
    get server() {
      return server;
    },
    get isListed() {
      return shown.isListed();
    },
    get isAway() {
      return state.isFaulty;
    },
    close() {
      isClosed = true;
      state.end();
      dropping.end();
    },
  };
}

/** The list as it is shown. */
function shownList(show: SubsonicLibraryDeps['show']) {
  let list = keptList([]);
  let isListed = false;
  function take(found: KeptList, isWhole: boolean): void {
    if (isListed && isSameList(found, list)) return;
    list = found;
    isListed ||= isWhole;
    show(list, isWhole);
  }
  return {
    take,
    list: () => list,
    isListed: () => isListed,
    /** The first list grows while it is read; a later one takes the place of the one before. */
    grow(some: GrowingList): void {
      if (!isListed && some.items.length >= list.items.length * showGrowth) take(some.soFar(), false);
    },
    drop(gone: ReadonlySet<string>): void {
      const left = list.items.filter(({ id }) => !gone.has(id));
      if (left.length < list.items.length) take(keptList(left), isListed);
    },
  };
}

interface StateParts extends Pick<SubsonicLibraryDeps, 'client' | 'log' | 'nowMs'> {
  /** How many tracks are listed here. */
  listed(): number;
}

/** What is known of the server as a whole, and said in the log when it changes. */
function stateOf({ client, log, nowMs, listed }: StateParts) {
  let fault: SubsonicFault | null = null;
  let [isEnded, isEmptied, hasRemarked] = [false, false, false];
  const anyListed = anyTrackOf(client, nowMs);

  function noteEmpty(): void {
    if (!isEmptied && !isEnded) log.warn({ kept: listed(), advice: emptyAdvice }, 'catalogue.subsonic-empty');
    isEmptied = true;
  }

  return {
    note(error: unknown): void {
      const now = error === null ? null : error instanceof SubsonicFailure ? error.fault : 'answer';
      if (now === fault || isEnded) return;
      if (now === null) log.info({}, 'catalogue.subsonic-back');
      else log.warn({ fault: now, advice: advice[now] }, 'catalogue.subsonic-failed');
      fault = now;
    },
    remark(about: SubsonicFault): void {
      if (about !== 'rights' || hasRemarked || isEnded) return;
      hasRemarked = true;
      log.warn({ fault: about, advice: advice.rights }, 'catalogue.subsonic-refused');
    },
    noteEmpty,
    noteFull(): void {
      isEmptied = false;
    },
    async hasAny(): Promise<boolean> {
      const has = await anyListed();
      if (has === false) noteEmpty();
      return has === true;
    },
    get isFaulty() {
      return fault !== null || isEmptied;
    },
    get retryMs() {
      return retryMs[fault ?? 'away'] ?? usualRetryMs;
    },
    end(): void {
      isEnded = true;
    },
  };
}

/** At once and then at intervals: a server that has lost all of its tracks must not make this one list them all day. */
function together(drop: (gone: ReadonlySet<string>) => void) {
  let gone = new Set<string>();
  let waiting: NodeJS.Timeout | undefined;
  let isEnded = false;
  const dropNow = (): void => {
    waiting = undefined;
    if (gone.size === 0 || isEnded) return;
    const now = gone;
    gone = new Set();
    drop(now);
    waiting = setTimeout(dropNow, dropEveryMs).unref();
  };
  return {
    add(id: string): void {
      gone.add(id);
      if (waiting === undefined) dropNow();
    },
    end(): void {
      isEnded = true;
      clearTimeout(waiting);
    },
  };
}

/** By how its own name begins, such as 'airsonic-advanced'. */
const serverOf = (type: string | null): MusicServer =>
  musicServer.options.find((known) => type?.toLowerCase().startsWith(known) === true) ?? 'other';

interface Reading {
  /** By id: unchanged tracks stay the same objects, so that nothing about them is computed again. */
  before: KeptList;
  isEnded(): boolean;
  onGrown(some: GrowingList): void;
  /** What is stored of the songs that are listed. */
  written?: ReturnType<StoredSongs['write']>;
}

/** The tracks of these pages, and how many songs are none, by reason. */
async function collected(
  pages: AsyncIterable<readonly unknown[]>,
  { before, isEnded, onGrown, written }: Reading,
): Promise<{ found: GrowingList; skipped: Record<string, number> }> {
  const read = songReader(before);
  const found = growingList();
  const skipped: Record<string, number> = {};
  /** What it sent that is listed nowhere. */
  const unfit = new Set<string>();
  const turn = turns();
  for await (const songs of pages) {
    let hasOthers = false;
    for (const song of songs) {
      if (turn.isDue()) await turn.give();
      const item = read(song);
      const key = typeof item === 'string' ? JSON.stringify(song) : item.id;
      if (typeof item === 'string' ? unfit.has(key) : found.byId(key) !== null) continue;
      hasOthers = true;
      if (typeof item === 'string') {
        unfit.add(key);
        skipped[item] = (skipped[item] ?? 0) + 1;
      } else {
        found.push(item);
        await written?.add(plainSong(song));
      }
    }
    // A server that sends the same page again and again would be read for ever.
    if (isEnded() || found.items.length >= mostTracks || !hasOthers) break;
    onGrown(found);
  }
  return { found, skipped };
}

async function readAll(client: SubsonicClient, reading: Reading) {
  let unread = 0;
  const { found, skipped } = await collected(
    pagesOf(client, () => (unread += 1)),
    reading,
  );
  if (found.items.length > 0 && !reading.isEnded()) await reading.written?.end();
  // Which tracks an album had that could not be read is not known: what is listed of them stays.
  if (unread > 0) for (const item of reading.before.items) if (found.byId(item.id) === null) found.push(item);
  if (unread > 0) skipped['album'] = unread;
  return { found, skipped };
}

const isSameList = (a: KeptList, b: KeptList): boolean =>
  a.items.length === b.items.length && a.items.every((item, at) => item === b.items[at]);

/** Every track, by pages. `onUnread` is called for an album that the server stumbles over. */
async function* pagesOf(client: SubsonicClient, onUnread: () => void): AsyncGenerator<readonly unknown[], void> {
  let offset = 0;
  for (; offset < mostTracks * 2;) {
    const answer = await client.ask('search3', {
      ...{ query: '', artistCount: 0, albumCount: 0, songCount: pageSize, songOffset: offset },
    });
    const songs = listIn(answer, ['searchResult3', 'searchResult2', 'searchResult'], songNames);
    if (songs.length === 0) break;
    offset += songs.length;
    yield songs;
  }
  // Older servers find nothing without a word.
  if (offset === 0) yield* albumsOf(client, onUnread);
}

/** Whether it lists anything, asked once in a while; null when it can't be asked. */
function anyTrackOf(client: SubsonicClient, nowMs: () => number): () => Promise<boolean | null> {
  let asked: { atMs: number; has: Promise<boolean | null> } | null = null;
  const ask = async (): Promise<boolean> => {
    for await (const songs of pagesOf(client, () => undefined)) if (songs.length > 0) return true;
    return false;
  };
  return async () => {
    if (asked === null || Math.abs(nowMs() - asked.atMs) > dropEveryMs) {
      asked = { atMs: nowMs(), has: ask().catch(() => null) };
    }
    return await asked.has;
  };
}

const songNames = ['song', 'child', 'entry', 'match'];

async function* albumsOf(client: SubsonicClient, onUnread: () => void): AsyncGenerator<readonly unknown[], void> {
  const seen = new Set<unknown>();
  for (let offset = 0; offset < mostTracks;) {
    const list = { type: 'alphabeticalByName', size: pageSize, offset };
    const albums = listIn(await client.ask('getAlbumList2', list), ['albumList2', 'albumList'], ['album']);
    const ids = albums.flatMap((album) => {
      const id = (album as { id?: unknown } | null)?.id;
      return (typeof id === 'string' || typeof id === 'number') && !seen.has(id) ? [id] : [];
    });
    if (ids.length === 0) return;
    offset += albums.length;
    for (const id of ids) {
      seen.add(id);
      const album = await client.ask('getAlbum', { id }).catch((error: unknown) => {
        // One album that the server stumbles over hides no other.
        if (!(error instanceof SubsonicFailure) || ofServer.has(error.fault)) throw error;
        if (error.fault !== 'gone') onUnread();
        return null;
      });
      const songs = album === null ? [] : listIn(album, ['album', 'directory'], songNames);
      // An empty page would be the last one.
      if (songs.length > 0) yield songs;
    }
  }
}

/** Browsing the library: the open list, and its pages, which are fetched when they come into sight. */
import {
  isBlank,
  type LibraryGroup,
  type LibraryGrouping,
  type LibraryOrder,
  type LibraryTrack,
  type LibraryView,
  limits,
  type Refusal,
  type RoomKind,
  type Value,
} from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';
import { type Cell, cell, type Readable } from '../store/cell.ts';

export const libraryPageSize = limits.libraryPage;
export type LibraryTab = LibraryGrouping | 'newest';
type Groups = Value<'library/groups'>;

export interface LibraryShown {
  readonly tab: LibraryTab;
  /** Empty while nothing is searched for. */
  readonly words: string;
  readonly group: LibraryGroup | null;
  /** The albums of the open artist. */
  readonly albums: readonly LibraryGroup[];
  /** The artist from whom the open album was reached. */
  readonly from: LibraryGroup | null;
  /** Null until the first answer. */
  readonly totals: Groups['totals'] | null;
  readonly letters: Groups['letters'];
  /** Of albums, and kept while the library is open. */
  readonly order: LibraryOrder;
  /** Where tracks come from, if from more than one. */
  readonly sources: NonNullable<Groups['sources']>;
  /** The one that is looked through alone, as long as the library is open; null for all. */
  readonly source: string | null;
  /** While the server reads files that it did not know. */
  readonly reading: Groups['reading'] | null;
  readonly groups: PagedList<LibraryGroup>;
  /** Of the open group, the newest, or what was found. */
  readonly tracks: PagedList<LibraryTrack>;
  /** The index of the group that was opened last, where Back leads; null for none of this list. */
  readonly place: number | null;
  /** Of the last request. */
  readonly refusal: Refusal | null;
}

export interface LibraryModel {
  readonly shown: Readable<LibraryShown>;
  openTab(tab: LibraryTab): void;
  sort(order: LibraryOrder): void;
  /** Null for all together. */
  chooseSource(source: string | null): void;
  openGroup(group: LibraryGroup, index: number): void;
  /** An album of the open artist. */
  openAlbum(album: LibraryGroup): void;
  /** Back to the list, or to the artist of the album. */
  closeGroup(): void;
  /** All tracks of a group of the open tab, as many as a queue holds; fewer where a page is refused. */
  wholeGroup(group: LibraryGroup): Promise<readonly LibraryTrack[]>;
  /** Nothing or blank words end the search. */
  search(words: string): void;
  /** These entries are in sight, by index. Pages that are here or under way are not asked for again. */
  needGroups(first: number, last: number): void;
  needTracks(first: number, last: number): void;
  retry(): void;
  /** How far the server has read by now, and what it lists. */
  lookAgain(): void;
}

const emptyList: PagedList<never> = { total: null, pages: new Map() };

/** Another list of groups, before its first page has come. */
const emptyGroups: Pick<LibraryShown, 'groups' | 'letters'> = { groups: emptyList, letters: [] };
const nothingYet: Omit<LibraryShown, keyof typeof closed> = {
  ...emptyGroups,
  tab: 'artist',
  totals: null,
  order: 'name',
  sources: [],
  source: null,
  reading: null,
  place: null,
};
const closed = { group: null, albums: [], from: null, words: '', tracks: emptyList, refusal: null } as const;

interface Room {
  kind: RoomKind;
  code: string;
}

export function createLibraryModel(connection: Connection, room: Room): LibraryModel {
  const shown = cell<LibraryShown>({ ...closed, ...nothingYet });
  const { see, askInSight, askAll, readGroups } = createPages(connection, room, shown);

  function show(change: Partial<LibraryShown>): void {
    shown.update((now) => ({ ...now, ...closed, ...change }));
    see({ groups: [0], tracks: [0] });
    askAll();
  }

  askAll();
  return {
    shown,
    openTab: (tab) => show({ ...emptyGroups, tab, place: null }),
    sort: (order) => show({ ...emptyGroups, order, place: null }),
    chooseSource: (source) => show({ ...emptyGroups, source, place: null, words: shown.get().words }),
    openGroup: (group, place) => show({ group, place }),
    openAlbum: (album) => show({ ...emptyGroups, tab: 'album', group: album, from: shown.get().group }),
    closeGroup() {
      const { from } = shown.get();
      if (from === null) show({});
      else show({ ...emptyGroups, tab: 'artist', group: from });
    },
    async wholeGroup(group) {
      const { tracks, refusal } = await wholeGroup(connection, room, { ...shown.get(), group, words: '' });
      shown.update((now) => ({ ...now, refusal }));
      if (refusal === null) askInSight();
      return tracks;
    },
    search: (words) => show({ words: isBlank(words) ? '' : words.trim().slice(0, limits.searchQueryLength) }),
    needGroups: (first, last) => see({ groups: pagesOf(first, last) }),
    needTracks: (first, last) => see({ tracks: pagesOf(first, last) }),
    lookAgain() {
      const { tab } = shown.get();
      void readGroups(tab === 'newest' ? 'artist' : tab, 0).then(askInSight);
    },
    retry() {
      shown.update((now) => ({ ...now, refusal: null }));
      askAll();
    },
  };
}

/** Asks for what is shown, each page once. */
function createPages(connection: Connection, room: Room, shown: Cell<LibraryShown>) {
  const once = createOnce(shown);
  /** The pages in sight of the list that is shown. */
  let inSight = { groups: [0], tracks: [0] };

  function askInSight(): void {
    inSight.groups.forEach(askGroups);
    inSight.tracks.forEach(askTracks);
  }

  /** Of a list that has changed, pages in sight may be gone. While files are read, each answer would be of another list. */
  function askDropped(): void {
    if (shown.get().reading === null) askInSight();
  }

  function askGroups(page: number): void {
    const { tab, groups } = shown.get();
    if (tab !== 'newest' && !groups.pages.has(page)) void readGroups(tab, page);
  }

  function readGroups(by: LibraryGrouping, page: number): Promise<void> {
    const { order, source } = shown.get();
    return once(`groups ${by} ${order} ${source ?? ''} ${String(page)}`, async () => {
      const from = page * libraryPageSize;
      const asked = { ...room, by, from, ...orderOf(by, order), ...only(source) };
      const answer = await connection.request('library/groups', asked);
      if (!answer.ok) return answer.error;
      shown.update((now) => withGroups(now, { by, order, source, page }, answer.value));
      askDropped();
      return null;
    });
  }

  function askTracks(page: number): void {
    const before = shown.get();
    const view = viewOf(before);
    if (view === null || before.tracks.pages.has(page)) return;
    const list = keyOfTracks(before);
    void once(`${list} ${String(page)}`, async () => {
      const asked = { ...room, view, from: page * libraryPageSize, ...only(before.source) };
      const answer = await connection.request('library/tracks', asked);
      if (!answer.ok) return answer.error;
      const { total, tracks } = answer.value;
      shown.update((now) =>
        keyOfTracks(now) === list
          ? { ...now, tracks: withPage(now.tracks, page, { total, items: tracks }), refusal: null }
          : now,
      );
      askDropped();
      return null;
    });
  }

  function askAlbums(artist: string, source: string | null): void {
    void once(`albums ${artist} ${source ?? ''}`, async () => {
      const asked = { ...room, by: 'album', from: 0, artist, ...only(source) } as const;
      const answer = await connection.request('library/groups', asked);
      if (!answer.ok) return answer.error;
      const { groups: albums } = answer.value;
      shown.update((now) => (now.tab === 'artist' && now.group?.id === artist ? { ...now, albums } : now));
      return null;
    });
  }

  return {
    readGroups,
    askInSight,
    see(pages: Partial<typeof inSight>): void {
      inSight = { ...inSight, ...pages };
      askInSight();
    },
    /** Also for the albums of an open artist. */
    askAll(): void {
      askInSight();
      const { tab, group, albums, source } = shown.get();
      if (tab === 'artist' && group !== null && albums.length === 0) askAlbums(group.id, source);
    },
  };
}

/** The numbers of the pages with these entries. */
function pagesOf(first: number, last: number): number[] {
  const from = pageOf(first, libraryPageSize);
  return Array.from({ length: pageOf(last, libraryPageSize) - from + 1 }, (_, n) => from + n);
}

/** Albums alone have years. */
const orderOf = (by: LibraryTab, order: LibraryOrder) => (by === 'album' && order === 'year' ? { order } : {});

const only = (source: string | null) => (source === null ? {} : { source });

interface AskedGroups {
  by: LibraryGrouping;
  order: LibraryOrder;
  source: string | null;
  page: number;
}

function withGroups(now: LibraryShown, { by, order, source, page }: AskedGroups, answer: Groups): LibraryShown {
  if (now.source !== source) return now;
  const { totals, letters, groups: items, reading = null, sources = [] } = answer;
  if (now.tab !== by || now.order !== order) return { ...now, totals, reading, sources };
  const groups = withPage(now.groups, page, { total: totals[by], items });
  return { ...now, totals, reading, sources, letters, groups, refusal: null };
}

const keyOfTracks = ({ tab, words, group, source }: LibraryShown): string =>
  `tracks ${tab} ${group?.id ?? ''} ${source ?? ''} ${words}`;

/** Pages under way, by list and page: an answer for a list that is no longer shown is dropped. */
function createOnce(shown: Cell<LibraryShown>) {
  const asked = new Set<string>();
  return async (key: string, ask: () => Promise<Refusal | null>): Promise<void> => {
    if (asked.has(key)) return;
    asked.add(key);
    const refusal = await ask();
    asked.delete(key);
    if (refusal !== null) shown.update((now) => ({ ...now, refusal }));
  };
}

async function wholeGroup(connection: Connection, room: Room, shown: LibraryShown) {
  const view = viewOf(shown);
  const tracks: LibraryTrack[] = [];
  let refusal: Refusal | null = null;
  for (let total = 1; view !== null && tracks.length < Math.min(total, limits.queueItems);) {
    const asked = { ...room, view, from: tracks.length, ...only(shown.source) };
    const answer = await connection.request('library/tracks', asked);
    if (!answer.ok) refusal = answer.error;
    if (!answer.ok || answer.value.tracks.length === 0) break;
    total = answer.value.total;
    tracks.push(...answer.value.tracks);
  }
  return { tracks: tracks.slice(0, limits.queueItems), refusal };
}

/** Null where no tracks are listed: on a tab of groups none of which is open. */
function viewOf({ tab, words, group }: LibraryShown): LibraryView | null {
  if (words !== '') return { type: 'search', words };
  if (tab === 'newest') return { type: 'newest' };
  return group && { type: 'group', by: tab, id: group.id };
}

interface PagedList<Item> {
  /** Null until the first page has come. */
  readonly total: number | null;
  /** By the number of the page, from 0. */
  readonly pages: ReadonlyMap<number, readonly Item[]>;
}

const pageOf = (index: number, size: number): number => Math.floor(index / size);

/** Null while its page is not here. */
export function entryAt<Item>({ pages }: PagedList<Item>, index: number, size: number): Item | null {
  return pages.get(pageOf(index, size))?.[index % size] ?? null;
}

/** A list that has changed on the server meanwhile starts again with the new page. */
function withPage<Item>(
  list: PagedList<Item>,
  page: number,
  { total, items }: { total: number; items: readonly Item[] },
): PagedList<Item> {
  const known = list.total === null || list.total === total ? list.pages : [];
  return { total, pages: new Map([...known, [page, items]]) };
}

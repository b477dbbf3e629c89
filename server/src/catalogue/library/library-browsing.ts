/**
 * Pages of the library's artists, albums, genres, playlists, folders and tracks, from memory: nothing is read from disk. Lists are
 * made in pieces, between which other work goes on.
 */
import { thumbnailOf } from '@tunemate/domain';
import {
  type LibraryGroup,
  type LibraryGrouping,
  type LibraryOrder,
  type LibraryTrack,
  type LibraryView,
  limits,
  type MusicServer,
  type RoomKind,
  type Value,
} from '@tunemate/protocol';
import { isShownIn, type LibraryItem, playedTitle } from './library-item.ts';
import {
  artistOf,
  coverOf,
  type GroupOfItems,
  groupingsOfItems,
  indexesKept,
  lengthOf,
  type LibraryIndex,
  type Listed,
  yearOf,
} from './library-index.ts';
import { coversOf, type PlaylistOfItems, playlistsKept } from './library-playlists.ts';
import type { MediaLibrary } from './media-library.ts';
import type { Source } from '../sources/source.ts';

interface GroupsShown {
  /** Only those groups that contain a track of this artist. */
  readonly artist?: string | undefined;
  readonly order?: LibraryOrder | undefined;
  /** Only what this source has. */
  readonly source?: string | undefined;
}

export interface LibraryBrowsing {
  /** Makes what the first look at a large library would wait for, in steps between which everything else goes on. */
  prepare(): Promise<void>;
  groups(room: RoomKind, by: LibraryGrouping, from: number, shown?: GroupsShown): Promise<Value<'library/groups'>>;
  /** A group that is gone contains nothing. */
  tracks(room: RoomKind, view: LibraryView, from: number, source?: string): Promise<Value<'library/tracks'>>;
  subtitles(film: string): Value<'library/subtitles'>;
  lyrics(track: string): Promise<Value<'library/lyrics'>>;
}

/** The index of all, and of each source that a person looked through alone. */
function indexesOfSources(library: Pick<MediaLibrary, 'list' | 'sources'>) {
  const ofAll = indexesKept(() => library.list());
  const ofSources = new Map<string, typeof ofAll>();
  return {
    ofAll,
    /** Null for all together: where there is one alone, or none of this name any more. */
    onlyOf(source: string | undefined): Source | null {
      const all = library.sources();
      return (all.length > 1 && all.find(({ name }) => name === source)) || null;
    },
    indexOf(room: RoomKind, only: Source | null): LibraryIndex {
      if (only === null) return ofAll(room);
      const kept = ofSources.get(only.name) ?? indexesKept(() => only.list().items);
      ofSources.set(only.name, kept);
      return kept(room);
    },
  };
}

export function libraryBrowsing(
  library: Pick<MediaLibrary, 'list' | 'search' | 'byId' | 'look' | 'sources' | 'sourceOf' | 'progress'>,
): LibraryBrowsing {
  const { ofAll, onlyOf, indexOf } = indexesOfSources(library);
  const playlists = playlistsKept(library);

  async function viewed(room: RoomKind, view: LibraryView, only: Source | null): Promise<Listed> {
    if (view.type === 'search') {
      const all = await library.search(view.words, Number.POSITIVE_INFINITY);
      // Without films both kinds of rooms have one index. Each of very many tracks would be looked at in vain.
      const found = ofAll('audio') === ofAll('video') ? all : all.filter(isShownIn[room]);
      return only === null ? found : found.filter((item) => library.sourceOf(item) === only);
    }
    const index = indexOf(room, only);
    if (view.type === 'newest') return await index.newest();
    if (view.type === 'toBegin') return await index.toBegin();
    const { by, id } = view;
    const group =
      by === 'playlist' ? (await playlists(room, only)).find((each) => each.id === id) : await index.group(by, id);
    return group?.items ?? [];
  }

  return {
    async prepare() {
      const made = library.list();
      for (const room of ['audio', 'video'] as const) {
        for (const by of groupingsOfItems) {
          if (library.list() === made) await ofAll(room).letters(by);
        }
        if (library.list() === made) await ofAll(room).toBegin();
      }
    },
    async groups(room, by, from, { artist, order = 'name', source } = {}) {
      library.look();
      const { items, groups, groupsByYear, letters, group } = indexOf(room, onlyOf(source));
      const ofArtist = artist === undefined ? null : new Set((await group('artist', artist))?.items);
      const lists = await playlists(room, onlyOf(source));
      const all = by === 'playlist' ? lists : await (order === 'year' ? groupsByYear(by) : groups(by));
      const listed = ofArtist === null ? all : all.filter((each) => each.items.some((item) => ofArtist.has(item)));
      const totals = {
        artist: (await groups('artist')).length,
        album: (await groups('album')).length,
        genre: (await groups('genre')).length,
        playlist: lists.length,
        folder: (await groups('folder')).length,
        tracks: items.length,
      };
      const reading = library.progress();
      const filled = library.sources().filter(({ list }) => list().items.length > 0);
      const isPart = by === 'playlist' || ofArtist !== null || order !== 'name';
      return {
        totals,
        groups: pageOf(listed, from).map((each) => shownGroup(by, each)),
        letters: isPart ? [] : [...(await letters(by))],
        ...(reading && { reading }),
        ...(filled.length > 1 && { sources: filled.map(({ name, server }) => ({ name, server: server() })) }),
      };
    },
    async tracks(room, view, from, source) {
      const only = onlyOf(source);
      const items = await viewed(room, view, only);
      // Those of one source stand together. Where all are of one, it says nothing to name its server.
      const [first, last] = [library.list()[0], library.list().at(-1)].map((item) => item && library.sourceOf(item));
      const isOfOne = first === last || only !== null;
      const serverOf = (item: LibraryItem) => (isOfOne ? null : library.sourceOf(item).server());
      return { total: items.length, tracks: pageOf(items, from).map((item) => shownTrack(item, serverOf(item))) };
    },
    subtitles: (film) => ({
      subtitles: (library.byId(film)?.subtitles ?? []).map(({ id, language, label }) => ({ id, language, label })),
    }),
    async lyrics(track) {
      const item = library.byId(track);
      return { lyrics: item === null ? null : await library.sourceOf(item).lyrics(item) };
    },
  };
}

const pageOf = <T>(all: Listed<T>, from: number): readonly T[] => all.slice(from, from + limits.libraryPage);

function shownGroup(by: LibraryGrouping, group: GroupOfItems | PlaylistOfItems): LibraryGroup {
  const { id, name, items, albums } = group;
  const [cover, isAlbum] = [coverOf(items), by === 'album'];
  const covers = by === 'playlist' ? coversOf(items) : null;
  return {
    ...{ id, name, albums, year: yearOf(by, items), tracks: items.length },
    artist: isAlbum ? artistOf(items) : 'owner' in group ? group.owner : null,
    durationSeconds: isAlbum ? lengthOf(items) : null,
    thumbnail: cover === null ? null : thumbnailOf(cover),
    ...(covers && { covers: covers.flatMap((id) => thumbnailOf(id) ?? []) }),
  };
}

function shownTrack(item: LibraryItem, server: MusicServer | null): LibraryTrack {
  const { id, title, artist, album, durationSeconds, cover } = item;
  return {
    videoId: id,
    title: playedTitle(item),
    durationSeconds,
    thumbnail: cover.in === 'nowhere' ? null : thumbnailOf(id),
    name: title,
    artist,
    album: album?.name ?? null,
    server,
    isFilm: item.kind === 'video',
  };
}

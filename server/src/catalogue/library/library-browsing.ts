/**
 * Pages of the library's artists, albums, genres, folders and tracks, from memory: nothing is read from disk. Lists are
 * made in pieces, between which other work goes on.
 */
import { thumbnailOf } from '@tunemate/domain';
import {
  type LibraryGroup,
  type LibraryGrouping,
  libraryGrouping,
  type LibraryOrder,
  type LibraryTrack,
  type LibraryView,
  limits,
  type MusicServer,
  type RoomKind,
  type Value,
} from '@tunemate/protocol';
import { isShownIn, type LibraryItem, playedTitle } from './library-item.ts';
import { artistOf, coverOf, type GroupOfItems, indexesKept, lengthOf, type Listed, yearOf } from './library-index.ts';
import type { MediaLibrary } from './media-library.ts';

interface GroupsShown {
  /** Only those groups that contain a track of this artist. */
  readonly artist?: string | undefined;
  readonly order?: LibraryOrder | undefined;
}

export interface LibraryBrowsing {
  /** Makes what the first look at a large library would wait for, in steps between which everything else goes on. */
  prepare(): Promise<void>;
  groups(room: RoomKind, by: LibraryGrouping, from: number, shown?: GroupsShown): Promise<Value<'library/groups'>>;
  /** A group that is gone contains nothing. */
  tracks(room: RoomKind, view: LibraryView, from: number): Promise<Value<'library/tracks'>>;
  subtitles(film: string): Value<'library/subtitles'>;
  lyrics(track: string): Promise<Value<'library/lyrics'>>;
}

export function libraryBrowsing(
  library: Pick<MediaLibrary, 'list' | 'search' | 'byId' | 'look' | 'sourceOf' | 'progress'>,
): LibraryBrowsing {
  const indexOf = indexesKept(() => library.list());

  async function viewed(room: RoomKind, view: LibraryView): Promise<Listed> {
    if (view.type === 'group') return (await indexOf(room).group(view.by, view.id))?.items ?? [];
    if (view.type === 'newest') return await indexOf(room).newest();
    if (view.type === 'toBegin') return await indexOf(room).toBegin();
    return (await library.search(view.words, Number.POSITIVE_INFINITY)).filter(isShownIn[room]);
  }

  return {
    async prepare() {
      const made = library.list();
      for (const room of ['audio', 'video'] as const) {
        for (const by of libraryGrouping.options) {
          if (library.list() === made) await indexOf(room).letters(by);
        }
        if (library.list() === made) await indexOf(room).toBegin();
      }
    },
    async groups(room, by, from, { artist, order = 'name' } = {}) {
      library.look();
      const { items, groups, groupsByYear, letters, group } = indexOf(room);
      const ofArtist = artist === undefined ? null : new Set((await group('artist', artist))?.items);
      const all = await (order === 'year' ? groupsByYear(by) : groups(by));
      const listed = ofArtist === null ? all : all.filter((each) => each.items.some((item) => ofArtist.has(item)));
      const totals = {
        artist: (await groups('artist')).length,
        album: (await groups('album')).length,
        genre: (await groups('genre')).length,
        folder: (await groups('folder')).length,
        tracks: items.length,
      };
      const reading = library.progress();
      return {
        totals,
        groups: pageOf(listed, from).map((each) => shownGroup(by, each)),
        letters: ofArtist === null && order === 'name' ? [...(await letters(by))] : [],
        ...(reading && { reading }),
      };
    },
    async tracks(room, view, from) {
      const items = await viewed(room, view);
      // Those of one source stand together. Where all are of one, it says nothing to name its server.
      const [first, last] = [library.list()[0], library.list().at(-1)].map((item) => item && library.sourceOf(item));
      const serverOf = (item: LibraryItem) => (first === last ? null : library.sourceOf(item).server());
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

function shownGroup(by: LibraryGrouping, { id, name, items, albums }: GroupOfItems): LibraryGroup {
  const [cover, isAlbum] = [coverOf(items), by === 'album'];
  return {
    ...{ id, name, albums, year: yearOf(by, items), tracks: items.length },
    artist: isAlbum ? artistOf(items) : null,
    durationSeconds: isAlbum ? lengthOf(items) : null,
    thumbnail: cover === null ? null : thumbnailOf(cover),
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

/** Answers who looks through the library, page by page, from what is held in memory: nothing is read from disk. */
import { thumbnailOf } from '@tunemate/domain';
import {
  type LibraryGroup,
  type LibraryGrouping,
  type LibraryTrack,
  type LibraryView,
  limits,
  type RoomKind,
  type Value,
} from '@tunemate/protocol';
import { libraryIndex, type GroupOfItems, type LibraryIndex } from './library-index.ts';
import { isShownIn, type LibraryItem, playedTitle } from './library-item.ts';
import type { MediaLibrary } from './media-library.ts';

export interface LibraryBrowsing {
  groups(room: RoomKind, by: LibraryGrouping, from: number): Value<'library/groups'>;
  /** A group that is gone contains nothing. */
  tracks(room: RoomKind, view: LibraryView, from: number): Value<'library/tracks'>;
  subtitles(film: string): Value<'library/subtitles'>;
}

export function libraryBrowsing(library: Pick<MediaLibrary, 'list' | 'search' | 'byId'>): LibraryBrowsing {
  const indexOf = indexKept(() => library.list());

  function viewed(room: RoomKind, view: LibraryView): readonly LibraryItem[] {
    if (view.type === 'group') return indexOf(room).group(view.by, view.id)?.items ?? [];
    if (view.type === 'newest') return indexOf(room).newest;
    return library.search(view.words, Number.POSITIVE_INFINITY).filter(isShownIn[room]);
  }

  return {
    groups(room, by, from) {
      const { groups, letters, newest } = indexOf(room);
      const { artist, album, folder } = groups;
      return {
        totals: { artist: artist.length, album: album.length, folder: folder.length, tracks: newest.length },
        groups: pageOf(groups[by], from).map(shownGroup),
        letters: [...letters[by]],
      };
    },
    tracks(room, view, from) {
      const items = viewed(room, view);
      return { total: items.length, tracks: pageOf(items, from).map(shownTrack) };
    },
    subtitles: (film) => ({
      subtitles: (library.byId(film)?.subtitles ?? []).map(({ id, language, label }) => ({ id, language, label })),
    }),
  };
}

/** The index of each kind of room, made when it is first asked for and again once the files have changed. */
function indexKept(list: () => readonly LibraryItem[]): (room: RoomKind) => LibraryIndex {
  let items: readonly LibraryItem[] = [];
  const kept = new Map<RoomKind, LibraryIndex>();
  return (room) => {
    const now = list();
    if (now !== items) kept.clear();
    items = now;
    const index = kept.get(room) ?? libraryIndex(now, room);
    kept.set(room, index);
    return index;
  };
}

const pageOf = <T>(all: readonly T[], from: number): T[] => all.slice(from, from + limits.libraryPage);

function shownGroup({ id, name, artist, year, items, coverOf }: GroupOfItems): LibraryGroup {
  const thumbnail = coverOf === null ? null : thumbnailOf(coverOf);
  return { id, name, artist, year, tracks: items.length, thumbnail };
}

function shownTrack(item: LibraryItem): LibraryTrack {
  const { id, title, artist, album, durationSeconds, cover } = item;
  return {
    videoId: id,
    title: playedTitle(item),
    durationSeconds,
    thumbnail: cover.in === 'nowhere' ? null : thumbnailOf(id),
    name: title,
    artist,
    album: album?.name ?? null,
  };
}

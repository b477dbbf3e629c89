/** The playlists of the sources, as groups of what is listed and a room may play. */
import type { RoomKind, VideoId } from '@tunemate/protocol';
import { turns } from '../../system/in-turns.ts';
import type { Playlist, Source } from '../sources/source.ts';
import { byName, type GroupOfItems } from './library-index.ts';
import { isShownIn, type LibraryItem, shortHash } from './library-item.ts';
import type { MediaLibrary } from './media-library.ts';

export interface PlaylistOfItems extends GroupOfItems {
  owner: string | null;
}

type Made = Promise<readonly PlaylistOfItems[]>;

/** Made again when the playlists or the items are others. By name; those of which nothing is left are left out. */
export function playlistsKept(library: Pick<MediaLibrary, 'list' | 'byId' | 'sources'>) {
  const kept = new Map<string, { of: readonly unknown[]; made: Made }>();
  return async (room: RoomKind, only: Source | null): Made => {
    const sources = only === null ? library.sources() : [only];
    const lists = await Promise.all(sources.map((source) => source.playlists()));
    const of = [library.list(), ...lists];
    const key = `${room} ${only?.name ?? ''}`;
    const known = kept.get(key);
    if (known?.of.every((list, at) => list === of[at])) return await known.made;
    const itemsOf = ({ tracks }: Playlist): LibraryItem[] =>
      tracks.flatMap((track) => library.byId(track) ?? []).filter(isShownIn[room]);
    const made = groupsOf(
      sources.map(({ name }, at) => [name, lists[at] ?? []]),
      itemsOf,
    );
    kept.set(key, { of, made });
    return await made;
  };
}

async function groupsOf(
  lists: readonly (readonly [source: string, playlists: readonly Playlist[]])[],
  itemsOf: (playlist: Playlist) => readonly LibraryItem[],
): Made {
  const found: PlaylistOfItems[] = [];
  const turn = turns();
  for (const [source, playlists] of lists) {
    for (const playlist of playlists) {
      const { id, name, owner } = playlist;
      const items = itemsOf(playlist);
      if (items.length > 0)
        found.push({ id: shortHash(`playlist\n${source}\n${id}`), name, owner, albums: null, items });
      if (turn.isDue()) await turn.give();
    }
  }
  return found.sort(byName);
}

const coversShown = 4;

/** Items whose covers stand for a playlist, each of another album; null where there are fewer than four. */
export function coversOf(items: readonly LibraryItem[]): readonly VideoId[] | null {
  const seen = new Map<string, VideoId>();
  for (const { id, album, cover } of items) {
    if (cover.in === 'nowhere') continue;
    const of = cover.in === 'source' ? cover.id : (album?.name ?? id);
    if (!seen.has(of)) seen.set(of, id);
    if (seen.size === coversShown) return [...seen.values()];
  }
  return null;
}

/** Searching, for the host of a live room; suggestions and the library, for everybody in it. */
import type { CatalogueAnswer, RoomKind, Uid, VideoId } from '@tunemate/protocol';
import type { Handlers } from '../access/subjects.ts';
import { accept } from '../ports.ts';
import type { LibraryBrowsing } from './library-browsing.ts';

/** What rooms need of the catalogue. It never fails: a failed search is an answer too. */
export interface RoomCatalogue {
  browsing: LibraryBrowsing;
  search(kind: RoomKind, query: string, host: Uid): Promise<CatalogueAnswer>;
  suggest(kind: RoomKind, playing: VideoId | null, host: Uid): Promise<CatalogueAnswer>;
}

export function catalogueHandlers(catalogue: RoomCatalogue) {
  return {
    'catalogue/search': async ({ room, caller }, { query }) =>
      accept(await catalogue.search(room.kind, query, caller.uid)),
    // Counted as the host's search, because one answer serves the whole room.
    'catalogue/suggest': async ({ room }, { videoId }) =>
      accept(await catalogue.suggest(room.kind, videoId, room.host)),
    'library/groups': ({ room }, { by, from }) =>
      Promise.resolve(accept(catalogue.browsing.groups(room.kind, by, from))),
    'library/tracks': ({ room }, { view, from }) =>
      Promise.resolve(accept(catalogue.browsing.tracks(room.kind, view, from))),
    'library/subtitles': (_member, { videoId }) => Promise.resolve(accept(catalogue.browsing.subtitles(videoId))),
  } satisfies Partial<Handlers>;
}

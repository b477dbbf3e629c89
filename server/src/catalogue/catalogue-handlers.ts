/** Searching, suggestions and the library, for everybody in a live room. */
import type { CatalogueAnswer, RoomKind, Uid, VideoId } from '@tunemate/protocol';
import type { Handlers } from '../access/subjects.ts';
import { accept } from '../system/ports.ts';
import type { LibraryBrowsing } from './library/library-browsing.ts';

/** What rooms need of the catalogue. It never fails: a failed search is an answer too. */
export interface RoomCatalogue {
  browsing: LibraryBrowsing;
  search(kind: RoomKind, query: string, host: Uid): Promise<CatalogueAnswer>;
  suggest(kind: RoomKind, playing: VideoId | null, host: Uid): Promise<CatalogueAnswer>;
}

export function catalogueHandlers(catalogue: RoomCatalogue) {
  return {
    // What goes out to a service elsewhere is counted as the host's, whoever asks.
    'catalogue/search': async ({ room }, { query }) => accept(await catalogue.search(room.kind, query, room.host)),
    'catalogue/suggest': async ({ room }, { videoId }) =>
      accept(await catalogue.suggest(room.kind, videoId, room.host)),
    'library/groups': ({ room }, { by, from }) =>
      Promise.resolve(accept(catalogue.browsing.groups(room.kind, by, from))),
    'library/tracks': ({ room }, { view, from }) =>
      Promise.resolve(accept(catalogue.browsing.tracks(room.kind, view, from))),
    'library/subtitles': (_member, { videoId }) => Promise.resolve(accept(catalogue.browsing.subtitles(videoId))),
  } satisfies Partial<Handlers>;
}

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
    'catalogue/search': ({ read }, { query }) =>
      read(async ({ room }) => accept(await catalogue.search(room.kind, query, room.host))),
    'catalogue/suggest': ({ read }, { videoId }) =>
      read(async ({ room }) => accept(await catalogue.suggest(room.kind, videoId, room.host))),
    'library/groups': ({ read }, { by, from }) =>
      read(({ room }) => accept(catalogue.browsing.groups(room.kind, by, from))),
    'library/tracks': ({ read }, { view, from }) =>
      read(({ room }) => accept(catalogue.browsing.tracks(room.kind, view, from))),
    'library/subtitles': ({ read }, { videoId }) => read(() => accept(catalogue.browsing.subtitles(videoId))),
  } satisfies Partial<Handlers>;
}

/** Searching, for the host of a live room, and suggesting, for everybody in it. */
import type { CatalogueAnswer, RoomKind, Uid, VideoId } from '@tunemate/protocol';
import type { Handlers } from '../access/subjects.ts';
import { accept } from '../ports.ts';

/** What rooms need of the catalogue. It never fails: a failed search is an answer too. */
export interface SearchCatalogue {
  search(kind: RoomKind, query: string, host: Uid): Promise<CatalogueAnswer>;
  suggest(kind: RoomKind, playing: VideoId | null, host: Uid): Promise<CatalogueAnswer>;
}

export function catalogueHandlers(catalogue: SearchCatalogue) {
  return {
    'catalogue/search': async ({ room, caller }, { query }) =>
      accept(await catalogue.search(room.kind, query, caller.uid)),
    // Counted as the host's search, because one answer serves the whole room.
    'catalogue/suggest': async ({ room }, { videoId }) =>
      accept(await catalogue.suggest(room.kind, videoId, room.host)),
  } satisfies Partial<Handlers>;
}

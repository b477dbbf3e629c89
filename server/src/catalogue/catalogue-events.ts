/** Searching, for the host of a live room, and suggesting, for everybody in it. */
import type { CatalogueAnswer, RoomKind, Uid, VideoId } from '@tunemate/protocol';
import { accept, type Refused } from '../ports.ts';
import type { Caller, Handlers } from '../realtime/caller.ts';

/** What rooms want of the catalogue. It answers in any case: a failed search never fails a room. */
export interface SearchCatalogue {
  search(kind: RoomKind, query: string, host: Uid): Promise<CatalogueAnswer>;
  suggest(kind: RoomKind, playing: VideoId | null, host: Uid): Promise<CatalogueAnswer>;
}

type Authorize = (
  caller: Caller,
  room: { kind: RoomKind; code: string },
  need: 'host' | 'member',
) => Promise<{ room: { host: string } } | Refused>;

export function catalogueHandlers(catalogue: SearchCatalogue, authorize: Authorize) {
  return {
    'catalogue/search': async (caller, { kind, code, query }) => {
      const found = await authorize(caller, { kind, code }, 'host');
      if ('ok' in found) return found;
      return accept(await catalogue.search(kind, query, caller.uid));
    },
    'catalogue/suggest': async (caller, { kind, code, videoId }) => {
      const found = await authorize(caller, { kind, code }, 'member');
      if ('ok' in found) return found;
      // Whoever asks first, the host's searches of the hour pay: one answer serves the whole room.
      return accept(await catalogue.suggest(kind, videoId, found.room.host as Uid));
    },
  } satisfies Partial<Handlers>;
}

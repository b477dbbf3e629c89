/** Searching and suggesting, for the host of a live room only. */
import type { CatalogueAnswer, RoomKind, Uid, VideoId } from '@tunemate/protocol';
import { accept, type Refused } from '../ports.ts';
import type { Caller, Handlers } from '../realtime/caller.ts';

/** What rooms want of the catalogue. It answers in any case: a failed search never fails a room. */
export interface SearchCatalogue {
  search(kind: RoomKind, query: string, host: Uid): Promise<CatalogueAnswer>;
  suggest(kind: RoomKind, playing: VideoId | null, host: Uid): Promise<CatalogueAnswer>;
}

type HostGate = (caller: Caller, room: { kind: RoomKind; code: string }) => Promise<{ room: object } | Refused>;

export function catalogueHandlers(catalogue: SearchCatalogue, gate: HostGate) {
  return {
    'catalogue/search': async (caller, { kind, code, query }) => {
      const gated = await gate(caller, { kind, code });
      if ('ok' in gated) return gated;
      return accept(await catalogue.search(kind, query, caller.uid));
    },
    'catalogue/suggest': async (caller, { kind, code, videoId }) => {
      const gated = await gate(caller, { kind, code });
      if ('ok' in gated) return gated;
      return accept(await catalogue.suggest(kind, videoId, caller.uid));
    },
  } satisfies Partial<Handlers>;
}

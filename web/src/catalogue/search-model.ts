/**
 * The host's search: one query at a time, the last one wins. A blank query is ignored, and one that is being searched for
 * already; a failed one shows no results and does not affect the room.
 */
import { isBlank, limits, type CatalogueAnswer, type Refusal, type RoomKind } from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';
import { cell, type Readable } from '../store/cell.ts';

export type SearchStatus =
  | { readonly status: 'closed' }
  | { readonly status: 'searching'; readonly query: string }
  /** `areLinks`: addresses were pasted, so that all of them are wanted. */
  | { readonly status: 'found'; readonly answer: CatalogueAnswer; readonly areLinks: boolean }
  | { readonly status: 'failed'; readonly refusal: Refusal };

export interface SearchModel {
  readonly status: Readable<SearchStatus>;
  search(query: string): Promise<void>;
  /** Closes the results. */
  cancel(): void;
}

function areLinks(query: string): boolean {
  return query.split(/\s+/u).every((word) => word.includes('/'));
}

export function createSearchModel(connection: Connection, room: { kind: RoomKind; code: string }): SearchModel {
  const status = cell<SearchStatus>({ status: 'closed' });
  let asked = 0;

  async function search(query: string): Promise<void> {
    const trimmed = query.trim().slice(0, limits.searchQueryLength);
    const now = status.get();
    if (isBlank(trimmed) || (now.status === 'searching' && now.query === trimmed)) return;
    asked += 1;
    const mine = asked;
    status.set({ status: 'searching', query: trimmed });
    const result = await connection.request('catalogue/search', { ...room, query: trimmed });
    if (mine !== asked) return;
    if (result.ok) status.set({ status: 'found', answer: result.value, areLinks: areLinks(trimmed) });
    else status.set({ status: 'failed', refusal: result.error });
  }

  return {
    status,
    search,
    cancel() {
      asked += 1;
      status.set({ status: 'closed' });
    },
  };
}

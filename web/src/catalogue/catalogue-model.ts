/** A room's search: one query at a time, the last one wins. */
import { type CatalogueAnswer, isBlank, limits, type Refusal, type RoomKind } from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';
import { type Cell, cell, type Readable } from '../store/cell.ts';

export type SearchStatus =
  | { readonly status: 'closed' }
  | { readonly status: 'searching'; readonly query: string }
  /** `areLinks`: links were pasted, so that all of them are wanted. */
  | {
      readonly status: 'found';
      readonly query: string;
      readonly answer: CatalogueAnswer;
      readonly areLinks: boolean;
    }
  | { readonly status: 'failed'; readonly refusal: Refusal };

export interface SearchModel {
  readonly status: Readable<SearchStatus>;
  /** Of the field, which goes while the chat has its place. */
  readonly words: Cell<string>;
  search(query: string): Promise<void>;
  cancel(): void;
}

/** The links of a pasted text; null where it holds none. */
async function linksIn(text: string): Promise<string[] | null> {
  const { parseVideoReferences, videoLink } = await import('./pasted-links.ts');
  return parseVideoReferences(text)?.map(videoLink) ?? null;
}

/** What a request may carry of a pasted text: its links alone, where the text is too long. */
const shortened = (text: string, links: string[] | null): string =>
  (text.length > limits.searchQueryLength ? (links?.join(' ') ?? text) : text).slice(0, limits.searchQueryLength);

export function createSearchModel(connection: Connection, room: { kind: RoomKind; code: string }): SearchModel {
  const status = cell<SearchStatus>({ status: 'closed' });
  const words = cell('');
  let asked = 0;

  async function search(query: string): Promise<void> {
    const trimmed = query.trim();
    const now = status.get();
    if (isBlank(trimmed) || (now.status === 'searching' && now.query === trimmed)) return;
    asked += 1;
    const mine = asked;
    status.set({ status: 'searching', query: trimmed });
    // Words are asked at once.
    const links = /[./]/.test(trimmed) ? await linksIn(trimmed).catch(() => null) : null;
    if (mine !== asked) return;
    const result = await connection.request('catalogue/search', { ...room, query: shortened(trimmed, links) });
    if (mine !== asked) return;
    if (result.ok) status.set({ status: 'found', query: trimmed, answer: result.value, areLinks: links !== null });
    else status.set({ status: 'failed', refusal: result.error });
  }

  return {
    status,
    words,
    search,
    cancel() {
      asked += 1;
      if (status.get().status !== 'closed') words.set('');
      status.set({ status: 'closed' });
    },
  };
}

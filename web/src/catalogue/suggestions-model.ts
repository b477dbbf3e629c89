/**
 * Suggestions for the current track: loaded again whenever the track changes. A failure keeps the old ones.
 */
import type { CatalogueItem, RoomKind, VideoId } from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';
import { cell, type Readable } from '../store/cell.ts';

/** `items` is null before the first request. */
export interface Suggestions {
  readonly items: readonly CatalogueItem[] | null;
}

export interface SuggestionsModel {
  readonly suggestions: Readable<Suggestions>;
  /** Receives the current track's id, null before the first; the same id twice sends one request. */
  after(videoId: VideoId | null): Promise<void>;
}

export function createSuggestionsModel(
  connection: Connection,
  room: { kind: RoomKind; code: string },
): SuggestionsModel {
  const suggestions = cell<Suggestions>({ items: null });
  let askedFor: VideoId | null | undefined;

  async function after(videoId: VideoId | null): Promise<void> {
    if (askedFor === videoId) return;
    askedFor = videoId;
    const result = await connection.requestUntilAnswered('catalogue/suggest', { ...room, videoId });
    if (askedFor !== videoId) return;
    if (result.ok) suggestions.set({ items: result.value.items });
    else suggestions.update(({ items }) => ({ items: items ?? [] }));
  }

  return { suggestions, after };
}

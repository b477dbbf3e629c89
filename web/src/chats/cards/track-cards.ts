/**
 * What the cards of messages show. Cards that come on the screen together are one request, and each track is asked for
 * once; one that could not be looked up is asked for again when its card is drawn again.
 */
import { putLatest } from '@tunemate/domain';
import { limits, type TrackCard, type VideoId } from '@tunemate/protocol';
import type { Connection } from '../../connection/port.ts';
import { type Cell, cell, type Readable } from '../../store/cell.ts';

/** Null until the answer, and without one. */
type Shown = TrackCard | null;

export interface TrackCards {
  of(videoId: VideoId): Readable<Shown>;
  /** Its card is on the screen. */
  need(videoId: VideoId): void;
}

/** A page that stays open for weeks does not keep all that scrolled by. */
const keptCards = 500;

function createTrackCards(connection: Pick<Connection, 'request'>): TrackCards {
  const cards = new Map<VideoId, Cell<Shown>>();
  const underWay = new Set<VideoId>();
  let waiting: VideoId[] = [];

  function cardOf(videoId: VideoId): Cell<Shown> {
    const known = cards.get(videoId);
    if (known !== undefined) return known;
    return putLatest(cards, videoId, cell<Shown>(null), keptCards);
  }

  async function ask(videoIds: VideoId[]): Promise<void> {
    const answer = await connection.request('catalogue/cards', { videoIds });
    for (const videoId of videoIds) underWay.delete(videoId);
    if (answer.ok) for (const card of answer.value.cards) cardOf(card.videoId).set(card);
  }

  function askAll(): void {
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += limits.cards) void ask(all.slice(from, from + limits.cards));
  }

  return {
    of: cardOf,
    need(videoId) {
      if (cardOf(videoId).get() !== null || underWay.has(videoId)) return;
      underWay.add(videoId);
      // All cards that are drawn at once need theirs before this runs.
      if (waiting.push(videoId) === 1) queueMicrotask(askAll);
    },
  };
}

const made = new WeakMap<Connection, TrackCards>();

/** The cards of this page. */
export function trackCardsOf(connection: Connection): TrackCards {
  const known = made.get(connection) ?? createTrackCards(connection);
  made.set(connection, known);
  return known;
}

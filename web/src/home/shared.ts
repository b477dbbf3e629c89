/**
 * What another app shared with Tunemate by the `share_target` of the manifest: GET /share?title=…&text=…&url=…. Any site
 * can open that address, so all of it is text of strangers: shown as text, and searched only after a press.
 */
import { limits, roomIn } from '@tunemate/protocol';
import { type CurrentVisit, isVisitTo } from '../rooms/visit/current-visit.ts';
import type { RoomAddress } from '../rooms/room-kinds.ts';
import type { Visit } from '../rooms/visit/visit.ts';

export interface Shared {
  /** What a room's search is asked for, at most as long as a query may be; '' for nothing. */
  readonly query: string;
  /** The room that a shared link of Tunemate leads to. */
  readonly room: RoomAddress | null;
}

/** Marks that change the direction of the text around them, and what no query needs. */
const unseen = /[\p{Cc}\p{Cf}]+/gu;
const webLink = /https?:\/\/\S+/iu;

const clean = (text: string | null): string =>
  (text ?? '')
    .replaceAll(unseen, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .slice(0, limits.searchQueryLength)
    .replace(/[\uD800-\uDBFF]$/u, '');

/** Apps put the link into `url`, or more often into `text`. Without one, the words are searched. */
export function readShared(search: string): Shared {
  const query = new URLSearchParams(search);
  const [title, text, url] = [clean(query.get('title')), clean(query.get('text')), clean(query.get('url'))];
  const link = webLink.exec(url)?.[0] ?? webLink.exec(text)?.[0];
  const room = link === undefined ? null : roomIn(link);
  return {
    query: link ?? (text === '' ? title : text),
    // A code without its kind may be part of any link.
    room: room?.kind ? { kind: room.kind, code: room.code } : null,
  };
}

let stopWaiting = (): void => undefined;

/** Searches once this tab has entered the room, or with null the next room that it enters. A second press takes its place. */
export function searchOnceInside(visits: CurrentVisit, room: RoomAddress | null, query: string): void {
  stopWaiting();
  const enter = (visit: Visit): void => {
    if (visit.parts.get() === null) return;
    stopWaiting();
    void visit.search.search(query);
  };
  const look = (): void => {
    const visit = visits.get();
    if (visit === null || (room !== null && !isVisitTo(visit, room))) return;
    stopWaiting();
    stopWaiting = visit.parts.subscribe(() => enter(visit));
    enter(visit);
  };
  stopWaiting = visits.subscribe(look);
  look();
}

/**
 * Handing a room over: the host offers it to one participant, who takes over or declines within a minute. Until then
 * the host keeps everything. Pure: the caller loads the facts inside its transaction and saves the decision.
 */
import { type ErrorCode, type HandOver, limits, type Uid } from '@tunemate/protocol';

/** The offer as long as it can be answered; null afterwards. */
export function openOffer(offer: HandOver | null, nowMs: number): HandOver | null {
  return offer !== null && nowMs < offer.untilMs ? offer : null;
}

/** Why `uid` may not take this room over; null when they may. The person asked may host too many rooms already. */
export function refusalToTakeOver(facts: {
  offer: HandOver | null;
  uid: Uid;
  liveRooms: number;
  nowMs: number;
}): ErrorCode | null {
  if (openOffer(facts.offer, facts.nowMs)?.to !== facts.uid) return 'room/offer-over';
  return facts.liveRooms >= limits.liveRoomsPerHost ? 'room/too-many-live-rooms' : null;
}

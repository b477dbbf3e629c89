/**
 * Membership of a room, and the outcome of asking, accepting, rejecting and withdrawing. Pure: the caller loads the
 * facts inside its transaction and saves the decision. Refusals are values, not exceptions.
 */
import {
  type Admission,
  type ErrorCode,
  type HandOver,
  limits,
  type OwnRequestStatus as OwnStatus,
  type RoomNeed,
  type Uid,
} from '@tunemate/protocol';

/**
 * A person's role in a room. 'rejected': the host declined the last request; 'removed': the host removed the person.
 */
export type Role = 'host' | 'participant' | 'pending' | 'rejected' | 'removed' | 'stranger';

/** A request expires this long after its page last renewed it. */
export const requestLifetimeMs = 60 * 1000;
/** After this many declines in one room a person may not ask there again. */
export const declinesForGood = 5;

export interface RequestFact {
  status: 'pending' | 'accepted' | 'rejected' | 'withdrawn' | 'lapsed' | 'removed' | 'barred';
  askedAtMs: number;
  /** When the requester's page last renewed it. */
  renewedAtMs: number;
  answeredAtMs: number | null;
  /** Declines in this room so far; withdrawing and asking again does not reset them. */
  timesDeclined: number;
}

export interface RoomFacts {
  host: Uid;
  isActive: boolean;
}

/** The role of `uid`; `request` is their request to join (null: none). */
export function roleOf(room: RoomFacts, uid: Uid, isMember: boolean, request: RequestFact | null, nowMs: number): Role {
  if (room.host === uid) return 'host';
  if (isMember) return 'participant';
  if (request?.status === 'pending' && nowMs - request.renewedAtMs < requestLifetimeMs) return 'pending';
  if (request?.status === 'removed' || request?.status === 'barred') return 'removed';
  return request?.status === 'rejected' ? 'rejected' : 'stranger';
}

export function isDeclinedForGood({ status, timesDeclined }: RequestFact): boolean {
  return status === 'rejected' && timesDeclined >= declinesForGood;
}

/** The request after the host's answer. */
export function answered(request: RequestFact, answer: 'accepted' | 'rejected', nowMs: number): RequestFact {
  const timesDeclined = request.timesDeclined + (answer === 'rejected' ? 1 : 0);
  return { ...request, status: answer, answeredAtMs: nowMs, timesDeclined };
}

/** A requester's view of their own request; null when there is nothing to show. */
export function ownStatusOf(role: Role, request: RequestFact | null): OwnStatus | null {
  if (role === 'participant') return 'accepted';
  if (role === 'pending') return 'pending';
  if (role === 'host' || role === 'removed' || !request) return null;
  if (request.status === 'withdrawn') return 'none';
  // An expired request may not be marked as such yet.
  if (request.status === 'lapsed' || request.status === 'pending') return 'lapsed';
  return isDeclinedForGood(request) ? 'rejected-for-good' : 'rejected';
}

/**
 * Why `role` may not do what needs `need`; null when it may. An ended room answers 'ended' to people who were in it and
 * 'not found' to all others: 'anyone' still needs a live room. `hasRemote`: see `holdsRemote`.
 */
export function refusalFor(need: RoomNeed, role: Role, isActive: boolean, hasRemote = false): ErrorCode | null {
  const isOutside = role === 'stranger' || role === 'rejected' || role === 'removed';
  if (!isActive) return isOutside ? 'room/not-found' : 'room/ended';
  if (need === 'anyone') return null;
  // The same code as for an unknown room, so that codes can't be enumerated.
  if (need === 'requester')
    return role === 'pending' || role === 'rejected' || role === 'participant' ? null : 'room/not-found';
  if (role === 'removed') return 'room/removed';
  if (role !== 'host' && role !== 'participant') return 'room/not-member';
  const isAllowed = need === 'member' || role === 'host' || (need === 'remote' && hasRemote);
  return isAllowed ? null : 'room/host-only';
}

export type AskDecision =
  | { type: 'member' }
  | { type: 'admit' }
  | { type: 'same' }
  | { type: 'ask' }
  | { type: 'refuse'; code: ErrorCode; retryAfterMs?: number };

/**
 * The outcome of asking to join. The host and participants need no approval; a pending request stays as it is, unless
 * the requester no longer needs approval. An invitation after a decline or a removal cancels it.
 * A locked room refuses new requests and keeps the pending ones.
 */
export function decideAsk(facts: {
  role: Role;
  request: RequestFact | null;
  /** See `comesInByThemselves`. */
  comesIn: boolean;
  isLocked: boolean;
  invitedAtMs: number | null;
  participants: number;
  /** How many people the operator allows in a room. */
  most: number;
  pending: number;
  nowMs: number;
}): AskDecision {
  const { role, request, nowMs } = facts;
  if (role === 'host' || role === 'participant') return { type: 'member' };
  const isFull = facts.participants >= facts.most;
  if (role === 'pending') return facts.comesIn && !isFull ? { type: 'admit' } : { type: 'same' };
  const isForgiven = facts.comesIn && (facts.invitedAtMs ?? 0) > (request?.answeredAtMs ?? 0);
  const refusal = isForgiven ? null : afterRemoval(request, nowMs);
  if (refusal) return refusal;
  if (facts.isLocked) return { type: 'refuse', code: 'room/locked' };
  if (request?.status === 'rejected' && !isForgiven) {
    const waitMs = (request.answeredAtMs ?? 0) + limits.askAgainAfterMs - nowMs;
    if (isDeclinedForGood(request)) return { type: 'refuse', code: 'room/declined-for-good' };
    if (waitMs > 0) return { type: 'refuse', code: 'limit/too-many', retryAfterMs: waitMs };
  }
  if (isFull) return { type: 'refuse', code: 'room/full' };
  if (facts.comesIn) return { type: 'admit' };
  if (facts.pending >= limits.pendingPerRoom) return { type: 'refuse', code: 'room/too-many-requests-pending' };
  return { type: 'ask' };
}

/** A removed person may ask again after a while; a barred one never. */
function afterRemoval(request: RequestFact | null, nowMs: number): AskDecision | null {
  if (request?.status === 'barred') return { type: 'refuse', code: 'room/removed' };
  if (request?.status !== 'removed') return null;
  const waitMs = (request.answeredAtMs ?? 0) + limits.askAgainAfterRemovalMs - nowMs;
  return waitMs > 0 ? { type: 'refuse', code: 'room/removed', retryAfterMs: waitMs } : null;
}

export type AnswerDecision = { type: 'apply' } | { type: 'same' } | { type: 'refuse'; code: ErrorCode };

/** The outcome of the host's accept or reject. Repeating an answer changes nothing; the opposite one is refused. */
export function decideAnswer(
  answer: 'accepted' | 'rejected',
  facts: { isMember: boolean; request: RequestFact | null; participants: number; most: number; nowMs: number },
): AnswerDecision {
  const { isMember, request } = facts;
  if (answer === 'accepted' && isMember) return { type: 'same' };
  if (!request || request.status === 'withdrawn' || request.status === 'lapsed') {
    return { type: 'refuse', code: isMember ? 'room/request-resolved' : 'access/not-found' };
  }
  if (request.status === answer) return { type: 'same' };
  if (request.status !== 'pending') return { type: 'refuse', code: 'room/request-resolved' };
  if (facts.nowMs - request.renewedAtMs >= requestLifetimeMs) return { type: 'refuse', code: 'access/not-found' };
  if (answer === 'accepted' && facts.participants >= facts.most) {
    return { type: 'refuse', code: 'room/full' };
  }
  return { type: 'apply' };
}

/** How long an invitation by the host admits a person, whatever the room's admission setting. */
export const invitationLetsInMs = 12 * 60 * 60 * 1000;

interface AdmissionFacts {
  /** The room's admission setting. */
  admits: Admission;
  /** The host's soulmate, or on one of the host's lists. Read only where the setting needs it. */
  isFriend: boolean;
  /** When the host last invited this person to the room; null for never. */
  invitedAtMs: number | null;
  /** By the host. A blocked person has to ask like a stranger, so that the block is not revealed. */
  isBlocked: boolean;
  nowMs: number;
}

/** Whether this person enters without the host's approval. */
export function comesInByThemselves({ admits, isFriend, invitedAtMs, isBlocked, nowMs }: AdmissionFacts): boolean {
  if (isBlocked) return false;
  if (invitedAtMs !== null && nowMs - invitedAtMs < invitationLetsInMs) return true;
  const byTheSwitch: Record<Admission, boolean> = {
    nobody: false,
    friends: isFriend,
    // Until the room ends.
    invited: invitedAtMs !== null,
    everybody: true,
  };
  return byTheSwitch[admits];
}

// Handing over: the host offers the room to one participant, who accepts or declines within a minute. Until then the
// host stays host.

/** The offer while it can be answered; null afterwards. */
export function openOffer(offer: HandOver | null, nowMs: number): HandOver | null {
  return offer !== null && nowMs < offer.untilMs ? offer : null;
}

/** Why `uid` may not take this room over; null when they may. */
export function refusalToTakeOver(facts: {
  offer: HandOver | null;
  uid: Uid;
  liveRooms: number;
  nowMs: number;
}): ErrorCode | null {
  if (openOffer(facts.offer, facts.nowMs)?.to !== facts.uid) return 'room/offer-over';
  return facts.liveRooms >= limits.liveRoomsPerHost ? 'room/too-many-live-rooms' : null;
}

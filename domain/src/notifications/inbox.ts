/**
 * Which notifications of a person are kept (the newest 20 by server time), and their sentences.
 */
import { limits, type Notification } from '@tunemate/protocol';

/** The fields by which notifications are ordered. */
export type NoticeAge = Pick<Notification, 'id' | 'timestamp'>;

/** Newest first; equal times in the order of their ids, so that the order is the same everywhere. */
export function newestFirst(a: NoticeAge, b: NoticeAge): number {
  return b.timestamp - a.timestamp || (a.id < b.id ? 1 : -1);
}

/** The ids to remove once `added` has arrived; never its own. `kept` are the others, in any order. */
export function outgrown(kept: readonly NoticeAge[], added: NoticeAge, cap: number = limits.notifications): string[] {
  const others = kept.filter(({ id }) => id !== added.id).sort(newestFirst);
  return others.slice(cap - 1).map(({ id }) => id);
}

/** Why `x` may not be invited; null when they may. */
export function refusalToInvite(facts: {
  isSelf: boolean;
  exists: boolean;
  /** In one of my lists, or my soulmate. */
  isMine: boolean;
  isBlocked: boolean;
}): 'input/invalid' | 'access/not-found' | 'access/forbidden' | null {
  if (facts.isSelf) return 'input/invalid';
  if (!facts.exists) return 'access/not-found';
  return facts.isMine && !facts.isBlocked ? null : 'access/forbidden';
}

/** The `message` of an invitation; the room is the one the inviter is in, if any. */
export function invitationMessage(senderName: string, roomName: string | null): string {
  return roomName === null ? `${senderName} invites you to listen` : `${senderName} invites you to ${roomName}`;
}

/** Who tells what no person tells, and the `message` that a report was read. */
export const operatorName = 'Tunemate';
export const reportReadMessage = `${operatorName} says that your report was read`;

/** The `message` for the host of a room that ended without them. */
export function hostAwayMessage(roomName: string): string {
  return `${roomName} ended because you were away`;
}

/** The `message` for the host of a room that ends soon without them. */
export function roomEndsMessage(roomName: string): string {
  return `${roomName} ends soon unless you return`;
}

/** The `message` of a soulmate request. */
export function soulmateMessage(senderName: string): string {
  return `${senderName} asks you to be soulmates`;
}

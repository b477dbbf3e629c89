/** Which notifications of a person are kept (the newest 20 by server time), and who may invite. */
import { limits, type Notification, ownNames } from '@tunemate/protocol';

export type NoticeAge = Pick<Notification, 'id' | 'timestamp'>;

/** Newest first; equal times by id, so that every process and page sorts alike. */
export function newestFirst(a: NoticeAge, b: NoticeAge): number {
  return b.timestamp - a.timestamp || (a.id < b.id ? 1 : -1);
}

/** The ids to remove once `added` is stored; never its own. `kept` are the others, in any order. */
export function outgrown(kept: readonly NoticeAge[], added: NoticeAge, cap: number = limits.notifications): string[] {
  const others = kept.filter(({ id }) => id !== added.id).sort(newestFirst);
  return others.slice(cap - 1).map(({ id }) => id);
}

/** Why an invitation is refused; null when it is allowed. */
export function refusalToInvite(facts: {
  isSelf: boolean;
  exists: boolean;
  /** In one of the sender's lists, or the sender's soulmate. */
  isMine: boolean;
  isBlocked: boolean;
}): 'input/invalid' | 'access/not-found' | 'access/forbidden' | null {
  if (facts.isSelf) return 'input/invalid';
  if (!facts.exists) return 'access/not-found';
  return facts.isMine && !facts.isBlocked ? null : 'access/forbidden';
}

/** The sender of notifications that no person sends. */
export const [operatorName] = ownNames;

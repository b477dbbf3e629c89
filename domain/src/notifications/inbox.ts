/** Which notifications of a person are kept (the newest 20 by server time, those of strangers last), and who may invite. */
import { limits, type Notification, ownNames } from '@tunemate/protocol';

export type NoticeAge = Pick<Notification, 'id' | 'timestamp'>;

/** Newest first; equal times by id, so that every process and page sorts alike. */
export function newestFirst(a: NoticeAge, b: NoticeAge): number {
  return b.timestamp - a.timestamp || (a.id < b.id ? 1 : -1);
}

/**
 * The ids to remove once `added` is stored; never its own. `kept` are the others, in any order. Where there are too many,
 * those of people one does not know go first: any number of strangers can write.
 */
export function outgrown<T extends NoticeAge>(
  kept: readonly T[],
  added: NoticeAge,
  isStrange: (notice: T) => boolean = () => false,
): string[] {
  const others = kept
    .filter(({ id }) => id !== added.id)
    .sort((a, b) => Number(isStrange(a)) - Number(isStrange(b)) || newestFirst(a, b));
  return others.slice(limits.notifications - 1).map(({ id }) => id);
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

/** Who is typing at this moment. That may be lost, and expires. */
import type { Uid } from '@tunemate/protocol';
import { cell, type Readable } from '../store/cell.ts';
import type { Clock } from '../store/clock.ts';

/** Longer than the pause between two events of somebody who goes on typing. */
const shownMs = 5000;

export interface TypingPeople {
  /** In the order in which they began. */
  readonly people: Readable<ReadonlySet<Uid>>;
  types(uid: Uid): void;
  stop(uid: Uid): void;
}

export function createTypingPeople({ schedule }: Pick<Clock, 'schedule'>): TypingPeople {
  const people = cell<ReadonlySet<Uid>>(new Set());
  const ends = new Map<Uid, () => void>();

  function stop(uid: Uid): void {
    ends.get(uid)?.();
    if (ends.delete(uid)) people.set(new Set(ends.keys()));
  }
  return {
    people,
    types(uid) {
      ends.get(uid)?.();
      ends.set(
        uid,
        schedule(() => stop(uid), shownMs),
      );
      if (!people.get().has(uid)) people.set(new Set(ends.keys()));
    },
    stop,
  };
}

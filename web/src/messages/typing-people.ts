/** Who is typing at this moment. That may be lost, and expires. */
import type { Uid } from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';
import { cell, type Readable } from '../store/cell.ts';
import type { Clock } from '../store/clock.ts';

const sendEveryMs = 3000;
/** Longer than that, so that what is shown does not flicker. */
const shownMs = 5000;

/** Sends at most one event every three seconds, and none without a connection; may be called at each keystroke. */
export function typingSender({ status }: Pick<Connection, 'status'>, clock: Pick<Clock, 'now'>, send: () => void) {
  let sentAtMs = Number.NEGATIVE_INFINITY;
  return (): void => {
    if (status.get().status !== 'live' || clock.now() - sentAtMs < sendEveryMs) return;
    sentAtMs = clock.now();
    send();
  };
}

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

/**
 * Limits how much runs at once in this process: for each person, and for all together. It does not know what runs.
 */
import type { Result } from '@tunemate/protocol';
import { accept, refuse } from '../ports.ts';

/** The time to wait that a refusal names: by then a place is most often free. */
const againAfterMs = 2000;

/** Gives the place back; calling it twice does nothing more. */
export type LeavePlace = () => void;

export interface Places {
  /** Refusals with a time to wait: limit/too-many (the person's places are taken), server/busy (all places are). */
  take(person: string): Result<LeavePlace>;
}

export function createPlaces({ perPerson, inAll = Infinity }: { perPerson: number; inAll?: number }): Places {
  const taken = new Map<string, number>();
  let all = 0;

  return {
    take(person) {
      const own = taken.get(person) ?? 0;
      if (own >= perPerson) return refuse('limit/too-many', { retryAfterMs: againAfterMs });
      if (all >= inAll) return refuse('server/busy', { retryAfterMs: againAfterMs });
      taken.set(person, own + 1);
      all += 1;
      let isLeft = false;
      return accept(() => {
        if (isLeft) return;
        isLeft = true;
        all -= 1;
        const left = (taken.get(person) ?? 1) - 1;
        if (left > 0) taken.set(person, left);
        else taken.delete(person);
      });
    },
  };
}

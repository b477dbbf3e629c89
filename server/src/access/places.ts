/**
 * Limits how much runs at once in this process: for each person, and for all together. It does not know what runs.
 */
import type { Result } from '@tunemate/protocol';
import { accept, refuse } from '../ports.ts';
import { Tally } from '../tally.ts';

/** The time to wait that a refusal names: by then a place is most often free. */
const againAfterMs = 2000;

/** Gives the place back; calling it twice does nothing more. */
export type LeavePlace = () => void;

export interface Places {
  /** Refusals with a time to wait: limit/too-many (the person's places are taken), server/busy (all places are). */
  take(person: string): Result<LeavePlace>;
}

export function createPlaces({ perPerson, inAll = Infinity }: { perPerson: number; inAll?: number }): Places {
  const taken = new Tally<string>();
  let all = 0;

  return {
    take(person) {
      if (taken.of(person) >= perPerson) return refuse('limit/too-many', { retryAfterMs: againAfterMs });
      if (all >= inAll) return refuse('server/busy', { retryAfterMs: againAfterMs });
      taken.add(person);
      all += 1;
      let isLeft = false;
      return accept(() => {
        if (isLeft) return;
        isLeft = true;
        all -= 1;
        taken.remove(person);
      });
    },
  };
}

/**
 * How much may be under way at once, in this process: for each person, and for all together. What is under way is the
 * caller's business.
 */
import { accept, type Outcome, refuse } from '../ports.ts';

/** What somebody is told who comes while every place is taken: by then one will most often be free. */
const againAfterMs = 2000;

/** Gives the place back; a second time does nothing. */
export type LeavePlace = () => void;

export interface Places {
  /** Refusals: limit/too-many (the person's own places), server/busy (everybody's), with a time to wait. */
  take(person: string): Outcome<LeavePlace>;
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

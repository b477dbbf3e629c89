/**
 * Limits how much runs at once in this process: under each key (a person, a service), and in all. It does not know what
 * runs.
 */
import type { Result } from '@tunemate/protocol';
import { accept, refuse } from '../system/ports.ts';
import { Tally } from '../system/tally.ts';

/** The time to wait that a refusal names: by then a slot is most often free. */
const againAfterMs = 2000;

/** Gives the slot back; calling it twice does nothing more. */
export type FreeSlot = () => void;

export interface Slots {
  /** Refusals with a time to wait: limit/too-many (the key's slots are taken), server/busy (all slots are). */
  take(key: string): Result<FreeSlot>;
}

export function createSlots({ perKey, inAll = Infinity }: { perKey: number; inAll?: number }): Slots {
  const taken = new Tally<string>();
  let all = 0;

  return {
    take(key) {
      if (taken.of(key) >= perKey) return refuse('limit/too-many', { retryAfterMs: againAfterMs });
      if (all >= inAll) return refuse('server/busy', { retryAfterMs: againAfterMs });
      taken.add(key);
      all += 1;
      let isLeft = false;
      return accept(() => {
        if (isLeft) return;
        isLeft = true;
        all -= 1;
        taken.remove(key);
      });
    },
  };
}

/**
 * One follower's place in a stream: numbers already passed are dropped, a missing one makes the follower fetch a fresh
 * snapshot, and what arrives meanwhile is held and applied after it. Knows nothing of what a change means.
 */
import type { Entries } from '@tunemate/protocol';
import type { Follower } from './port.ts';
import type { Clock } from './ports.ts';

/** Batches held per stream. The oldest go first: the next one then shows a gap, and nothing is lost silently. */
const heldBatches = 256;
const snapshotRetryMs = 2000;

export type Change = Entries['changes'][number];

export interface StreamCursor {
  receive(batch: Entries): void;
  /** The connection is lost: what is held is void, and the follower's copy is no longer complete. */
  invalidate(): void;
  /** Asks the follower for a snapshot, if its copy is incomplete and none is on its way. */
  refresh(): void;
  /** The follower gets nothing more. */
  end(): void;
}

export function createStreamCursor(follower: Follower<Change>, clock: Clock, isLive: () => boolean): StreamCursor {
  let seq = follower.fromSeq;
  /** Null while the follower's copy is complete; otherwise the batches that arrived since it is not. */
  let held: Entries[] | null = isLive() ? null : [];
  /** Rises with each request for a snapshot, so that an answer that came too late is recognised. */
  let round = 0;
  let isFetching = false;
  /** Set while the pause after a failed snapshot lasts: changes that arrive must not ask for one at each batch. */
  let cancelRetry: (() => void) | null = null;
  let isEnded = false;

  function receive(batch: Entries): void {
    if (isEnded) return;
    if (held === null) apply(batch);
    else {
      holdBatch(held, batch);
      refresh();
    }
  }

  function apply(batch: Entries): void {
    if (batch.from > seq + 1) {
      held = [batch];
      refresh();
      return;
    }
    for (const [index, change] of batch.changes.entries()) {
      const number = (batch.to ?? batch.from) + index;
      if (number <= seq) continue;
      seq = number;
      follower.onChange(change, number);
      // The change may have ended the cursor or invalidated the copy.
      if (isEnded || held !== null) return;
    }
  }

  function refresh(): void {
    if (isEnded || held === null || isFetching || cancelRetry !== null || !isLive()) return;
    isFetching = true;
    round += 1;
    const asked = round;
    void snapshotOf(follower).then((snapshotSeq) => {
      if (isEnded || asked !== round) return;
      isFetching = false;
      if (snapshotSeq === null) cancelRetry = clock.schedule(retry, snapshotRetryMs);
      else takeSnapshot(snapshotSeq);
    });
  }

  function retry(): void {
    cancelRetry?.();
    cancelRetry = null;
    refresh();
  }

  function takeSnapshot(snapshotSeq: number): void {
    const batches = held ?? [];
    seq = snapshotSeq;
    held = null;
    for (const batch of batches) receive(batch);
  }

  return {
    receive,
    refresh,
    invalidate() {
      held = [];
      isFetching = false;
      cancelRetry?.();
      cancelRetry = null;
      round += 1;
    },
    end() {
      isEnded = true;
      cancelRetry?.();
    },
  };
}

/** Adds a batch; past the limit the oldest is dropped. */
export function holdBatch(batches: Entries[], batch: Entries): void {
  batches.push(batch);
  if (batches.length > heldBatches) batches.shift();
}

async function snapshotOf(follower: Follower<Change>): Promise<number | null> {
  try {
    return await follower.resnapshot();
  } catch {
    return null;
  }
}

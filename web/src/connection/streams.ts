/**
 * The streams of this page, one cursor per subscriber. Batches of a stream without a subscriber are held for the next
 * one.
 */
import type { Entries } from '@tunemate/protocol';
import type { Unsubscribe } from '../store/cell.ts';
import type { Clock } from '../store/clock.ts';
import type { ChangeOf, Subscriber, StreamName } from './port.ts';

const unclaimedStreams = 8;
/** Batches held per stream. The oldest go first: the next one then shows a gap, and nothing is lost silently. */
const heldBatches = 256;
const snapshotRetryMs = 2000;

type Change = Entries['changes'][number];

export function createStreams(clock: Clock) {
  const cursors = new Map<string, ReturnType<typeof createStreamCursor>>();
  const unclaimed = new Map<string, Entries[]>();
  let isLive = false;

  function holdUnclaimed(batch: Entries): void {
    const batches = unclaimed.get(batch.stream) ?? [];
    holdBatch(batches, batch);
    unclaimed.set(batch.stream, batches);
    const oldest = unclaimed.keys().next();
    if (unclaimed.size > unclaimedStreams && !oldest.done) unclaimed.delete(oldest.value);
  }

  return {
    receive(batch: Entries): void {
      const cursor = cursors.get(batch.stream);
      if (cursor === undefined) holdUnclaimed(batch);
      else cursor.receive(batch);
    },

    subscribe<Stream extends StreamName>(stream: Stream, subscriber: Subscriber<ChangeOf<Stream>>): Unsubscribe {
      cursors.get(stream)?.end();
      // The server sends only changes of its own kind on each kind of stream.
      const cursor = createStreamCursor(subscriber as Subscriber<Change>, clock, () => isLive);
      cursors.set(stream, cursor);
      const early = unclaimed.get(stream) ?? [];
      unclaimed.delete(stream);
      for (const batch of early) cursor.receive(batch);
      return () => {
        cursor.end();
        if (cursors.get(stream) === cursor) cursors.delete(stream);
      };
    },

    connectionLost(): void {
      isLive = false;
      unclaimed.clear();
      for (const cursor of cursors.values()) cursor.invalidate();
    },

    /** Every subscriber needs a new snapshot. */
    connectionLive(): void {
      isLive = true;
      for (const cursor of cursors.values()) cursor.refresh();
    },
  };
}

/**
 * One subscriber's position in a stream: drops numbers that have passed, asks the subscriber for a new snapshot when one
 * is missing, and then applies the changes that arrived meanwhile.
 */
function createStreamCursor(subscriber: Subscriber<Change>, clock: Clock, isLive: () => boolean) {
  let seq = subscriber.fromSeq;
  /** Null while the subscriber's copy is complete; otherwise the batches that arrived since it is not. */
  let held: Entries[] | null = isLive() ? null : [];
  /** Counts requests for a snapshot, so that a late answer is recognised. */
  let round = 0;
  let isFetching = false;
  /** Set during the pause after a failed snapshot, in which arriving batches must not ask for another. */
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
      const number = batch.numbers?.[index] ?? (batch.to ?? batch.from) + index;
      if (number <= seq) continue;
      seq = number;
      subscriber.onChange(change, number);
      // The change may have ended the cursor or invalidated the copy.
      if (isEnded || held !== null) return;
    }
  }

  /** Asks the subscriber for a snapshot, if its copy is incomplete and none is on its way. */
  function refresh(): void {
    if (isEnded || held === null || isFetching || cancelRetry !== null || !isLive()) return;
    isFetching = true;
    round += 1;
    const asked = round;
    void snapshotOf(subscriber).then((snapshotSeq) => {
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
    /** After the connection is lost: drops held batches. */
    invalidate(): void {
      held = [];
      isFetching = false;
      cancelRetry?.();
      cancelRetry = null;
      round += 1;
    },
    end(): void {
      isEnded = true;
      cancelRetry?.();
    },
  };
}

function holdBatch(batches: Entries[], batch: Entries): void {
  batches.push(batch);
  if (batches.length > heldBatches) batches.shift();
}

async function snapshotOf(subscriber: Subscriber<Change>): Promise<number | null> {
  try {
    return await subscriber.resnapshot();
  } catch {
    return null;
  }
}

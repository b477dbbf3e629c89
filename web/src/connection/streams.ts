/**
 * The streams that somebody follows, one cursor each. Batches of a stream that nobody follows yet are held for its
 * follower. Knows nothing of sockets nor of what a change means.
 */
import type { Entries } from '@tunemate/protocol';
import type { Unsubscribe } from '../store/cell.ts';
import type { ChangeOf, Follower, StreamName } from './port.ts';
import type { Clock } from './ports.ts';
import { createStreamCursor, holdBatch, type Change, type StreamCursor } from './stream-cursor.ts';

const unclaimedStreams = 8;

export interface Streams {
  receive(batch: Entries): void;
  follow<Stream extends StreamName>(stream: Stream, follower: Follower<ChangeOf<Stream>>): Unsubscribe;
  /** The connection is lost: what is held is void, and no follower's copy is complete any more. */
  connectionLost(): void;
  /** A new connection is live: every follower needs a snapshot. */
  connectionLive(): void;
}

export function createStreams(clock: Clock): Streams {
  const cursors = new Map<string, StreamCursor>();
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
    receive(batch) {
      const cursor = cursors.get(batch.stream);
      if (cursor === undefined) holdUnclaimed(batch);
      else cursor.receive(batch);
    },

    follow<Stream extends StreamName>(stream: Stream, follower: Follower<ChangeOf<Stream>>) {
      cursors.get(stream)?.end();
      // The server sends only changes of its own kind on each kind of stream.
      const cursor = createStreamCursor(follower as Follower<Change>, clock, () => isLive);
      cursors.set(stream, cursor);
      const early = unclaimed.get(stream) ?? [];
      unclaimed.delete(stream);
      for (const batch of early) cursor.receive(batch);
      return () => {
        cursor.end();
        if (cursors.get(stream) === cursor) cursors.delete(stream);
      };
    },

    connectionLost() {
      isLive = false;
      unclaimed.clear();
      for (const cursor of cursors.values()) cursor.invalidate();
    },

    connectionLive() {
      isLive = true;
      for (const cursor of cursors.values()) cursor.refresh();
    },
  };
}

/**
 * One cursor per stream: numbers already passed are dropped, a missing one makes the follower fetch a fresh snapshot,
 * and what arrives meanwhile is held and applied after it. Knows nothing of sockets nor of what a change means.
 */
import type { Entries } from '@tunemate/protocol';
import type { Unsubscribe } from '../store/cell.ts';
import type { ChangeOf, Follower, StreamName } from './port.ts';
import type { Clock } from './ports.ts';

/** Batches held per stream. The oldest go first: the next one then shows a gap, and nothing is lost silently. */
const heldBatches = 256;
const unclaimedStreams = 8;
const snapshotRetryMs = 2000;

type Change = Entries['changes'][number];

interface Following {
  readonly follower: Follower<Change>;
  seq: number;
  /** Null while the copy is good; otherwise what arrived since it is not. */
  held: Entries[] | null;
  /** Rises with every snapshot asked for, so that an answer that came too late is known as such. */
  round: number;
  isFetching: boolean;
}

export interface Streams {
  receive(batch: Entries): void;
  follow<Stream extends StreamName>(stream: Stream, follower: Follower<ChangeOf<Stream>>): Unsubscribe;
  /** The line is gone: whatever is held is void, and no copy is good any more. */
  lineLost(): void;
  /** A new line is live: every follower needs a snapshot. */
  lineLive(): void;
}

export function createStreams(clock: Clock): Streams {
  const followings = new Map<string, Following>();
  const unclaimed = new Map<string, Entries[]>();
  let isLive = false;

  const isCurrent = (stream: string, following: Following): boolean => followings.get(stream) === following;

  function hold(list: Entries[], batch: Entries): void {
    list.push(batch);
    if (list.length > heldBatches) list.shift();
  }

  function holdUnclaimed(batch: Entries): void {
    const list = unclaimed.get(batch.stream) ?? [];
    hold(list, batch);
    unclaimed.set(batch.stream, list);
    const oldest = unclaimed.keys().next();
    if (unclaimed.size > unclaimedStreams && !oldest.done) unclaimed.delete(oldest.value);
  }

  function apply(stream: string, following: Following, batch: Entries): void {
    if (batch.from > following.seq + 1) {
      following.held = [batch];
      fetchSnapshot(stream, following);
      return;
    }
    for (const [index, change] of batch.changes.entries()) {
      const seq = batch.from + index;
      if (seq <= following.seq) continue;
      following.seq = seq;
      following.follower.onChange(change, seq);
      // A change may have made the follower leave, or ended the copy.
      if (!isCurrent(stream, following) || following.held !== null) return;
    }
  }

  function applyAll(stream: string, following: Following, batches: readonly Entries[]): void {
    for (const batch of batches) {
      if (!isCurrent(stream, following)) return;
      if (following.held !== null) hold(following.held, batch);
      else apply(stream, following, batch);
    }
  }

  async function resnapshot(follower: Follower<Change>): Promise<number | null> {
    return follower.resnapshot();
  }

  function fetchSnapshot(stream: string, following: Following): void {
    if (following.isFetching || !isLive) return;
    following.isFetching = true;
    following.round += 1;
    const { round } = following;
    void resnapshot(following.follower)
      .catch((): null => null)
      .then((seq) => {
        if (!isCurrent(stream, following) || round !== following.round) return;
        following.isFetching = false;
        if (seq === null) {
          clock.schedule(() => {
            if (isCurrent(stream, following) && following.held !== null) fetchSnapshot(stream, following);
          }, snapshotRetryMs);
          return;
        }
        const held = following.held ?? [];
        following.seq = seq;
        following.held = null;
        applyAll(stream, following, held);
      });
  }

  return {
    receive(batch) {
      const following = followings.get(batch.stream);
      if (following === undefined) holdUnclaimed(batch);
      else if (following.held === null) apply(batch.stream, following, batch);
      else {
        hold(following.held, batch);
        fetchSnapshot(batch.stream, following);
      }
    },

    follow<Stream extends StreamName>(stream: Stream, follower: Follower<ChangeOf<Stream>>) {
      const following: Following = {
        // The server sends only changes of its own kind on each kind of stream.
        follower: follower as Follower<Change>,
        seq: follower.fromSeq,
        held: isLive ? null : [],
        round: 0,
        isFetching: false,
      };
      followings.set(stream, following);
      const early = unclaimed.get(stream) ?? [];
      unclaimed.delete(stream);
      applyAll(stream, following, early);
      return () => {
        if (isCurrent(stream, following)) followings.delete(stream);
      };
    },

    lineLost() {
      isLive = false;
      unclaimed.clear();
      for (const following of followings.values()) {
        following.held = [];
        following.isFetching = false;
        following.round += 1;
      }
    },

    lineLive() {
      isLive = true;
      for (const [stream, following] of followings) if (following.held !== null) fetchSnapshot(stream, following);
    },
  };
}

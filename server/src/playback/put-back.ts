/** Decides whose a track is that the host removes from the queue and puts back. Pure. */
import { withThumbnail } from '@tunemate/domain';
import type { Queue } from '@tunemate/playback';
import type { NamedTrack, PlaybackChange, QueuedTrack } from '@tunemate/protocol';

interface BeforeChange {
  readonly queue: Queue<QueuedTrack>;
  /** A guest's track that the host removed last. */
  readonly removed?: QueuedTrack | undefined;
}

/** The guest's track that was removed last, after one more change; undefined once it is back. */
export function removedAfter({ queue, removed }: BeforeChange, change: PlaybackChange): QueuedTrack | undefined {
  if (change.type !== 'playback/queueChanged') return removed;
  const { edit } = change;
  if (edit.type === 'removed') {
    const track = queue.videoQueue[edit.index];
    return track?.proposedBy === undefined ? removed : track;
  }
  const isBack = (edit.type === 'added' || edit.type === 'inserted') && edit.track.videoId === removed?.videoId;
  return isBack ? undefined : removed;
}

/** A track that the host adds: the one removed last is still of the guest who proposed it. */
export function addedByHost({ removed }: BeforeChange, named: NamedTrack): QueuedTrack {
  const track = withThumbnail(named);
  const proposedBy = removed?.videoId === track.videoId ? removed.proposedBy : undefined;
  return proposedBy === undefined ? track : { ...track, proposedBy };
}

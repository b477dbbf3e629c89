/**
 * What follows a change of what a room plays once it is committed, and nothing of a write that the database undid.
 */
import { isSameStart, type Timeline } from '@tunemate/playback';
import type { Writing } from '../storage/record.ts';
import type { RoomRef } from '../storage/schema.ts';
import type { LoadBarrier } from './load-barrier.ts';
import type { PlaybackState } from './playback-document.ts';
import type { Moment } from './playback-intents.ts';
import type { TrackEnds } from './track-ends.ts';

export interface Following {
  barrier: Pick<LoadBarrier, 'hold'>;
  trackEnds: Pick<TrackEnds, 'watch'>;
}

/** A start that waits for players until a latest moment. */
interface Hold {
  untilMs: number;
  players: readonly { connectionId: string }[];
}

/** After the commit the end of the track is watched, and a start that waits is held. */
export function follow(
  { trackEnds, barrier }: Following,
  writing: Writing,
  { kind, roomId }: RoomRef,
  after: PlaybackState,
  hold: Hold | null,
): void {
  const room = { kind, roomId };
  writing.afterCommit(() => {
    trackEnds.watch(room, after);
    if (hold === null) return;
    const waitsFor = hold.players.map(({ connectionId }) => connectionId);
    barrier.hold({ room, heldUntilMs: hold.untilMs }, after.timeline.revision, waitsFor);
  });
}

/** The latest start of a new track, which waits until everybody has loaded it; null when the change holds no start. */
export function startHeldUntil(
  before: Timeline,
  after: Timeline,
  { nowMs, loadMs }: Pick<Moment, 'nowMs' | 'loadMs'>,
): number | null {
  const isHeld = after.isPlaying && !isSameStart(after, before) && after.atServerMs === nowMs + loadMs;
  return isHeld ? after.atServerMs : null;
}

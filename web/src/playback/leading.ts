/**
 * What the host's controlling tab publishes about its own player. Pure.
 */
import type { LeaderIntent, PlayerSnapshot } from '@tunemate/playback';
import { positionOf, type NowPlaying } from './now-playing.ts';

/** A timeline that differs from the published one by less than this is not published again. */
const SAME_LINE_SECONDS = 0.05;
/** A length this close to the known one is the same length. */
const SAME_DURATION_SECONDS = 1;

type Anchor = Extract<LeaderIntent, { type: 'reanchor' }>;

/** Whether the room is where the host's player was seen anyway, so that there is nothing to publish. */
export function isThere({ positionSeconds, atServerMs }: Anchor, playing: NowPlaying): boolean {
  return Math.abs(positionSeconds - positionOf(playing, atServerMs)) < SAME_LINE_SECONDS;
}

/** How long the current track is, when the player knows it and the room does not. */
export function measuredDuration(playing: NowPlaying, player: PlayerSnapshot): number | null {
  const isLoaded = player.phase === 'paused' || player.phase === 'playing';
  if (!isLoaded || player.durationSeconds === null || playing.track === null) return null;
  const known = playing.durationSeconds;
  const isNews = known === null || Math.abs(known - player.durationSeconds) > SAME_DURATION_SECONDS;
  return isNews ? player.durationSeconds : null;
}

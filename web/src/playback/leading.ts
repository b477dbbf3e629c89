/**
 * What the host's controlling tab publishes about its own player, translated for the wire. Pure.
 */
import { MAX_LEAD_MS, type LeaderIntent, type PlayerSnapshot, type Timeline } from '@tunemate/playback';
import { positionOf, type NowPlaying } from './now-playing.ts';

/** A line that agrees with the published one to within this is not published again: it would move everybody for nothing. */
const SAME_LINE_SECONDS = 0.05;
/** A length this close to the known one is the same length. */
const SAME_DURATION_SECONDS = 1;

type Anchor = Extract<LeaderIntent, { type: 'reanchor' }>;

/**
 * The position to publish for a moment of server time, in seconds; null when the room is there anyway.
 * While it plays, the music has moved on by then.
 */
export function anchorFor(intent: Anchor, playing: NowPlaying, effectiveAtMs: number): number | null {
  const movedSeconds = playing.timeline.isPlaying ? (effectiveAtMs - intent.atServerMs) / 1000 : 0;
  const currentTime = Math.max(0, intent.positionSeconds + movedSeconds);
  return Math.abs(currentTime - positionOf(playing, effectiveAtMs)) < SAME_LINE_SECONDS ? null : currentTime;
}

/**
 * True when a start waits until players have loaded the track: another track, or a start further ahead than any
 * command's own lead. `serverMs` is NaN while the clock is unknown.
 */
export function isStartAwaited(before: Timeline, now: Timeline, serverMs: number): boolean {
  if (!now.isPlaying || now.trackKey === null || now.revision === before.revision) return false;
  return now.trackKey !== before.trackKey || now.atServerMs - serverMs > MAX_LEAD_MS;
}

/** How long the current track is, when the player knows it and the room does not. */
export function measuredDuration(playing: NowPlaying, player: PlayerSnapshot): number | null {
  const isLoaded = player.phase === 'paused' || player.phase === 'playing';
  if (!isLoaded || player.durationSeconds === null || playing.track === null) return null;
  const known = playing.durationSeconds;
  const isNews = known === null || Math.abs(known - player.durationSeconds) > SAME_DURATION_SECONDS;
  return isNews ? player.durationSeconds : null;
}

/**
 * What the host's controlling tab publishes about its own player. Pure.
 */
import { liveLagSeconds, type LeaderIntent, type PlayerSnapshot } from '@tunemate/playback';
import { isLibraryId, limits, type PlaybackIntent } from '@tunemate/protocol';
import { positionOf, type NowPlaying } from './now-playing.ts';

/** A timeline that differs from the published one by less than this is not published again. */
const sameLineSeconds = 0.05;
/** A length this close to the known one is the same length. */
const sameDurationSeconds = 1;

type Anchor = Extract<LeaderIntent, { type: 'reanchor' }>;

/** Whether the room is where the host's player was seen anyway, so that there is nothing to publish. */
export function isThere({ positionSeconds, atServerMs }: Anchor, playing: NowPlaying): boolean {
  return Math.abs(positionSeconds - positionOf(playing, atServerMs)) < sameLineSeconds;
}

/** What the room can learn from this player about its track; null for nothing. The time is NaN while it is unknown. */
export function learnedOf(playing: NowPlaying, player: PlayerSnapshot, updatedAt: number): PlaybackIntent | null {
  const { revision } = playing.timeline;
  const currentTime = liveStart(playing, player);
  if (currentTime !== null && !Number.isNaN(updatedAt)) return { type: 'reanchor', revision, currentTime, updatedAt };
  const measured = measuredDuration(playing, player);
  if (measured !== null) return { type: 'measured', revision, ...measured };
  const title = learnedTitle(playing, player);
  return title === null ? null : { type: 'named', revision, title };
}

/** How long the current track is, when the player knows it and the room does not; null within for a live stream. */
function measuredDuration(
  playing: NowPlaying,
  player: PlayerSnapshot,
): { readonly durationSeconds: number | null } | null {
  if (!isLoaded(player) || playing.track === null) return null;
  const known = playing.durationSeconds;
  if (isLive(player)) return known === null ? null : { durationSeconds: null };
  const { durationSeconds } = player;
  if (durationSeconds === null || durationSeconds > limits.maxDurationSeconds) return null;
  const isNews = known === null || Math.abs(known - durationSeconds) > sameDurationSeconds;
  return isNews ? { durationSeconds } : null;
}

/** What the current track is called, when its player knows it and nobody has named it: then it is called by its id. */
function learnedTitle({ track }: NowPlaying, { title = null }: PlayerSnapshot): string | null {
  const isUnnamed = track !== null && track.title === track.videoId && !isLibraryId(track.videoId);
  return isUnnamed && title !== track.videoId ? title : null;
}

/** Where a live stream begins for the room: now, or as near to it as everybody's device has the data. Null once it has begun. */
function liveStart({ timeline }: NowPlaying, player: PlayerSnapshot): number | null {
  const edgeSeconds = player.liveEdgeSeconds ?? null;
  const isAtBeginning = timeline.isPlaying && timeline.positionSeconds === 0;
  if (edgeSeconds === null || player.phase !== 'playing' || !isAtBeginning) return null;
  return Math.max(1, edgeSeconds - liveLagSeconds);
}

const isLive = ({ liveEdgeSeconds = null }: PlayerSnapshot): boolean => liveEdgeSeconds !== null;
const isLoaded = ({ phase }: PlayerSnapshot): boolean => phase === 'paused' || phase === 'playing';

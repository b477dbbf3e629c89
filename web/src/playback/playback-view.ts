/**
 * What a room's playback looks like from one tab: the room's state, who holds control, and the host's own intents that
 * are still on their way. Pure.
 */
import {
  currentItem,
  type LeaderIntent,
  liveLagSeconds,
  type PlayerSnapshot,
  positionAt,
  type RoomPlayback,
  type Timeline,
} from '@tunemate/playback';
import {
  type AfterTrack,
  isLibraryId,
  limits,
  type PlaybackIntent,
  type QueuedTrack,
  type Refusal,
  type Track,
} from '@tunemate/protocol';

export interface PlaybackView {
  readonly playing: NowPlaying;
  readonly control: Control;
  /** The host's intent that is still on its way: shown at once, forgotten when the room answers. */
  readonly optimisticPlaying: boolean | null;
  readonly optimisticPositionSeconds: number | null;
}

/** Worth a sentence to the person at this tab. */
export type PlaybackNotice =
  | { readonly type: 'refused'; readonly refusal: Refusal }
  | { readonly type: 'track-failed'; readonly title: string; readonly code: string };

/** The view of what was just received: no intent outlives the room's answer. */
export function viewOf(playback: RoomPlayback<QueuedTrack>, isHost: boolean, tabId: string): PlaybackView {
  const playing = nowPlaying(playback);
  const control = controlOf(isHost, tabId, playing.controller);
  return { playing, control, optimisticPlaying: null, optimisticPositionSeconds: null };
}

/** Whether the music plays, as the person at this tab should see it. */
export function isShownPlaying({ playing, optimisticPlaying }: PlaybackView): boolean {
  return optimisticPlaying ?? playing.timeline.isPlaying;
}

/** What a room plays. */
interface NowPlaying {
  /** Which track, when and whether: what the follower works with. */
  readonly timeline: Timeline;
  /** Null before the first choice. */
  readonly track: Track | null;
  /** The track's title, or that nothing was chosen yet. */
  readonly title: string;
  /** Seconds; null while nobody knows. */
  readonly durationSeconds: number | null;
  /** The host's tab that holds control; null until one takes it. */
  readonly controller: string | null;
  readonly queue: readonly QueuedTrack[];
  /** Place of the current track in `queue`. */
  readonly currentIndex: number;
  readonly afterTrack: AfterTrack;
}

/** Shown before anything was chosen. */
const nothingSelected = 'No music selected';

/** Reads this tab's copy of a room's playback. */
export function nowPlaying({ timeline, queue, controller, afterTrack }: RoomPlayback<QueuedTrack>): NowPlaying {
  const track = currentItem(queue);
  return {
    timeline,
    track,
    title: track?.title ?? nothingSelected,
    durationSeconds: track?.durationSeconds ?? null,
    controller,
    queue: queue.videoQueue,
    currentIndex: queue.currentIndex,
    afterTrack,
  };
}

/** Where the room is at a moment of server time, in seconds. */
export function positionOf(playing: NowPlaying, serverMs: number): number {
  return positionAt(playing.timeline, serverMs, playing.durationSeconds ?? undefined);
}

/** 'guest': not the host's tab at all. 'free': nobody holds control yet. */
export type Control = 'guest' | 'free' | 'mine' | 'elsewhere';

/** Reads the holder of control from the playback document. */
function controlOf(isHost: boolean, tabId: string, controller: string | null): Control {
  if (!isHost) return 'guest';
  if (controller === null) return 'free';
  return controller === tabId ? 'mine' : 'elsewhere';
}

// What the host's controlling tab publishes about its own player.

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

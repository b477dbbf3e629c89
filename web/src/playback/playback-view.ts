/**
 * A room's playback as one tab shows it: the room's state, the holder of control, and the host's own intents that the
 * server has not confirmed. Pure.
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
  type NamedTrack,
  type PlaybackChange,
  type PlaybackIntent,
  type QueuedTrack,
  type Refusal,
  type Track,
} from '@tunemate/protocol';
import { t } from '../language/t.ts';

export interface PlaybackView {
  readonly playing: NowPlaying;
  readonly control: Control;
  /** The host's unconfirmed intent: shown at once, dropped with the room's next change. */
  readonly optimisticPlaying: boolean | null;
  readonly optimisticPositionSeconds: number | null;
}

/** Shown as a message on this tab. */
export type PlaybackNotice =
  | { readonly type: 'refused'; readonly refusal: Refusal }
  | ActedNotice
  | { readonly type: 'track-failed'; readonly title: string; readonly code: string };

/**
 * Another person who holds the remote pressed. `isFirst`: a moment before a press on this page, which counts for nothing.
 */
export interface ActedNotice {
  readonly type: 'acted';
  readonly by: string;
  readonly before: NowPlaying;
  readonly after: NowPlaying;
  readonly change: PlaybackChange;
  readonly isFirst: boolean;
}

/** The protocol rejects the other fields of search results and queued tracks. */
export function named({ videoId, title, durationSeconds, startSeconds }: NamedTrack): NamedTrack {
  return { videoId, title, durationSeconds, ...(startSeconds !== undefined && { startSeconds }) };
}

/** What a person is to what the room plays; a guest with the 'remote' presses as the host does. */
export type Part = 'host' | 'remote' | 'guest';

/** The view of a received copy: drops all unconfirmed intents. */
export function viewOf(playback: RoomPlayback<QueuedTrack>, part: Part, tabId: string): PlaybackView {
  const playing = nowPlaying(playback);
  const control = controlOf(part, tabId, playing.controller);
  return { playing, control, optimisticPlaying: null, optimisticPositionSeconds: null };
}

export function isShownPlaying({ playing, optimisticPlaying }: PlaybackView): boolean {
  return optimisticPlaying ?? playing.timeline.isPlaying;
}

export interface NowPlaying {
  readonly timeline: Timeline;
  /** Null before the first choice. */
  readonly track: Track | null;
  /** The track's title, or that nothing was chosen yet. */
  readonly title: string;
  /** Seconds; null while unknown. */
  readonly durationSeconds: number | null;
  /** The host's tab that holds control; null until one takes it. */
  readonly controller: string | null;
  readonly queue: readonly QueuedTrack[];
  readonly currentIndex: number;
  readonly afterTrack: AfterTrack;
  /** Who pressed last; null while the host alone may. */
  readonly by: string | null;
}

const nothingSelected = t`No music selected`;

export function nowPlaying({ timeline, queue, controller, afterTrack, by }: RoomPlayback<QueuedTrack>): NowPlaying {
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
    by: by ?? null,
  };
}

/** The room's position at this server time, in seconds. */
export function positionOf(playing: NowPlaying, serverMs: number): number {
  return positionAt(playing.timeline, serverMs, playing.durationSeconds ?? undefined);
}

/** 'guest' and 'remote': not the host's tab; with the remote it presses all the same. 'free': no tab holds control. */
export type Control = 'guest' | 'remote' | 'free' | 'mine' | 'elsewhere';

/** Whether presses of this tab count. */
export const mayPress = ({ control }: Pick<PlaybackView, 'control'>): boolean =>
  control === 'mine' || control === 'remote';

function controlOf(part: Part, tabId: string, controller: string | null): Control {
  if (part !== 'host') return part;
  if (controller === null) return 'free';
  return controller === tabId ? 'mine' : 'elsewhere';
}

/** A smaller difference from the published timeline is not published. */
const sameLineSeconds = 0.05;
/** Durations that differ by less are the same. */
const sameDurationSeconds = 1;

type Anchor = Extract<LeaderIntent, { type: 'reanchor' }>;

/** Whether the room is already where the host's player was seen. */
export function isThere({ positionSeconds, atServerMs }: Anchor, playing: NowPlaying): boolean {
  return Math.abs(positionSeconds - positionOf(playing, atServerMs)) < sameLineSeconds;
}

/** What this player knows about its track and the room does not; null for nothing. `updatedAt` is NaN while unknown. */
export function trackFactsOf(playing: NowPlaying, player: PlayerSnapshot, updatedAt: number): PlaybackIntent | null {
  const { revision } = playing.timeline;
  const currentTime = liveStart(playing, player);
  if (currentTime !== null && !Number.isNaN(updatedAt)) return { type: 'reanchor', revision, currentTime, updatedAt };
  const measured = measuredDuration(playing, player);
  if (measured !== null) return { type: 'measured', revision, ...measured };
  const title = playerTitle(playing, player);
  return title === null ? null : { type: 'named', revision, title };
}

/** The length of the current track, if new to the room; `durationSeconds` is null for a live stream. */
function measuredDuration(
  playing: NowPlaying,
  player: PlayerSnapshot,
): { readonly durationSeconds: number | null } | null {
  if (!isLoaded(player) || playing.track === null) return null;
  const known = playing.durationSeconds;
  if (isLive(player)) return known === null ? null : { durationSeconds: null };
  const { durationSeconds } = player;
  if (durationSeconds === null || durationSeconds > limits.maxDurationSeconds) return null;
  const isNew = known === null || Math.abs(known - durationSeconds) > sameDurationSeconds;
  return isNew ? { durationSeconds } : null;
}

/** The title of a track without one (its id stands in for it), if the player knows it. */
function playerTitle({ track }: NowPlaying, { title = null }: PlayerSnapshot): string | null {
  const isUnnamed = track !== null && track.title === track.videoId && !isLibraryId(track.videoId);
  return isUnnamed && title !== track.videoId ? title : null;
}

/**
 * The start of a live stream for the room: close to its edge, but where every device has the data. Null once it has
 * started.
 */
function liveStart({ timeline }: NowPlaying, player: PlayerSnapshot): number | null {
  const edgeSeconds = player.liveEdgeSeconds ?? null;
  const isAtBeginning = timeline.isPlaying && timeline.positionSeconds === 0;
  if (edgeSeconds === null || player.phase !== 'playing' || !isAtBeginning) return null;
  return Math.max(1, edgeSeconds - liveLagSeconds);
}

const isLive = ({ liveEdgeSeconds = null }: PlayerSnapshot): boolean => liveEdgeSeconds !== null;
const isLoaded = ({ phase }: PlayerSnapshot): boolean => phase === 'paused' || phase === 'playing';

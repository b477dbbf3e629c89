/**
 * What a room's playback looks like from one tab: the room's state, who holds control, and the host's own intents that
 * are still on their way. Pure.
 */
import type { RoomPlayback } from '@tunemate/playback';
import type { QueuedTrack, Refusal } from '@tunemate/protocol';
import { controlOf, type Control } from './control.ts';
import { nowPlaying, type NowPlaying } from './now-playing.ts';

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

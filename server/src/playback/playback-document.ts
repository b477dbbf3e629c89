/**
 * Converts what a room plays into the stored document of its kind, and decides what changes when the host wants
 * something. Pure; the only place of the server that knows both kinds' documents.
 */
import { roomRules, withThumbnail } from '@tunemate/domain';
import {
  anchorTo,
  applyPlaybackChange,
  changeTrack,
  currentItem,
  editQueue,
  holdTimeline,
  jumpTo,
  next,
  pause,
  play,
  playheadOf,
  positionAt,
  previous,
  type Queue,
  type QueueEdit,
  republish,
  rewind,
  type RoomPlayback,
  seek,
  type Timeline,
} from '@tunemate/playback';
import {
  type AudioPlayback,
  isLibraryId,
  limits,
  type NamedTrack,
  type PlaybackChange,
  type PlaybackDocument,
  type PlaybackIntent,
  type RoomKind,
  type Track,
  type VideoPlayback,
  type Result,
} from '@tunemate/protocol';
import { accept, refuse } from '../ports.ts';

/** What a room plays, free of its kind: the queue of an audio room holds at most its one track. */
export type PlaybackState = RoomPlayback<Track>;

/** A room in which nothing was chosen yet: not playing, at time 0. */
export function emptyPlayback(nowMs: number): PlaybackState {
  return {
    timeline: { revision: 0, trackKey: null, isPlaying: false, positionSeconds: 0, atServerMs: nowMs },
    queue: { videoQueue: [], currentIndex: 0 },
    controller: null,
  };
}

/** The document of this state, with the field names of the protocol. */
export function toDocument(kind: RoomKind, state: PlaybackState): PlaybackDocument {
  return writers[kind](state);
}

function commonFields({ timeline, queue, controller }: PlaybackState) {
  return {
    revision: timeline.revision,
    isPlaying: timeline.isPlaying,
    currentTime: timeline.positionSeconds,
    updatedAt: timeline.atServerMs,
    durationSeconds: currentItem(queue)?.durationSeconds ?? null,
    controller,
  };
}

const writers: Record<RoomKind, (state: PlaybackState) => PlaybackDocument> = {
  video: (state): VideoPlayback => {
    const track = currentItem(state.queue);
    return {
      kind: 'video',
      ...commonFields(state),
      currentVideoId: track?.videoId ?? null,
      currentVideoTitle: track?.title ?? roomRules.video.initialTitle,
      currentIndex: state.queue.currentIndex,
      videoQueue: [...state.queue.videoQueue],
    };
  },
  audio: (state): AudioPlayback => {
    const track = currentItem(state.queue);
    return {
      kind: 'audio',
      ...commonFields(state),
      videoId: track?.videoId ?? null,
      audioUrl: track && isLibraryId(track.videoId) ? `/media/${track.videoId}` : '',
      title: track?.title ?? roomRules.audio.initialTitle,
      thumbnail: track?.thumbnail ?? null,
    };
  },
};

export interface Moment {
  nowMs: number;
  /** How far ahead a command takes effect, so that all start together. */
  leadMs: number;
  /** How far ahead a newly loaded track starts at the latest; the load barrier usually releases it earlier. */
  loadMs: number;
}

/** The change, null when nothing changes, or why the intent is refused. */
type Applied = Result<PlaybackChange | null>;

const unchanged = accept(null);

/** What changes when the host wants `intent`. */
export function applyIntent(kind: RoomKind, state: PlaybackState, intent: PlaybackIntent, moment: Moment): Applied {
  const { nowMs, leadMs } = moment;
  const { timeline, queue } = state;
  const duration = currentItem(queue)?.durationSeconds ?? undefined;
  const at = (moved: Timeline): Applied => moveTo(moved, queue);
  const needsQueue = queueIntents.has(intent.type) && !roomRules[kind].hasQueue;
  if (needsQueue) return refuse('input/invalid');
  const isStale = 'revision' in intent && intent.revision !== timeline.revision;
  if (isStale) return unchanged;
  switch (intent.type) {
    case 'play':
      return timeline.trackKey === null || timeline.isPlaying ? unchanged : at(playFrom(timeline, duration, moment));
    case 'pause':
      return timeline.isPlaying ? at(pause(timeline, nowMs, leadMs, duration)) : unchanged;
    case 'seek':
      if (timeline.trackKey === null) return unchanged;
      return at(seek(timeline, intent.currentTime, nowMs, timeline.isPlaying ? leadMs : 0, duration));
    case 'reanchor':
      if (timeline.trackKey === null) return unchanged;
      if (Math.abs(nowMs - intent.updatedAt) > freshMs) return unchanged;
      return at(anchorTo(timeline, seenBy(intent), timeline.isPlaying ? nowMs + leadMs : nowMs, duration));
    case 'republish': {
      const again = republish(timeline, nowMs);
      return again === null ? unchanged : at(again);
    }
    case 'hold':
      return timeline.isPlaying ? at(holdTimeline(timeline, intent.currentTime, nowMs)) : unchanged;
    case 'measured':
      return measured(state, intent.durationSeconds);
    case 'named':
      return named(state, intent.title);
    case 'ended':
      return atEnd(kind, state, moment);
    case 'choose':
      return chosen(kind, state, intent.track, moment);
    case 'next':
      return turnTo(state, next(queue), moment);
    case 'previous':
      return turnTo(state, previous(queue), moment);
    case 'jump':
      if (intent.currentIndex >= queue.videoQueue.length) return refuse('input/invalid');
      return turnTo(state, jumpTo(queue, intent.currentIndex), moment);
    case 'enqueue':
      if (queue.videoQueue.length >= limits.queueItems) return refuse('playback/queue-full');
      return enqueued(state, intent.track, moment);
    case 'remove':
      if (queue.videoQueue[intent.index]?.videoId !== intent.videoId) return unchanged;
      return edited(state, { type: 'removed', index: intent.index }, moment);
    case 'move':
      if (queue.videoQueue[intent.from]?.videoId !== intent.videoId) return unchanged;
      if (intent.to >= queue.videoQueue.length) return refuse('input/invalid');
      return edited(state, { type: 'moved', from: intent.from, to: intent.to }, moment);
  }
}

/** What will play after the end of what plays; null where nothing starts by itself. */
export function afterEnd(kind: RoomKind, state: PlaybackState): string | null {
  const ended = atEnd(kind, state, { nowMs: 0, leadMs: 0, loadMs: 0 });
  if (!ended.ok || ended.value === null) return null;
  const received = applyPlaybackChange(state, ended.value);
  if (received.status !== 'applied') return null;
  const { timeline } = received.playback;
  return timeline.isPlaying ? timeline.trackKey : null;
}

/** How long the current track is; null while nobody knows. */
export function durationOf({ queue }: PlaybackState): number | null {
  return currentItem(queue)?.durationSeconds ?? null;
}

/** A report of the host's player that is older than this is ignored. */
const freshMs = 10_000;

const seenBy = ({ currentTime, updatedAt }: Extract<PlaybackIntent, { type: 'reanchor' }>) => ({
  positionSeconds: currentTime,
  atServerMs: updatedAt,
});

const queueIntents = new Set<PlaybackIntent['type']>(['next', 'previous', 'jump', 'enqueue', 'remove', 'move']);

/** Play after the end starts from the beginning. */
function playFrom(timeline: Timeline, duration: number | undefined, { nowMs, leadMs }: Moment): Timeline {
  const isAtEnd = duration !== undefined && positionAt(timeline, nowMs) >= duration;
  return play(isAtEnd ? { ...timeline, positionSeconds: 0 } : timeline, nowMs, leadMs);
}

function moveTo(timeline: Timeline, { currentIndex }: Queue): Applied {
  return accept({ type: 'playback/moved', ...playheadOf(timeline, currentIndex) });
}

function edit(timeline: Timeline, { currentIndex }: Queue, how: QueueEdit<Track>): Applied {
  return accept({ type: 'playback/queueChanged', ...playheadOf(timeline, currentIndex), edit: how });
}

/** Another item becomes current and, if it is to play, starts once it is loaded; an empty queue stops the music. */
function turned({ timeline }: PlaybackState, queue: Queue, { nowMs, loadMs }: Moment, isPlaying = true): Timeline {
  const trackKey = currentItem(queue)?.videoId ?? null;
  return changeTrack(timeline, trackKey, nowMs, isPlaying ? loadMs : 0, { isPlaying });
}

function turnTo(state: PlaybackState, queue: Queue<Track>, moment: Moment): Applied {
  if (!currentItem(queue) && state.timeline.trackKey === null) return unchanged;
  return moveTo(turned(state, queue, moment), queue);
}

function chosen(kind: RoomKind, state: PlaybackState, named: NamedTrack, moment: Moment): Applied {
  const track = withThumbnail(named);
  const { hasQueue } = roomRules[kind];
  const isQueued = state.queue.videoQueue.some((queued) => queued.videoId === track.videoId);
  const isFull = hasQueue && !isQueued && state.queue.videoQueue.length >= limits.queueItems;
  if (isFull) return refuse('playback/queue-full');
  const how: QueueEdit<Track> = { type: hasQueue ? 'chosen' : 'replaced', track };
  const queue = editQueue(state.queue, how);
  return edit(turned(state, queue, moment), queue, how);
}

/** Adding to an empty queue cues the first item without starting it. */
function enqueued(state: PlaybackState, named: NamedTrack, moment: Moment): Applied {
  const how: QueueEdit<Track> = { type: 'added', track: withThumbnail(named) };
  const queue = editQueue(state.queue, how);
  const isFirst = state.timeline.trackKey === null;
  return edit(isFirst ? turned(state, queue, moment, false) : untouched(state), queue, how);
}

/** The queue changed around what plays; only removing the current item changes the track, and starts nothing. */
function edited(state: PlaybackState, how: QueueEdit<Track>, moment: Moment): Applied {
  const queue = editQueue(state.queue, how);
  const isSameTrack = currentItem(queue) === currentItem(state.queue);
  return edit(isSameTrack ? untouched(state) : turned(state, queue, moment, state.timeline.isPlaying), queue, how);
}

function atEnd(kind: RoomKind, state: PlaybackState, moment: Moment): Applied {
  if (roomRules[kind].atEndOfTrack === 'next') return turnTo(state, next(state.queue), moment);
  return moveTo(rewind(state.timeline, moment.nowMs), state.queue);
}

function measured(state: PlaybackState, durationSeconds: number | null): Applied {
  const { queue } = state;
  if (!currentItem(queue)) return unchanged;
  return edit(untouched(state), queue, { type: 'measured', index: queue.currentIndex, durationSeconds });
}

/** Names only a video whose title is its id: without a key the title is known when a player has loaded it. */
function named(state: PlaybackState, title: string): Applied {
  const { queue } = state;
  const track = currentItem(queue);
  if (!track || isLibraryId(track.videoId) || track.title !== track.videoId) return unchanged;
  return edit(untouched(state), queue, { type: 'named', index: queue.currentIndex, title });
}

/** The same timeline under the next revision. */
function untouched({ timeline }: PlaybackState): Timeline {
  return { ...timeline, revision: timeline.revision + 1 };
}

/**
 * The spec's playback documents and the engine's timeline: mapped here, once per kind, and nowhere else on the server.
 * Pure: what becomes of a document when the host wants something.
 */
import { roomRules } from '@tunemate/domain';
import {
  addAtEnd,
  anchorTo,
  changeTrack,
  currentItem,
  holdTimeline,
  jumpTo,
  move,
  next,
  pause,
  play,
  positionAt,
  previous,
  type Queue,
  removeAt,
  republish,
  rewind,
  seek,
  startAtHead,
  type Timeline,
} from '@tunemate/playback';
import {
  type AudioPlayback,
  type ErrorCode,
  isLibraryId,
  limits,
  type PlaybackDocument,
  type PlaybackIntent,
  type RoomKind,
  type Track,
  type VideoPlayback,
} from '@tunemate/protocol';

/** What a room plays, free of its kind: the queue of an audio room holds at most its one track. */
export interface PlaybackState {
  timeline: Timeline;
  queue: Queue<Track>;
  controller: PlaybackDocument['controller'];
}

/** A room in which nothing was chosen yet (spec §4: not playing, time 0). */
export function emptyPlayback(kind: RoomKind, nowMs: number): PlaybackDocument {
  const timeline = { revision: 0, trackKey: null, isPlaying: false, positionSeconds: 0, atServerMs: nowMs };
  return toDocument(kind, { timeline, queue: { videoQueue: [], currentIndex: 0 }, controller: null });
}

/** The document of this state, with the spec's field names. */
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

/** Reads a document back. */
export function toState(document: PlaybackDocument): PlaybackState {
  const queue = 'videoQueue' in document ? queueOfVideo(document) : queueOfAudio(document);
  const timeline = {
    revision: document.revision,
    trackKey: currentItem(queue)?.videoId ?? null,
    isPlaying: document.isPlaying,
    positionSeconds: document.currentTime,
    atServerMs: document.updatedAt,
  };
  return { timeline, queue, controller: document.controller };
}

function queueOfVideo({ videoQueue, currentIndex }: VideoPlayback): Queue<Track> {
  return { videoQueue, currentIndex };
}

function queueOfAudio({ videoId, title, thumbnail, durationSeconds }: AudioPlayback): Queue<Track> {
  const videoQueue = videoId ? [{ videoId, title, thumbnail, durationSeconds }] : [];
  return { videoQueue, currentIndex: 0 };
}

export interface Moment {
  nowMs: number;
  /** How far ahead a command takes effect, so that all start together. */
  leadMs: number;
  /** How far ahead a newly loaded track starts at the latest; the load barrier usually releases it earlier. */
  loadMs: number;
}

export type Applied = { state: PlaybackState } | { refusal: ErrorCode } | { unchanged: true };

/** What becomes of the state when the host wants `intent`. */
export function applyIntent(kind: RoomKind, state: PlaybackState, intent: PlaybackIntent, moment: Moment): Applied {
  const { nowMs, leadMs } = moment;
  const { timeline, queue } = state;
  const duration = currentItem(queue)?.durationSeconds ?? undefined;
  const at = (changed: Timeline): Applied => ({ state: { ...state, timeline: changed } });
  const needsQueue = queueIntents.has(intent.type) && !roomRules[kind].hasQueue;
  if (needsQueue) return { refusal: 'input/invalid' };
  const isStale = 'revision' in intent && intent.revision !== timeline.revision;
  if (isStale) return { unchanged: true };
  switch (intent.type) {
    case 'play':
      return timeline.trackKey === null || timeline.isPlaying
        ? { unchanged: true }
        : at(playFrom(timeline, duration, moment));
    case 'pause':
      return timeline.isPlaying ? at(pause(timeline, nowMs, leadMs, duration)) : { unchanged: true };
    case 'seek':
      if (timeline.trackKey === null) return { unchanged: true };
      return at(seek(timeline, intent.currentTime, nowMs, timeline.isPlaying ? leadMs : 0, duration));
    case 'reanchor':
      if (timeline.trackKey === null) return { unchanged: true };
      if (Math.abs(nowMs - intent.updatedAt) > freshMs) return { unchanged: true };
      return at(anchorTo(timeline, seenBy(intent), timeline.isPlaying ? nowMs + leadMs : nowMs, duration));
    case 'republish': {
      const again = republish(timeline, nowMs);
      return again === null ? { unchanged: true } : at(again);
    }
    case 'hold':
      return timeline.isPlaying ? at(holdTimeline(timeline, intent.currentTime, nowMs)) : { unchanged: true };
    case 'measured':
      return { state: withDuration(state, intent.durationSeconds) };
    case 'ended':
      return atEnd(kind, state, moment);
    case 'choose':
      return chosen(kind, state, intent.track, moment);
    case 'next':
      return turnTo(state, next(queue), moment);
    case 'previous':
      return turnTo(state, previous(queue), moment);
    case 'jump':
      if (intent.currentIndex >= queue.videoQueue.length) return { refusal: 'input/invalid' };
      return turnTo(state, jumpTo(queue, intent.currentIndex), moment);
    case 'enqueue':
      if (queue.videoQueue.length >= limits.queueItems) return { refusal: 'input/invalid' };
      return enqueued(state, intent.track, moment);
    case 'remove':
      if (queue.videoQueue[intent.index]?.videoId !== intent.videoId) return { unchanged: true };
      return rearranged(state, removeAt(queue, intent.index), moment);
    case 'move':
      if (queue.videoQueue[intent.from]?.videoId !== intent.videoId) return { unchanged: true };
      if (intent.to >= queue.videoQueue.length) return { refusal: 'input/invalid' };
      return rearranged(state, move(queue, intent.from, intent.to), moment);
  }
}

/** What the host's player did longer ago than this says nothing about where it is now. */
const freshMs = 10_000;

const seenBy = ({ currentTime, updatedAt }: Extract<PlaybackIntent, { type: 'reanchor' }>) => ({
  positionSeconds: currentTime,
  atServerMs: updatedAt,
});

const queueIntents = new Set<PlaybackIntent['type']>(['next', 'previous', 'jump', 'enqueue', 'remove', 'move']);

/** Play pressed after the end starts over. */
function playFrom(timeline: Timeline, duration: number | undefined, { nowMs, leadMs }: Moment): Timeline {
  const isAtEnd = duration !== undefined && positionAt(timeline, nowMs) >= duration;
  return play(isAtEnd ? { ...timeline, positionSeconds: 0 } : timeline, nowMs, leadMs);
}

/** Another item becomes current and starts once it is loaded; an empty queue stops the music. */
function turnTo(state: PlaybackState, queue: Queue<Track>, { nowMs, loadMs }: Moment): Applied {
  const track = currentItem(queue);
  if (!track && state.timeline.trackKey === null) return { unchanged: true };
  return { state: { ...state, queue, timeline: changeTrack(state.timeline, track?.videoId ?? null, nowMs, loadMs) } };
}

function chosen(kind: RoomKind, state: PlaybackState, track: Track, moment: Moment): Applied {
  if (!roomRules[kind].hasQueue) return turnTo(state, { videoQueue: [track], currentIndex: 0 }, moment);
  const isQueued = state.queue.videoQueue.some((queued) => queued.videoId === track.videoId);
  if (!isQueued && state.queue.videoQueue.length >= limits.queueItems) return { refusal: 'input/invalid' };
  return turnTo(state, startAtHead(state.queue, track), moment);
}

/** Adding to an empty queue cues the first item without starting it. */
function enqueued(state: PlaybackState, track: Track, { nowMs }: Moment): Applied {
  const queue = addAtEnd(state.queue, track);
  const timeline =
    state.timeline.trackKey === null
      ? changeTrack(state.timeline, currentItem(queue)?.videoId ?? null, nowMs, 0, { isPlaying: false })
      : { ...state.timeline, revision: state.timeline.revision + 1 };
  return { state: { ...state, queue, timeline } };
}

/** The queue changed around what plays; only removing the current item changes the track. */
function rearranged(state: PlaybackState, queue: Queue<Track>, moment: Moment): Applied {
  const wasCurrent = currentItem(state.queue);
  if (currentItem(queue) !== wasCurrent) return turnTo(state, queue, moment);
  return { state: { ...state, queue, timeline: { ...state.timeline, revision: state.timeline.revision + 1 } } };
}

function atEnd(kind: RoomKind, state: PlaybackState, moment: Moment): Applied {
  if (roomRules[kind].atEndOfTrack === 'next') return turnTo(state, next(state.queue), moment);
  return { state: { ...state, timeline: rewind(state.timeline, moment.nowMs) } };
}

function withDuration(state: PlaybackState, durationSeconds: number): PlaybackState {
  const { queue, timeline } = state;
  const videoQueue = queue.videoQueue.map((item, index) =>
    index === queue.currentIndex ? { ...item, durationSeconds } : item,
  );
  return { ...state, queue: { ...queue, videoQueue }, timeline: { ...timeline, revision: timeline.revision + 1 } };
}

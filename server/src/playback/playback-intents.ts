/**
 * Decides what changes when the host wants something, and when a track ends: the next of the queue, what the catalogue
 * suggests, or a stop. Pure; the same for both kinds of room but for what `roomRules` says.
 */
import { roomRules, withThumbnail } from '@tunemate/domain';
import {
  anchorTo,
  applyPlaybackChange,
  changeTrack,
  currentItem,
  editQueue,
  holdTimeline,
  isAtLast,
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
  seek,
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
  type Result,
  type RoomKind,
  weights,
} from '@tunemate/protocol';
import { bytesOfTrack, tracksWithin } from '../storage/stored-track.ts';
import { accept, refuse } from '../system/ports.ts';
import { addedByHost, type PlaybackState } from './playback-document.ts';

export interface Moment {
  nowMs: number;
  /** How far ahead a command takes effect, so that all start together. */
  leadMs: number;
  /** How far ahead a newly loaded track starts at the latest; the load barrier usually releases it earlier. */
  loadMs: number;
  /** What the catalogue suggests after the track, best first, where it was asked. */
  suggested?: Suggested | undefined;
}

export interface Suggested {
  after: string;
  tracks: readonly NamedTrack[];
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
  if (isLate(intent, timeline)) return unchanged;
  switch (intent.type) {
    case 'play':
      return timeline.trackKey === null || timeline.isPlaying ? unchanged : at(playFrom(timeline, duration, moment));
    case 'pause':
      return timeline.isPlaying ? at(pause(timeline, nowMs, leadMs, duration)) : unchanged;
    case 'seek':
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
      return atEnd(state, moment);
    case 'choose':
      return chosen(kind, state, intent.track, moment);
    case 'next':
      return goOn(state, moment) ?? turnTo(state, next(queue), moment);
    case 'previous':
      return turnTo(state, previous(queue), moment);
    case 'jump':
      return jumped(state, intent, moment);
    case 'enqueue':
      return intent.isNext === true
        ? enqueuedNext(state, addedByHost(state, intent.track), moment)
        : enqueued(state, addedByHost(state, intent.track), moment);
    case 'enqueueAll':
      return enqueuedAll(state, intent.items.map(withThumbnail), moment);
    case 'setAfterTrack':
      return setAfterTrack(kind, state, intent.afterTrack);
    case 'remove':
      if (queue.videoQueue[intent.index]?.videoId !== intent.videoId) return refuse('playback/queue-changed');
      return edited(state, { type: 'removed', index: intent.index }, moment);
    case 'move':
      if (queue.videoQueue[intent.from]?.videoId !== intent.videoId) return refuse('playback/queue-changed');
      if (intent.to >= queue.videoQueue.length) return refuse('input/invalid');
      return edited(state, { type: 'moved', from: intent.from, to: intent.to }, moment);
  }
}

/** The host saw another revision, or another track play. */
function isLate(intent: PlaybackIntent, { revision, trackKey }: Timeline): boolean {
  if ('revision' in intent) return intent.revision !== revision;
  if (intent.type !== 'seek' && intent.type !== 'next' && intent.type !== 'previous') return false;
  return intent.videoId !== undefined && intent.videoId !== trackKey;
}

/** What will play after the end of what plays; null where nothing starts by itself. */
export function afterEnd(state: PlaybackState): string | null {
  const ended = atEnd(state, { nowMs: 0, leadMs: 0, loadMs: 0 });
  if (!ended.ok || ended.value === null) return null;
  const received = applyPlaybackChange(state, ended.value);
  if (received.status !== 'applied') return null;
  const { timeline } = received.playback;
  return timeline.isPlaying ? timeline.trackKey : null;
}

/** A report of the host's player that is older than this is ignored. */
const freshMs = 10_000;

const seenBy = ({ currentTime, updatedAt }: Extract<PlaybackIntent, { type: 'reanchor' }>) => ({
  positionSeconds: currentTime,
  atServerMs: updatedAt,
});

/** Play after the end starts from the beginning. */
function playFrom(timeline: Timeline, duration: number | undefined, { nowMs, leadMs }: Moment): Timeline {
  const isAtEnd = duration !== undefined && positionAt(timeline, nowMs) >= duration;
  return play(isAtEnd ? { ...timeline, positionSeconds: 0 } : timeline, nowMs, leadMs);
}

function moveTo(timeline: Timeline, { currentIndex }: Queue): Applied {
  return accept({ type: 'playback/moved', ...playheadOf(timeline, currentIndex) });
}

function edit(timeline: Timeline, { currentIndex }: Queue, how: QueueEdit<QueuedTrack>): Applied {
  return accept({ type: 'playback/queueChanged', ...playheadOf(timeline, currentIndex), edit: how });
}

/** Another item becomes current and, if it is to play, starts where it begins once it is loaded; an empty queue stops the music. */
function turned(
  { timeline }: PlaybackState,
  queue: Queue<QueuedTrack>,
  { nowMs, loadMs }: Moment,
  isPlaying = true,
  atSeconds?: number,
): Timeline {
  const item = currentItem(queue);
  const start = { isPlaying, positionSeconds: atSeconds ?? item?.startSeconds ?? 0 };
  return changeTrack(timeline, item?.videoId ?? null, nowMs, isPlaying ? loadMs : 0, start);
}

function turnTo(
  state: PlaybackState,
  queue: Queue<QueuedTrack>,
  moment: Moment,
  { currentTime, isPaused }: { currentTime?: number | undefined; isPaused?: boolean | undefined } = {},
): Applied {
  if (!currentItem(queue) && state.timeline.trackKey === null) return unchanged;
  return moveTo(turned(state, queue, moment, isPaused !== true, currentTime), queue);
}

/** The queue may have changed since the host saw it. */
function jumped(state: PlaybackState, intent: Extract<PlaybackIntent, { type: 'jump' }>, moment: Moment): Applied {
  const { currentIndex, videoId } = intent;
  const { videoQueue } = state.queue;
  const rows = videoQueue.flatMap((track, at) => (track.videoId === videoId ? [at] : []));
  const nearest = rows.toSorted((a, b) => Math.abs(a - currentIndex) - Math.abs(b - currentIndex))[0];
  const index = videoId === undefined ? currentIndex : nearest;
  if (index === undefined) return refuse('playback/queue-changed');
  if (index >= videoQueue.length) return refuse('input/invalid');
  return turnTo(state, jumpTo(state.queue, index), moment, intent);
}

function chosen(kind: RoomKind, state: PlaybackState, named: NamedTrack, moment: Moment): Applied {
  const how = howChosen[roomRules[kind].chosenGoes](state, withThumbnail(named));
  const edited = editQueue(state.queue, how);
  const refusal = refusalOf(edited.videoQueue);
  if (refusal !== null) return refuse(refusal);
  const queue = how.type === 'inserted' ? jumpTo(edited, how.index) : edited;
  return edit(turned(state, queue, moment), queue, how);
}

type HowChosen = (state: PlaybackState, track: QueuedTrack) => QueueEdit<QueuedTrack>;

const howChosen: Record<(typeof roomRules)[RoomKind]['chosenGoes'], HowChosen> = {
  'to the head': (_state, track) => ({ type: 'chosen', track }),
  'in place': ({ queue, afterTrack }, track) =>
    afterTrack !== 'queue' && isAtLast(queue)
      ? { type: 'replaced', track }
      : { type: 'inserted', index: Math.min(queue.currentIndex + 1, queue.videoQueue.length), track },
};

/** How many tracks, and bytes of them, a queue has room for. */
const roomIn = (queue: readonly QueuedTrack[]) => ({
  items: Math.max(0, limits.queueItems - queue.length),
  bytes: weights.queueBytes - queue.reduce((sum, track) => sum + bytesOfTrack(track), 0),
});

/** Why a queue may not become this one. */
function refusalOf(queue: readonly QueuedTrack[]): 'playback/queue-full' | 'playback/queue-long' | null {
  if (queue.length > limits.queueItems) return 'playback/queue-full';
  return roomIn(queue).bytes < 0 ? 'playback/queue-long' : null;
}

/** Adding to an empty queue cues the first item without starting it. */
export function enqueued(state: PlaybackState, track: QueuedTrack, moment: Moment): Applied {
  return added(state, { type: 'added', track }, moment);
}

/** Right after what plays. */
function enqueuedNext(state: PlaybackState, track: QueuedTrack, moment: Moment): Applied {
  const { videoQueue, currentIndex } = state.queue;
  if (videoQueue.length === 0) return enqueued(state, track, moment);
  return added(state, { type: 'inserted', index: currentIndex + 1, track }, moment);
}

/** Without the last track that `uid` added and that is still to come; null where there is none. */
export function takenBack(state: PlaybackState, uid: string, videoId: string, moment: Moment): Applied {
  const { videoQueue, currentIndex } = state.queue;
  const index = videoQueue.findLastIndex((track) => track.proposedBy === uid && track.videoId === videoId);
  return index > currentIndex ? edited(state, { type: 'removed', index }, moment) : unchanged;
}

/** Adds as many as the queue has room for. */
function enqueuedAll(state: PlaybackState, tracks: readonly QueuedTrack[], moment: Moment): Applied {
  const room = roomIn(state.queue.videoQueue);
  const taken = tracksWithin(tracks.slice(0, room.items), room.bytes);
  if (taken.length === 0) return refuse(room.items === 0 ? 'playback/queue-full' : 'playback/queue-long');
  return added(state, { type: 'addedAll', tracks: taken }, moment);
}

function added(state: PlaybackState, how: QueueEdit<QueuedTrack>, moment: Moment): Applied {
  const queue = editQueue(state.queue, how);
  const refusal = refusalOf(queue.videoQueue);
  if (refusal !== null) return refuse(refusal);
  const isFirst = state.timeline.trackKey === null;
  return edit(isFirst ? turned(state, queue, moment, false) : untouched(state), queue, how);
}

/** The queue changed around what plays; only removing the current item changes the track, and starts nothing. */
function edited(state: PlaybackState, how: QueueEdit<QueuedTrack>, moment: Moment): Applied {
  const queue = editQueue(state.queue, how);
  const isSameTrack = currentItem(queue) === currentItem(state.queue);
  return edit(isSameTrack ? untouched(state) : turned(state, queue, moment, state.timeline.isPlaying), queue, how);
}

function atEnd(state: PlaybackState, moment: Moment): Applied {
  const { afterTrack, queue, timeline } = state;
  if (afterTrack === 'queue' || (afterTrack === 'suggested' && !isAtLast(queue))) {
    return turnTo(state, next(queue), moment);
  }
  return goOn(state, moment) ?? moveTo(rewind(timeline, moment.nowMs), queue);
}

/** Whether what comes after this state's track is for the catalogue to say. */
export function needsSuggestion({ afterTrack, queue, timeline }: PlaybackState): boolean {
  return afterTrack === 'suggested' && timeline.trackKey !== null && isAtLast(queue);
}

/** Goes on with the first suggestion that was not played yet; null where nothing is suggested. A full queue begins anew. */
function goOn(state: PlaybackState, moment: Moment): Applied | null {
  const { queue, timeline } = state;
  const { suggested } = moment;
  if (!needsSuggestion(state) || suggested?.after !== timeline.trackKey) return null;
  const wasPlayed = ({ videoId }: NamedTrack) => queue.videoQueue.some((queued) => queued.videoId === videoId);
  const named = suggested.tracks.find((track) => !wasPlayed(track)) ?? suggested.tracks[0];
  if (named === undefined) return null;
  const track = withThumbnail(named);
  const how: QueueEdit<QueuedTrack> = {
    type: refusalOf([...queue.videoQueue, track]) === null ? 'added' : 'replaced',
    track,
  };
  const grown = editQueue(queue, how);
  const last = jumpTo(grown, grown.videoQueue.length - 1);
  return edit(turned(state, last, moment), last, how);
}

function setAfterTrack(
  kind: RoomKind,
  { timeline, afterTrack: before }: PlaybackState,
  afterTrack: AfterTrack,
): Applied {
  if (!roomRules[kind].setsAfterTrack) return refuse('input/invalid');
  if (before === afterTrack) return unchanged;
  return accept({ type: 'playback/afterTrackChanged', revision: timeline.revision + 1, afterTrack });
}

/** What encoders and rounding may add to a track. */
const mostPaddingSeconds = 1;

function measured(state: PlaybackState, durationSeconds: number | null): Applied {
  const { queue } = state;
  const track = currentItem(queue);
  if (!track) return unchanged;
  // Players believe what a file says, the library has counted where that is false. A player that is right reports the end.
  const lostSeconds = (track.durationSeconds ?? 0) - (durationSeconds ?? 0);
  if (isLibraryId(track.videoId) && lostSeconds > mostPaddingSeconds) return unchanged;
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

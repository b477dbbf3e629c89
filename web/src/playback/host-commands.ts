/**
 * What the host can do with the music from the controlling tab. Shows the intent at once and sends it; what becomes of
 * it, the room's next change tells.
 */
import { type Schedule, writeDebounceMs } from '@tunemate/playback';
import {
  type AfterTrack,
  type ClientId,
  enqueueBatches,
  type NamedTrack,
  type PlaybackIntent,
  type Refusal,
  type RoomKind,
  type VideoId,
} from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';
import type { Cell } from '../store/cell.ts';
import type { PlaybackView } from './playback-view.ts';

export interface HostCommands {
  setPlaying(isPlaying: boolean): void;
  /** Commits a position; of several within 300 ms the last one wins. */
  seek(positionSeconds: number): void;
  next(): void;
  previous(): void;
  /** Plays it now; in rooms with a queue it goes to the head. */
  choose(track: NamedTrack): void;
  enqueue(track: NamedTrack): void;
  /** In their order; answers how many there was room for. */
  enqueueAll(tracks: readonly NamedTrack[]): Promise<number>;
  /** Takes them out again: of each the last one in the queue that is not playing. Answers how many there were. */
  dequeueAll(tracks: readonly NamedTrack[]): Promise<number>;
  jump(index: number): void;
  remove(index: number): void;
  move(from: number, to: number): void;
  setAfterTrack(afterTrack: AfterTrack): void;
}

/** The protocol takes exactly these fields; found items and tracks of the queue have more. */
function named({ videoId, title, durationSeconds, startSeconds }: NamedTrack): NamedTrack {
  return { videoId, title, durationSeconds, ...(startSeconds !== undefined && { startSeconds }) };
}

export function createHostCommands(view: Cell<PlaybackView>, writer: Writer): HostCommands {
  const write = (intent: PlaybackIntent): void => writer.write(intent);
  const queued = (index: number) => view.get().playing.queue[index];
  return {
    setPlaying(isPlaying) {
      view.update((now) => ({ ...now, optimisticPlaying: isPlaying }));
      write({ type: isPlaying ? 'play' : 'pause' });
    },
    seek(positionSeconds) {
      const { track } = view.get().playing;
      if (track === null) return;
      view.update((now) => ({ ...now, optimisticPositionSeconds: positionSeconds }));
      writer.writeSeek({ videoId: track.videoId, currentTime: positionSeconds });
    },
    next: () => write({ type: 'next' }),
    previous: () => write({ type: 'previous' }),
    choose: (track) => write({ type: 'choose', track: named(track) }),
    enqueue: (track) => write({ type: 'enqueue', track: named(track) }),
    enqueueAll: (tracks) => writer.enqueueAll(tracks.map((track) => named(track))),
    async dequeueAll(tracks) {
      const { queue, currentIndex } = view.get().playing;
      return await writer.writeAll(lastOf(tracks, queue, currentIndex));
    },
    jump: (index) => write({ type: 'jump', currentIndex: index }),
    remove(index) {
      const item = queued(index);
      if (item !== undefined) write({ type: 'remove', index, videoId: item.videoId });
    },
    setAfterTrack: (afterTrack) => write({ type: 'setAfterTrack', afterTrack }),
    move(from, to) {
      const item = queued(from);
      if (item !== undefined) write({ type: 'move', from, to, videoId: item.videoId });
    },
  };
}

/** Removes each track where it last stands; from the end on, so that what is removed moves none that still is to be. */
function lastOf(
  tracks: readonly NamedTrack[],
  queue: readonly { readonly videoId: string }[],
  currentIndex: number,
): PlaybackIntent[] {
  const wanted = tracks.map(({ videoId }) => videoId);
  const removals: PlaybackIntent[] = [];
  for (let index = queue.length - 1; index >= 0; index -= 1) {
    const place = index === currentIndex ? -1 : wanted.findIndex((videoId) => videoId === queue[index]?.videoId);
    const [videoId] = place < 0 ? [] : wanted.splice(place, 1);
    if (videoId !== undefined) removals.push({ type: 'remove', index, videoId });
  }
  return removals;
}

// Writing. A request that was lost with the connection is not repeated: a 'pause' that arrives a minute late is worse than
// none. Only the end of a track is sent again, while the room has not moved on.

/** A position of one track; the server ignores it where another one plays by then. */
interface Seek {
  readonly videoId: VideoId;
  readonly currentTime: number;
}

export interface Writer {
  write(intent: PlaybackIntent): void;
  /** Sends again what may have been lost or come too late. A refusal was shown the first time. */
  writeAgain(intent: PlaybackIntent): void;
  /** One after another, at the pace that the server allows. Answers how many were taken before one was refused. */
  writeAll(intents: readonly PlaybackIntent[]): Promise<number>;
  /** In as few writes as the size of a message allows. Answers how many tracks the queue had room for. */
  enqueueAll(items: readonly NamedTrack[]): Promise<number>;
  /** At once when it is alone; seeks that follow within 300 ms wait, and the last of them wins. */
  writeSeek(seek: Seek): void;
  /** True while a seek waits for its moment: what the room says until then is older than the intent. */
  isSeekWaiting(): boolean;
  /** Forgets a seek that waits: it was meant for a track that no longer plays. */
  dropSeek(): void;
  close(): void;
}

interface WriterPorts {
  readonly connection: Connection;
  readonly kind: RoomKind;
  readonly code: string;
  readonly newClientId: () => ClientId;
  /** Local monotonic milliseconds. */
  readonly nowMs: () => number;
  readonly schedule: Schedule;
}

export function createWriter(ports: WriterPorts, onRefused: (refusal: Refusal) => void): Writer {
  const { connection, kind, code, newClientId, nowMs, schedule } = ports;
  let isClosed = false;
  let seeks: WriteDebounce<Seek> = nothingWritten;
  let cancelSeek = (): void => undefined;

  const ask = (intent: PlaybackIntent) =>
    connection.request('playback/write', { kind, code, tabId: connection.tabId, clientId: newClientId(), intent });

  async function send(intent: PlaybackIntent): Promise<void> {
    const result = await ask(intent);
    if (!result.ok && !isClosed) onRefused(result.error);
  }

  /** Waits as long as the server says and asks again, for as long as this is open. */
  async function askPatiently(intent: PlaybackIntent): Promise<Awaited<ReturnType<typeof ask>>> {
    const result = await ask(intent);
    if (result.ok || result.error.retryAfterMs === undefined || isClosed) return result;
    const waitMs = result.error.retryAfterMs;
    await new Promise<void>((resolve) => void schedule(resolve, waitMs));
    return askPatiently(intent);
  }

  async function writeAll(intents: readonly PlaybackIntent[]): Promise<number> {
    let taken = 0;
    for (const intent of intents) {
      const result = await askPatiently(intent);
      if (!result.ok && !isClosed) onRefused(result.error);
      if (!result.ok || isClosed) return taken;
      taken += 1;
    }
    return taken;
  }

  async function enqueueAll(items: readonly NamedTrack[]): Promise<number> {
    let added = 0;
    for (const batch of enqueueBatches(items)) {
      const result = await askPatiently({ type: 'enqueueAll', items: batch });
      const addedNow = result.ok ? (result.value.added ?? batch.length) : 0;
      added += addedNow;
      if (isClosed) return added;
      if (addedNow === batch.length) continue;
      // The server adds as many as there is room for, and refuses only where there is none.
      onRefused(result.ok ? { code: 'playback/queue-full' } : result.error);
      return added;
    }
    return added;
  }

  function decideSeek(decision: WriteDecision<Seek>): void {
    seeks = decision.state;
    cancelSeek();
    if (decision.send !== null) void send({ type: 'seek', ...decision.send });
    if (seeks.waiting === null) return;
    cancelSeek = schedule(() => decideSeek(flushWrite(seeks, nowMs())), Math.max(0, seeks.waiting.dueAtMs - nowMs()));
  }

  return {
    write: (intent) => void send(intent),
    writeAgain: (intent) => void ask(intent),
    writeAll,
    enqueueAll,
    writeSeek: (seek) => decideSeek(requestWrite(seeks, seek, nowMs())),
    isSeekWaiting: () => seeks.waiting !== null,
    dropSeek() {
      cancelSeek();
      seeks = nothingWritten;
    },
    close: () => {
      isClosed = true;
      cancelSeek();
    },
  };
}

// The seeks' debounce: at most one write in 300 ms. A single one is sent at once; those that follow closely wait, and the
// last of them wins. It holds no timer: the caller asks again at `dueAtMs`.

/** What waits to be written, and when the last write was. Local monotonic milliseconds. */
export interface WriteDebounce<Write> {
  readonly lastWriteAtMs: number | null;
  readonly waiting: { readonly write: Write; readonly dueAtMs: number } | null;
}

/** Nothing written, nothing waiting. */
export const nothingWritten: WriteDebounce<never> = { lastWriteAtMs: null, waiting: null };

/** The new state, and what to send now, if anything. */
interface WriteDecision<Write> {
  readonly state: WriteDebounce<Write>;
  readonly send: Write | null;
}

/** Takes a command. */
export function requestWrite<Write>(state: WriteDebounce<Write>, write: Write, nowMs: number): WriteDecision<Write> {
  const isQuiet = state.lastWriteAtMs === null || nowMs - state.lastWriteAtMs >= writeDebounceMs;
  if (isQuiet) return { state: { lastWriteAtMs: nowMs, waiting: null }, send: write };
  return { state: { ...state, waiting: { write, dueAtMs: nowMs + writeDebounceMs } }, send: null };
}

/** Sends what waits, once it is due. */
export function flushWrite<Write>(state: WriteDebounce<Write>, nowMs: number): WriteDecision<Write> {
  const { waiting } = state;
  if (waiting === null || nowMs < waiting.dueAtMs) return { state, send: null };
  return { state: { lastWriteAtMs: nowMs, waiting: null }, send: waiting.write };
}

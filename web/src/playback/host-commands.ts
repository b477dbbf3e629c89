/**
 * The commands of the host's controlling tab, and of a person who holds the remote. The tab shows each intent at once and sends it; the room's next change
 * confirms or corrects it.
 */
import { type Schedule, writeDebounceMs } from '@tunemate/playback';
import {
  type AfterTrack,
  type ClientId,
  enqueueBatches,
  type NamedTrack,
  type PlaybackIntent,
  type Refusal,
  type Result,
  type RoomKind,
  type Value,
  type VideoId,
} from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';
import { patience, unavailable } from '../connection/retry.ts';
import { type Cell, cell, type Readable } from '../store/cell.ts';
import { titleLines } from '../ui/title-lines.ts';
import { isShownPlaying, named, type PlaybackView } from './playback-view.ts';
import type { Left } from './taking-back.ts';
import { t } from '../language/t.ts';

export interface HostCommands {
  setPlaying(isPlaying: boolean): void;
  /** Of several seeks within 300 ms the last one wins. */
  seek(positionSeconds: number): void;
  next(): void;
  previous(): void;
  /** Plays it now; in rooms with a queue it goes to the head. */
  choose(track: NamedTrack): void;
  /** Resolves to whether the queue has it now. */
  enqueue(track: NamedTrack): Promise<boolean>;
  /** Right after what plays. */
  enqueueNext(track: NamedTrack): Promise<boolean>;
  /** In this order; resolves to the number of tracks that fitted into the queue. */
  enqueueAll(tracks: readonly NamedTrack[]): Promise<number>;
  /** Removes the last queue entry of each track that is not playing. Resolves to the number removed. */
  dequeueAll(tracks: readonly NamedTrack[]): Promise<number>;
  jump(index: number): void;
  remove(index: number): void;
  move(from: number, to: number): void;
  /** Moves the row to the place after what plays. */
  playNext(index: number): void;
  setAfterTrack(afterTrack: AfterTrack): void;
  /** The last press on a row, for as long as it can be taken back. */
  readonly undoable: Readable<Undoable | null>;
  forgetUndo(): void;
}

export interface Undoable {
  readonly key: string;
  readonly words: string;
  /** Returns to what was there before, a track to its place. */
  undo(): void;
}

/** `positionSeconds` is the room's position now. */
export function createHostCommands(
  view: Cell<PlaybackView>,
  writer: Writer,
  positionSeconds: () => number,
): HostCommands {
  const write = (intent: PlaybackIntent): void => writer.write(intent);
  const add = async (intent: PlaybackIntent) => (await writer.writeAll([intent])) > 0;
  const queued = (index: number) => view.get().playing.queue[index];
  const { undoable, press, leaving, turnTo } = createUndo(view, writer, positionSeconds);
  /** The row that waits to be removed: a double press is one. */
  let removing: NamedTrack | undefined;
  const move = (from: number, to: number): void => {
    const item = queued(from);
    if (item !== undefined) write({ type: 'move', from, to, videoId: item.videoId });
  };
  let turns = 0;
  /** Away from the track on the screen, which may end meanwhile. A second press before the answer is for the one after. */
  const turn = (type: 'next' | 'previous'): void => {
    undoable.set(null);
    const videoId = turns === 0 ? view.get().playing.track?.videoId : undefined;
    turns += 1;
    void writer.send({ type, videoId }).then(() => (turns -= 1));
  };
  return {
    undoable,
    forgetUndo: () => undoable.set(null),
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
    next: () => turn('next'),
    previous: () => turn('previous'),
    choose(track) {
      const wasAt = view.get().playing.queue.findIndex(({ videoId }) => videoId === track.videoId);
      turnTo({ type: 'choose', track: named(track) }, track, wasAt);
    },
    enqueue: (track) => add({ type: 'enqueue', track: named(track) }),
    enqueueNext: (track) => add({ type: 'enqueue', track: named(track), isNext: true }),
    enqueueAll: (tracks) => writer.enqueueAll(tracks.map((track) => named(track))),
    async dequeueAll(tracks) {
      const { queue, currentIndex } = view.get().playing;
      const code = await takingBack();
      return code === null ? 0 : await writer.writeAll(code.lastOf(tracks, queue, currentIndex));
    },
    jump(index) {
      const item = queued(index);
      if (item === undefined) return;
      turnTo({ type: 'jump', currentIndex: index, videoId: item.videoId }, item, index);
    },
    remove(index) {
      const item = queued(index);
      if (item === undefined || item === removing) return;
      removing = item;
      const title = nameOf(item);
      const left = index === view.get().playing.currentIndex && leaving(item, index);
      void press({ type: 'remove', index, videoId: item.videoId }, t`${title} removed`, ({ playAgain, putBack }) =>
        left ? playAgain(left, view.get().playing) : putBack(item, index, view.get().playing.queue.length),
      ).then(() => (removing = undefined));
    },
    playNext(index) {
      const { currentIndex } = view.get().playing;
      move(index, index > currentIndex ? currentIndex + 1 : currentIndex);
    },
    setAfterTrack: (afterTrack) => write({ type: 'setAfterTrack', afterTrack }),
    move,
  };
}

/** Without its artists: two lines hold it. */
const nameOf = ({ videoId, title }: Pick<NamedTrack, 'videoId' | 'title'>): string => titleLines(videoId, title).name;

type TakingBack = typeof import('./taking-back.ts');
/** Guests never need it. Null when it can't be fetched: then there is no server to ask either. */
const takingBack = (): Promise<TakingBack | null> => import('./taking-back.ts').catch(() => null);

/** What can be taken back: the last press on a row. */
function createUndo(view: Cell<PlaybackView>, writer: Writer, positionSeconds: () => number) {
  const undoable = cell<Undoable | null>(null);
  let presses = 0;
  /** What the room refused is neither said nor taken back. */
  const press = async (
    intent: PlaybackIntent,
    words: string,
    intents: (code: TakingBack) => readonly PlaybackIntent[],
  ): Promise<void> => {
    if (!(await writer.send(intent))) return;
    presses += 1;
    undoable.set({
      key: String(presses),
      words,
      undo() {
        undoable.set(null);
        void takingBack().then((code) => code && writer.writeAll(intents(code)));
      },
    });
  };
  const leaving = (track: NamedTrack, index: number): Left => {
    return { track, index, seconds: positionSeconds(), isPaused: !isShownPlaying(view.get()) };
  };
  return {
    undoable,
    press,
    /** The track that plays, before another one does. */
    leaving,
    /** Another track replaces the one that plays. `wasAt` is the row of the other, -1 for none. */
    turnTo(intent: PlaybackIntent, to: { videoId: VideoId; title: string }, wasAt: number): void {
      const { track, currentIndex } = view.get().playing;
      undoable.set(null);
      if (track === null) return writer.write(intent);
      const left = leaving(track, currentIndex);
      const title = nameOf(to);
      void press(intent, t`${title} plays now`, ({ backTo }) =>
        backTo(left, { videoId: to.videoId, wasAt }, view.get().playing),
      );
    },
  };
}

// Writing. A request lost with the connection is not repeated: a 'pause' a minute late is worse than none. Only additions
// to the queue are, for a while and under one id, and the end of a track until the room moves on.

/** A position in one track; the server ignores it if another track plays. */
interface Seek {
  readonly videoId: VideoId;
  readonly currentTime: number;
}

export interface Writer {
  write(intent: PlaybackIntent): void;
  /** Resolves with the answer: whether it counts. */
  send(intent: PlaybackIntent): Promise<boolean>;
  /** Repeats an intent that may be lost or stale, without showing a refusal again. */
  writeAgain(intent: PlaybackIntent): void;
  /** Sequentially, at the server's rate limit. Resolves to the number accepted before the first refusal. */
  writeAll(intents: readonly PlaybackIntent[]): Promise<number>;
  /** In as few messages as their size limit allows. Resolves to the number of tracks that fitted into the queue. */
  enqueueAll(items: readonly NamedTrack[]): Promise<number>;
  /** Sends a single seek at once; seeks that follow within 300 ms wait, and the last of them wins. */
  writeSeek(seek: Seek): void;
  /** While a seek waits, the room's position is older than the host's intent. */
  isSeekWaiting(): boolean;
  /** Drops a waiting seek: its track no longer plays. */
  dropSeek(): void;
  close(): void;
}

export interface WriterPorts {
  readonly connection: Connection;
  readonly kind: RoomKind;
  readonly code: string;
  readonly newClientId: () => ClientId;
  /** Local monotonic milliseconds. */
  readonly nowMs: () => number;
  readonly schedule: Schedule;
  /** The revision that the page shows; undefined while the host alone may press. */
  readonly seen: () => number | undefined;
}

/** What the player of a page reports; the others are presses of a person. */
const reports = new Set<PlaybackIntent['type']>(['ended', 'reanchor', 'republish', 'hold', 'measured', 'named']);

/**
 * Sends one intent, with what the page shows of the room. Where the line breaks before the answer, the answer is asked for
 * once the line is back, and the press given up if it has not been applied by then: so a person reads what happened, and no
 * press counts late.
 */
function asker({ connection, kind, code, newClientId, seen }: WriterPorts, onUnanswered: () => void) {
  return async (intent: PlaybackIntent): Promise<Result<Value<'playback/write'>>> => {
    const shown = seen();
    const asked = {
      ...{ kind, code, tabId: connection.tabId, clientId: newClientId(), intent },
      ...(shown !== undefined && { seen: shown }),
    };
    if (reports.has(intent.type)) return connection.request('playback/write', asked);
    const isAddition = intent.type.startsWith('enqueue');
    // What is not sent is not applied.
    if (!isAddition && connection.status.get().status !== 'live') return unavailable;
    const answer = isAddition
      ? await connection.requestUntilAnswered('playback/write', asked, patience())
      : await connection.request('playback/write', asked);
    if (answer.ok || answer.error.code !== unavailable.error.code) return answer;
    onUnanswered();
    return connection.requestUntilAnswered('playback/write', { ...asked, givesUp: true });
  };
}

/** `onRefused` is called with null while it is not known whether a press counts. */
export function createWriter(ports: WriterPorts, onRefused: (refusal: Refusal | null) => void): Writer {
  const { nowMs, schedule } = ports;
  let isClosed = false;
  let seeks: WriteDebounce<Seek> = nothingWritten;
  let cancelSeek = (): void => undefined;

  const ask = asker(ports, () => isClosed || onRefused(null));

  async function send(intent: PlaybackIntent): Promise<boolean> {
    const result = await ask(intent);
    if (!result.ok && !isClosed) onRefused(result.error);
    return result.ok && !isClosed;
  }

  /** Retries after the server's `retryAfterMs`, until closed. */
  async function requestWithRetries(intent: PlaybackIntent): Promise<Awaited<ReturnType<typeof ask>>> {
    const result = await ask(intent);
    if (result.ok || result.error.retryAfterMs === undefined || isClosed) return result;
    const waitMs = result.error.retryAfterMs;
    await new Promise<void>((resolve) => void schedule(resolve, waitMs));
    return requestWithRetries(intent);
  }

  async function writeAll(intents: readonly PlaybackIntent[]): Promise<number> {
    let taken = 0;
    for (const intent of intents) {
      const result = await requestWithRetries(intent);
      if (!result.ok && !isClosed) onRefused(result.error);
      if (!result.ok || isClosed) return taken;
      taken += 1;
    }
    return taken;
  }

  async function enqueueAll(items: readonly NamedTrack[]): Promise<number> {
    let added = 0;
    for (const batch of enqueueBatches(items)) {
      const result = await requestWithRetries({ type: 'enqueueAll', items: batch });
      const addedNow = result.ok ? (result.value.added ?? batch.length) : 0;
      added += addedNow;
      if (isClosed) return added;
      if (addedNow === batch.length) continue;
      // The server adds as many as fit, and rejects a batch only if none does.
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
    send,
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

// Debounce of seeks: at most one write in 300 ms. A single one is sent at once; later ones wait, and the last of them
// wins. It has no timer: the caller calls `flushWrite` at `dueAtMs`.

/** Local monotonic milliseconds. */
export interface WriteDebounce<Write> {
  readonly lastWriteAtMs: number | null;
  readonly waiting: { readonly write: Write; readonly dueAtMs: number } | null;
}

export const nothingWritten: WriteDebounce<never> = { lastWriteAtMs: null, waiting: null };

/** The new state, and what to send now, if anything. */
interface WriteDecision<Write> {
  readonly state: WriteDebounce<Write>;
  readonly send: Write | null;
}

export function requestWrite<Write>(state: WriteDebounce<Write>, write: Write, nowMs: number): WriteDecision<Write> {
  const isQuiet = state.lastWriteAtMs === null || nowMs - state.lastWriteAtMs >= writeDebounceMs;
  if (isQuiet) return { state: { lastWriteAtMs: nowMs, waiting: null }, send: write };
  return { state: { ...state, waiting: { write, dueAtMs: nowMs + writeDebounceMs } }, send: null };
}

export function flushWrite<Write>(state: WriteDebounce<Write>, nowMs: number): WriteDecision<Write> {
  const { waiting } = state;
  if (waiting === null || nowMs < waiting.dueAtMs) return { state, send: null };
  return { state: { lastWriteAtMs: nowMs, waiting: null }, send: waiting.write };
}

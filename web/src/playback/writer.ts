/**
 * Sends the intents of the host's tab, one after another. A request that was lost with the connection is not repeated: a 'pause'
 * that arrives a minute late is worse than none. Only the end of a track is said again, by whoever sees that it still is over.
 */
import { flushWrite, nothingWritten, requestWrite, type Schedule, type WriteDebounce } from '@tunemate/playback';
import type { ClientId, PlaybackIntent, Refusal, RoomKind, VideoId } from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';

/** A position of one track; the server ignores it where another one plays by then. */
export interface Seek {
  readonly videoId: VideoId;
  readonly currentTime: number;
}

export interface Writer {
  write(intent: PlaybackIntent): void;
  /** Says once more what may have been lost or come too late. That it was refused was told the first time. */
  writeAgain(intent: PlaybackIntent): void;
  /** One after another, at the pace that the server allows. Answers how many were taken before one was refused. */
  writeAll(intents: readonly PlaybackIntent[]): Promise<number>;
  /** At once when it is alone; seeks that follow within 300 ms wait, and the last of them wins. */
  writeSeek(seek: Seek): void;
  /** True while a seek waits for its moment: what the room says until then is older than the intent. */
  isSeekWaiting(): boolean;
  /** Forgets a seek that waits: it was meant for a track that no longer plays. */
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

  async function writeAll(intents: readonly PlaybackIntent[]): Promise<number> {
    let taken = 0;
    for (const intent of intents) {
      let result = await ask(intent);
      while (!result.ok && result.error.retryAfterMs !== undefined && !isClosed) {
        const waitMs = result.error.retryAfterMs;
        await new Promise<void>((resolve) => void schedule(resolve, waitMs));
        result = await ask(intent);
      }
      if (isClosed) return taken;
      if (!result.ok) {
        onRefused(result.error);
        return taken;
      }
      taken += 1;
    }
    return taken;
  }

  function decideSeek(decision: { state: WriteDebounce<Seek>; send: Seek | null }): void {
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

/**
 * Whether the other person is typing, and the same for the current user. An ephemeral event: it may be lost, and
 * expires.
 */
import type { Uid } from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';
import type { Clock } from '../store/clock.ts';
import { cell, type Readable } from '../store/cell.ts';

const sendEveryMs = 3000;
/** Longer than the sending interval, so that the indicator does not flicker. */
const shownMs = 5000;

export interface Typing {
  readonly isTyping: Readable<boolean>;
  tell(): void;
  stop(): void;
  close(): void;
}

export function createTyping(connection: Connection, clock: Clock, uid: Uid): Typing {
  const isTyping = cell(false);
  let cancel: (() => void) | null = null;
  let sentAtMs = Number.NEGATIVE_INFINITY;

  function stop(): void {
    cancel?.();
    cancel = null;
    isTyping.set(false);
  }
  const end = connection.onEphemeral((event) => {
    if (event.type !== 'chats/typing' || event.uid !== uid) return;
    cancel?.();
    cancel = clock.schedule(stop, shownMs);
    isTyping.set(true);
  });

  return {
    isTyping,
    tell() {
      if (connection.status.get().status !== 'live' || clock.now() - sentAtMs < sendEveryMs) return;
      sentAtMs = clock.now();
      void connection.request('chats/typing', { uid });
    },
    stop,
    close() {
      end();
      stop();
    },
  };
}

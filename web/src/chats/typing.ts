/**
 * Whether the other is typing, and telling them that one is. Passing news: it may be lost, and ends by itself.
 */
import type { Uid } from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';
import type { Clock } from '../connection/ports.ts';
import { cell, type Readable } from '../store/cell.ts';

const tellEveryMs = 3000;
/** A little longer than the pace of telling, so that it does not flicker. */
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
  let toldAtMs = Number.NEGATIVE_INFINITY;

  function stop(): void {
    cancel?.();
    cancel = null;
    isTyping.set(false);
  }
  const end = connection.onEphemeral((news) => {
    if (news.type !== 'chats/typing' || news.uid !== uid) return;
    cancel?.();
    cancel = clock.schedule(stop, shownMs);
    isTyping.set(true);
  });

  return {
    isTyping,
    tell() {
      if (connection.status.get().status !== 'live' || clock.now() - toldAtMs < tellEveryMs) return;
      toldAtMs = clock.now();
      void connection.request('chats/typing', { uid });
    },
    stop,
    close() {
      end();
      stop();
    },
  };
}

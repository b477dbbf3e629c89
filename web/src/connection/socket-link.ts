/**
 * The link over Socket.IO: WebSocket only, one attempt per link. The client library is loaded with the first link, so
 * that pages without a connection don't load it.
 */
import type { ClientEvents, ErrorCode, Refusal, ServerEvents } from '@tunemate/protocol';
import type { Socket } from 'socket.io-client';
import type { Link, LinkEvents } from './port.ts';

const openTimeoutMs = 10_000;

/** Opens a link to the server that this page came from. */
export function openSocketLink(events: LinkEvents): Link {
  let socket: Socket<ServerEvents, ClientEvents> | null = null;
  let goodbye: Refusal | null = null;
  let isOver = false;

  function end(refusal: Refusal | null): void {
    if (isOver) return;
    isOver = true;
    socket?.disconnect();
    events.onLost(refusal);
  }

  async function open(): Promise<void> {
    const { io } = await import('socket.io-client');
    if (isOver) return;
    const opened: Socket<ServerEvents, ClientEvents> = io({
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      timeout: openTimeoutMs,
      withCredentials: true,
    });
    socket = opened;
    opened.on('connect', () => events.onOpen());
    opened.on('connect_error', (error) => end(refusalOf(error)));
    opened.on('disconnect', () => end(goodbye));
    opened.on('entries', (batch) => events.onEntries(batch));
    opened.on('ephemeral', (event) => events.onEphemeral(event));
    opened.on('goodbye', (why) => {
      goodbye = why;
      end(why);
    });
  }

  open().catch(() => end(null));

  return {
    send(name, payload, onAnswer) {
      // Nothing is buffered for a later link. Not volatile: that also drops the second of two requests at one moment.
      if (socket === null || !socket.connected) return;
      const emit = socket.emit.bind(socket) as (...args: unknown[]) => unknown;
      emit(name, payload, onAnswer);
    },
    close() {
      isOver = true;
      socket?.disconnect();
    },
    breakOff() {
      isOver = true;
      socket?.io.engine.close();
    },
  };
}

/** Null for errors that carry no error code of the server. */
function refusalOf(error: Error): Refusal | null {
  // A code this page does not know counts as a failed attempt.
  return /^[a-z]+\/[a-z-]+$/.test(error.message) ? { code: error.message as ErrorCode } : null;
}

/**
 * The link over a WebSocket: one attempt, requests by number, answers, events, and an end when the server is silent.
 */
import {
  byeWord,
  pingEveryMs,
  pingWord,
  pongWithinMs,
  pongWord,
  readServerFrame,
  type Refusal,
  type Result,
  socketPath,
  writeRequest,
} from '@tunemate/protocol';
import type { Link, LinkEvents, OpenLink } from './port.ts';

const openWithinMs = 10_000;
/** The server sends a ping earlier, and does not wait longer for an answer. */
const silentForMs = pingEveryMs + pongWithinMs;

/** What is used of a WebSocket; tests in Node bring one with a cookie. */
export interface PageSocket {
  readonly readyState: number;
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (message: { readonly data: unknown }) => void): void;
  send(text: string): void;
  close(): void;
}

const isOpen = 1;

/** Opens a link to the server that this page came from. */
export const openSocketLink: OpenLink = (events) => linkOver(new WebSocket(socketAddress(location)), events);

/** Names the room that the page shows, so that a balancer can send all of a room to one process. */
export function socketAddress({ origin, pathname }: Pick<Location, 'origin' | 'pathname'>): string {
  const room = /\/([\dA-F]{6})$/i.exec(pathname)?.[1]?.toUpperCase();
  return `${origin.replace('http', 'ws')}${socketPath}${room ? `?room=${room}` : ''}`;
}

export function linkOver(socket: PageSocket, events: LinkEvents): Link {
  const pending = new Map<number, (result: Result<unknown>) => void>();
  let lastId = 0;
  let isOver = false;
  let deadline = setTimeout(end, openWithinMs);

  /** Without a word to the server. */
  function breakOff(): void {
    isOver = true;
    clearTimeout(deadline);
    pending.clear();
    socket.close();
  }

  function end(refusal: Refusal | null = null): void {
    if (isOver) return;
    breakOff();
    events.onLost(refusal);
  }

  function waitAgain(): void {
    clearTimeout(deadline);
    deadline = setTimeout(end, silentForMs);
  }

  function receive(text: string): void {
    if (text === pingWord) return socket.send(pongWord);
    const frame = readServerFrame(text);
    if (frame === null) return;
    const [head, value] = frame;
    if (typeof head === 'number') {
      const onAnswer = pending.get(head);
      pending.delete(head);
      onAnswer?.(value);
    } else if (head === 'entries') events.onEntries(value);
    else if (head === 'ephemeral') events.onEphemeral(value);
    else if (head === 'goodbye') end(value);
  }

  socket.addEventListener('open', () => {
    if (isOver) return;
    waitAgain();
    events.onOpen();
  });
  socket.addEventListener('message', ({ data }) => {
    if (isOver) return;
    waitAgain();
    if (typeof data === 'string') receive(data);
  });
  socket.addEventListener('close', () => end());
  socket.addEventListener('error', () => end());

  return {
    send(name, payload, onAnswer) {
      // Nothing is kept for a later link.
      if (isOver || socket.readyState !== isOpen) return;
      lastId += 1;
      pending.set(lastId, onAnswer);
      socket.send(writeRequest(lastId, name, payload));
    },
    close() {
      if (socket.readyState === isOpen) socket.send(byeWord);
      breakOff();
    },
    breakOff,
  };
}

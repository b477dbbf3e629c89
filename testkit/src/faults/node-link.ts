/**
 * The link of a page that runs in Node: one attempt over Socket.IO with a cookie of its own, as socket-link.ts has it in
 * the browser. On request it is a bad messenger, which sends and delivers things twice, late and in another order.
 */
import type { ClientEvents, Entries, ErrorCode, Refusal, ServerEvents } from '@tunemate/protocol';
import { io, type Socket } from 'socket.io-client';
import type { Link, LinkEvents, OpenLink } from '../../../web/src/connection/port.ts';

export interface NodeLinkOptions {
  /** Where the socket goes: a line to the server. */
  readonly url: string;
  /** Where the page came from. */
  readonly origin: string;
  readonly cookie: string;
  /** Hears everything that arrives, as text on the wire. */
  readonly onArrival: (text: string) => void;
  /** Whether messages are repeated and shuffled just now. */
  readonly isConfused: () => boolean;
  readonly random: () => number;
}

const openTimeoutMs = 5000;
/** How far apart copies and shuffled messages arrive. */
const confusedWithinMs = 60;

export function nodeLink(options: NodeLinkOptions): OpenLink {
  return (events) => openLink(options, events);
}

function openLink({ url, origin, cookie, ...options }: NodeLinkOptions, events: LinkEvents): Link {
  const socket: Socket<ServerEvents, ClientEvents> = io(url, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    timeout: openTimeoutMs,
    extraHeaders: { cookie, origin },
  });
  const messenger = confusedMessenger(options);
  let lastWord: Refusal | null = null;
  let isOver = false;
  const end = (refusal: Refusal | null) => {
    if (isOver) return;
    isOver = true;
    socket.disconnect();
    events.onLost(refusal);
  };
  socket.on('connect', () => {
    socket.io.engine.on('packet', ({ data }) => {
      if (typeof data === 'string') options.onArrival(data);
    });
    events.onOpen();
  });
  socket.on('connect_error', (error) => end(refusalOf(error)));
  // Only this reports a connection that breaks before it was accepted.
  socket.io.on('close', () => setImmediate(() => end(lastWord)));
  socket.on('disconnect', () => end(lastWord));
  socket.on('entries', (batch: Entries) => messenger.pass(() => isOver || events.onEntries(batch)));
  socket.on('ephemeral', (event) => events.onEphemeral(event));
  socket.on('goodbye', (why) => {
    lastWord = why;
    end(why);
  });
  return {
    send(name, payload, onAnswer) {
      const emit = socket.emit.bind(socket) as (...args: unknown[]) => unknown;
      const once = onlyOnce(onAnswer);
      // The hello comes first in any case: a shuffled one would be another page's breach of the protocol.
      const pass = name === 'session/hello' ? (act: () => unknown) => void act() : messenger.pass;
      pass(() => socket.connected && emit(name, payload, once));
    },
    close() {
      isOver = true;
      socket.disconnect();
    },
    breakOff() {
      isOver = true;
      socket.io.engine.close();
    },
  };
}

/** Passes each message on once and at once, or up to three times at random moments, and an old one again. */
function confusedMessenger({ isConfused, random }: Pick<NodeLinkOptions, 'isConfused' | 'random'>) {
  const passed: (() => unknown)[] = [];
  return {
    pass(act: () => unknown): void {
      if (!isConfused()) return void act();
      const old = passed[Math.floor(random() * passed.length)];
      passed.push(act);
      for (const one of [act, act, act, ...(old ? [old] : [])]) {
        setTimeout(() => one(), confusedWithinMs * random());
      }
    },
  };
}

function onlyOnce<Value>(act: (value: Value) => void): (value: Value) => void {
  let isDone = false;
  return (value) => {
    if (isDone) return;
    isDone = true;
    act(value);
  };
}

function refusalOf(error: Error): Refusal | null {
  return /^[a-z]+\/[a-z-]+$/.test(error.message) ? { code: error.message as ErrorCode } : null;
}

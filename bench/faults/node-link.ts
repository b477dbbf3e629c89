/**
 * The link of a page that runs in Node: the one of the web application over a WebSocket with a cookie of its own. On
 * request it is a bad messenger, which sends and delivers things twice, late and in another order.
 */
import { socketPath } from '@tunemate/protocol';
import WebSocket from 'ws';
import type { LinkEvents, OpenLink } from '../../web/src/connection/port.ts';
import { linkOver } from '../../web/src/connection/socket-link.ts';

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

/** Shorter than a page waits: a run has many faults. */
const openWithinMs = 5000;
/** How far apart copies and shuffled messages arrive. */
const confusedWithinMs = 60;

export function nodeLink({ url, origin, cookie, onArrival, ...options }: NodeLinkOptions): OpenLink {
  return (events) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${socketPath}`, {
      headers: { cookie, origin },
      handshakeTimeout: openWithinMs,
      perMessageDeflate: false,
    });
    socket.on('message', (data: Buffer) => onArrival(data.toString()));
    const messenger = confusedMessenger(options);
    let isOver = false;
    const confused: LinkEvents = {
      ...events,
      onLost(refusal) {
        isOver = true;
        events.onLost(refusal);
      },
      onEntries: (batch) => messenger.pass(() => isOver || events.onEntries(batch)),
    };
    const link = linkOver(socket, confused);
    return {
      send(name, payload, onAnswer) {
        const once = onlyOnce(onAnswer);
        // The hello comes first in any case: a shuffled one would be another page's breach of the protocol.
        const pass = name === 'session/hello' ? (act: () => unknown) => void act() : messenger.pass;
        pass(() => link.send(name, payload, once));
      },
      close() {
        isOver = true;
        link.close();
      },
      breakOff() {
        isOver = true;
        link.breakOff();
      },
    };
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

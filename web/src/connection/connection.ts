/**
 * The one connection of a tab: says hello on each new link, and hands messages to the requests and streams that wait for
 * them. What it must not know: sockets (ports.ts), React, and what any change means.
 */
import type { EphemeralEvent, PayloadInput, RequestName, Result, TabId, Uid, Value } from '@tunemate/protocol';
import { signal } from '../store/cell.ts';
import type { Connection } from './port.ts';
import type { Clock, Link, OpenLink } from './ports.ts';
import { createReconnectingLink } from './reconnecting-link.ts';
import { createRequests, unavailable } from './requests.ts';
import { retryUntilAnswered } from './retry.ts';
import { createStreams } from './streams.ts';
import { createUserStream } from './user-stream.ts';

const probeTimeoutMs = 3000;

export interface ConnectionParts {
  readonly openLink: OpenLink;
  readonly clock: Clock;
  /** From 0 up to 1, as Math.random. */
  readonly random: () => number;
  readonly tabId: TabId;
  readonly protocolVersion: number;
  /** Whose page this is, so that nothing is sent for somebody else who has signed in meanwhile; null while unknown. */
  readonly owner: () => Uid | null;
}

/** The connection, and what its owner does with it: the app starts it when a user is signed in. */
export interface DrivenConnection extends Connection {
  start(): void;
  /** Says goodbye to the server at once, so that others see the user leave without delay. */
  stop(): void;
  /** The device woke up or is back online: retries now, and probes a connection that looks live. */
  wake(): void;
}

export function createConnection({ tabId, protocolVersion, owner, ...parts }: ConnectionParts): DrivenConnection {
  const { clock, random } = parts;
  const ephemeralEvents = signal<EphemeralEvent>();
  const requests = createRequests(clock);
  const streams = createStreams(clock);
  const userStream = createUserStream(streams, () => link.lose(null));
  const link = createReconnectingLink({
    ...parts,
    onOpen: (opened) => void performHello(opened),
    onEntries: streams.receive,
    onEphemeral: ephemeralEvents.emit,
    onDropped() {
      userStream.stop();
      streams.connectionLost();
      requests.useLink(null);
    },
  });
  const { status, isOpen } = link;
  const isLive = (): boolean => status.get().status === 'live';

  async function performHello(opened: Link): Promise<void> {
    requests.useLink(opened);
    const answered = ask('session/hello', { protocolVersion, tabId, uid: owner() ?? undefined });
    link.go({ type: 'opened' });
    const hello = await answered;
    if (link.current() !== opened) return;
    if (!hello.ok) {
      link.lose(hello.error);
      return;
    }
    link.go({ type: 'greeted' });
    streams.connectionLive();
    userStream.followFrom(hello.value);
  }

  function ask<Name extends RequestName>(name: Name, payload: PayloadInput<Name>, timeoutMs?: number) {
    // The server answers each request with the value its schema declares, or a refusal.
    return requests.send(name, payload, timeoutMs) as Promise<Result<Value<Name>>>;
  }

  async function probe(): Promise<void> {
    const probed = link.current();
    const answer = await ask('clock/probe', {}, probeTimeoutMs);
    const isSilent = !answer.ok && answer.error.code === unavailable.error.code;
    if (isSilent && link.current() === probed) reconnect();
  }

  function reconnect(): void {
    if (isLive()) link.lose(null);
  }

  const connection: DrivenConnection = {
    status,
    tabId,
    request: (name, payload, options) => ask(name, payload, options?.timeoutMs),
    requestUntilAnswered: (name, payload, options) =>
      retryUntilAnswered(
        { status, isOpen, clock, random, reconnect, ...(options?.signal && { signal: options.signal }) },
        () => connection.request(name, payload, options),
      ),
    follow: streams.follow,
    onUserSnapshot: userStream.snapshots.subscribe,
    onUserChange: userStream.changes.subscribe,
    onEphemeral: ephemeralEvents.subscribe,
    start: () => link.go({ type: 'start' }),
    stop: () => link.go({ type: 'stop' }),
    wake() {
      link.go({ type: 'retry' });
      if (isLive()) void probe();
    },
  };
  return connection;
}

/**
 * The one connection of a tab: drives the line (connection-state.ts), greets the server, and hands messages to the requests and
 * streams that wait for them. What it must not know: sockets (ports.ts), React, and what any change means.
 */
import type {
  UserChange,
  UserSnapshot,
  EphemeralEvent,
  PayloadInput,
  Refusal,
  RequestName,
  Result,
  TabId,
  Value,
} from '@tunemate/protocol';
import { cell, signal, type Unsubscribe } from '../store/cell.ts';
import { backoffMs } from './backoff.ts';
import { nextAttempt, nextLine, publicStatus, type LineEvent, type LineState } from './connection-state.ts';
import type { Connection, ConnectionStatus } from './port.ts';
import type { Clock, Link, OpenLink } from './ports.ts';
import { createRequests, unavailable } from './requests.ts';
import { retryUntilAnswered } from './retry.ts';
import { createStreams } from './streams.ts';

const probeTimeoutMs = 3000;
const finalRefusals = new Set(['auth/required', 'auth/email-unverified', 'client/outdated']);

export interface ConnectionParts {
  readonly openLink: OpenLink;
  readonly clock: Clock;
  /** From 0 up to 1, as Math.random. */
  readonly random: () => number;
  readonly tabId: TabId;
  readonly protocolVersion: number;
}

/** The connection, and what its owner does with it: the app starts it when somebody is signed in. */
export interface DrivenConnection extends Connection {
  start(): void;
  /** Says goodbye to the server at once, so that others see the person leave without delay. */
  stop(): void;
  /** The device woke up or is back online: tries now, and makes sure of a line that looks alive. */
  wake(): void;
}

export function createConnection(parts: ConnectionParts): DrivenConnection {
  const { clock } = parts;
  const status = cell<ConnectionStatus>({ status: 'closed' });
  /** Whether the line takes requests: from the hello on, which the server answers before anything asked behind it. */
  const isOpen = cell(false);
  const userSnapshots = signal<UserSnapshot>();
  const userChanges = signal<UserChange>();
  const ephemeralEvents = signal<EphemeralEvent>();
  const leavings = signal<void>();
  const requests = createRequests(clock);
  const streams = createStreams(clock);

  let line: LineState = { status: 'closed' };
  let link: Link | null = null;
  let stopUserStream: Unsubscribe = () => {};
  let cancelRetry: () => void = () => {};

  function go(event: LineEvent): void {
    const before = line;
    line = nextLine(before, event);
    if (line === before) return;
    if (line.status !== 'handshaking' && line.status !== 'live') dropLink();
    cancelRetry();
    if (line.status === 'opening') openLink();
    if (line.status === 'waiting') {
      cancelRetry = clock.schedule(() => go({ type: 'retry' }), Math.max(0, line.retryAtMs - clock.now()));
    }
    status.set(publicStatus(line, clock.now()));
    isOpen.set(line.status === 'handshaking' || line.status === 'live');
  }

  function dropLink(): void {
    const dropped = link;
    if (dropped === null) return;
    link = null;
    stopUserStream();
    streams.lineLost();
    requests.useLink(null);
    dropped.close();
  }

  function lose(refusal: Refusal | null): void {
    if (refusal !== null && finalRefusals.has(refusal.code)) {
      go({ type: 'refused', code: refusal.code });
      return;
    }
    const waitMs = backoffMs(nextAttempt(line), parts.random, refusal?.retryAfterMs);
    go({ type: 'lost', retryAtMs: clock.now() + waitMs });
  }

  function openLink(): void {
    let isCurrent = true;
    const opened: Link = parts.openLink({
      onOpen: () => {
        if (isCurrent) void performHello(opened);
      },
      onLost: (refusal) => {
        if (isCurrent && link === opened) lose(refusal);
        isCurrent = false;
      },
      onEntries: (batch) => {
        if (link === opened) streams.receive(batch);
      },
      onEphemeral: (news) => {
        if (link === opened) ephemeralEvents.emit(news);
      },
    });
    link = opened;
  }

  function sayHello(): Promise<Result<Value<'session/hello'>>> {
    const payload: PayloadInput<'session/hello'> = { protocolVersion: parts.protocolVersion, tabId: parts.tabId };
    return ask('session/hello', payload);
  }

  async function performHello(opened: Link): Promise<void> {
    requests.useLink(opened);
    const answered = sayHello();
    go({ type: 'opened' });
    const hello = await answered;
    if (link !== opened) return;
    if (!hello.ok) {
      lose(hello.error);
      return;
    }
    go({ type: 'greeted' });
    streams.lineLive();
    takeOwnSnapshot(hello.value);
  }

  function takeOwnSnapshot(snapshot: UserSnapshot): void {
    userSnapshots.emit(snapshot);
    stopUserStream();
    stopUserStream = streams.follow(`user:${snapshot.user.uid}`, {
      fromSeq: snapshot.seq,
      onChange: (change) => userChanges.emit(change),
      // Only a hello gives this snapshot, and a line has one hello.
      resnapshot: () => {
        lose(null);
        return Promise.resolve(null);
      },
    });
  }

  function ask<Name extends RequestName>(name: Name, payload: PayloadInput<Name>, timeoutMs?: number) {
    // The server answers each request with the value its schema declares, or a refusal.
    return requests.send(name, payload, timeoutMs) as Promise<Result<Value<Name>>>;
  }

  async function probe(): Promise<void> {
    const probed = link;
    const answer = await ask('clock/probe', {}, probeTimeoutMs);
    const isSilent = !answer.ok && answer.error.code === unavailable.error.code;
    if (isSilent && link === probed && line.status === 'live') lose(null);
  }

  function giveUpLine(): void {
    if (line.status === 'live') lose(null);
  }

  const connection: DrivenConnection = {
    status,
    tabId: parts.tabId,
    request: (name, payload, options) => ask(name, payload, options?.timeoutMs),
    requestUntilAnswered: (name, payload, options) =>
      retryUntilAnswered(
        { status, isOpen, clock, random: parts.random, giveUpLine, ...(options?.signal && { signal: options.signal }) },
        () => connection.request(name, payload, options),
      ),
    follow: (stream, follower) => streams.follow(stream, follower),
    onUserSnapshot: (listener) => userSnapshots.subscribe(listener),
    onUserChange: (listener) => userChanges.subscribe(listener),
    onEphemeral: (listener) => ephemeralEvents.subscribe(listener),
    onLeaving: (listener) => leavings.subscribe(listener),
    start: () => go({ type: 'start' }),
    stop() {
      if (line.status === 'live') leavings.emit();
      go({ type: 'stop' });
    },
    wake() {
      if (line.status === 'waiting') go({ type: 'retry' });
      if (line.status === 'live') void probe();
    },
  };
  return connection;
}

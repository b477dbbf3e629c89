/**
 * The one connection of a tab: opens a link, says hello, passes answers to requests and changes to streams, and opens
 * the next link when one is lost. Knows neither sockets (socket-link.ts) nor React nor what a change means.
 */
import type {
  Entries,
  EphemeralEvent,
  PayloadInput,
  Refusal,
  RequestName,
  Result,
  TabId,
  Uid,
  UserChange,
  UserSnapshot,
  Value,
  ErrorCode,
} from '@tunemate/protocol';
import { cell, signal, type Unsubscribe } from '../store/cell.ts';
import type { Clock } from '../store/clock.ts';
import type { Connection, ConnectionStatus, Link, OpenLink } from './port.ts';
import { backoffMs, retryUntilAnswered, unavailable } from './retry.ts';
import { createStreams } from './streams.ts';

const requestTimeoutMs = 10_000;
const probeTimeoutMs = 3000;
const finalRefusals = new Set(['auth/required', 'auth/email-unverified', 'client/outdated']);

interface ConnectionParts {
  readonly openLink: OpenLink;
  readonly clock: Clock;
  /** From 0 up to 1, as Math.random. */
  readonly random: () => number;
  readonly tabId: TabId;
  readonly protocolVersion: number;
  /** The user this page belongs to: the server rejects the hello if another user has signed in. Null while unknown. */
  readonly owner: () => Uid | null;
}

/** The app starts it while a user is signed in. */
export interface DrivenConnection extends Connection {
  start(): void;
  /** Notifies the server, so that others see the user leave without delay. */
  stop(): void;
  /** The device woke up or is back online: retries now, and probes a connection that looks live. */
  wake(): void;
  /** Gives models the snapshot that this device stored, until a connection brings the server's. */
  takeKept(snapshot: UserSnapshot): void;
}

/** Only a hello gives the snapshot of the user stream, and a link has one hello: after a gap a new link is opened. */
export function createConnection({ tabId, protocolVersion, owner, ...parts }: ConnectionParts): DrivenConnection {
  const { clock, random } = parts;
  const ephemeralEvents = signal<EphemeralEvent>();
  const userSnapshots = signal<UserSnapshot>();
  const userChanges = signal<UserChange>();
  const requests = createRequests(clock);
  const streams = createStreams(clock);
  let endUserStream: Unsubscribe = () => {};
  const link = createReconnectingLink({
    ...parts,
    onOpen: (opened) => void performHello(opened),
    onEntries: streams.receive,
    onEphemeral: ephemeralEvents.emit,
    onDropped() {
      endUserStream();
      streams.connectionLost();
      requests.useLink(null);
    },
  });
  const { status, isOpen, reconnect } = link;
  const isLive = (): boolean => status.get().status === 'live';

  async function performHello(opened: Link): Promise<void> {
    requests.useLink(opened);
    const answered = ask('session/hello', { protocolVersion, tabId, uid: owner() ?? undefined });
    link.go({ type: 'opened' });
    const hello = await answered;
    if (link.current() !== opened) return;
    if (!hello.ok) return link.lose(hello.error);
    link.go({ type: 'greeted' });
    streams.connectionLive();
    userSnapshots.emit(hello.value);
    endUserStream = streams.subscribe(`user:${hello.value.user.uid}`, {
      fromSeq: hello.value.seq,
      onChange: userChanges.emit,
      resnapshot() {
        link.lose(null);
        return Promise.resolve(null);
      },
    });
  }

  function ask<Name extends RequestName>(name: Name, payload: PayloadInput<Name>, timeoutMs = requestTimeoutMs) {
    // The server answers each request with the value its schema declares, or a refusal.
    return requests.send(name, payload, timeoutMs) as Promise<Result<Value<Name>>>;
  }

  async function probe(): Promise<void> {
    const probed = link.current();
    const answer = await ask('clock/probe', {}, probeTimeoutMs);
    if (answer.ok || answer.error.code !== unavailable.error.code) return;
    if (link.current() === probed) reconnect();
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
    subscribe: streams.subscribe,
    onUserSnapshot: userSnapshots.subscribe,
    onUserChange: userChanges.subscribe,
    onEphemeral: ephemeralEvents.subscribe,
    start: () => link.go({ type: 'start' }),
    stop: () => link.go({ type: 'stop' }),
    takeKept: userSnapshots.emit,
    wake() {
      link.go({ type: 'retry' });
      if (isLive()) void probe();
    },
  };
  return connection;
}

interface ReconnectingLinkParts extends Pick<ConnectionParts, 'openLink' | 'clock' | 'random'> {
  readonly onOpen: (link: Link) => void;
  readonly onEntries: (batch: Entries) => void;
  readonly onEphemeral: (event: EphemeralEvent) => void;
  /** Before the link that was open is closed. */
  readonly onDropped: () => void;
}

/** Opens a link, and after it is lost waits and opens the next: connection-state.ts decides when. */
function createReconnectingLink(parts: ReconnectingLinkParts) {
  const { clock } = parts;
  const status = cell<ConnectionStatus>({ status: 'closed' });
  /** Whether requests can be sent: from the hello on, which the server answers before any request behind it. */
  const isOpen = cell(false);
  let state: ConnectionState = { status: 'closed' };
  /** The link that is open or being opened. */
  let link: Link | null = null;
  let cancelRetry: () => void = () => {};

  function go(event: ConnectionEvent): void {
    const before = state;
    state = nextState(before, event);
    if (state === before) return;
    if (state.status !== 'handshaking' && state.status !== 'live') drop();
    cancelRetry();
    if (state.status === 'opening') open();
    if (state.status === 'waiting') {
      cancelRetry = clock.schedule(() => go({ type: 'retry' }), Math.max(0, state.retryAtMs - clock.now()));
    }
    status.set(publicStatus(state, clock.now()));
    isOpen.set(state.status === 'handshaking' || state.status === 'live');
  }

  function drop(): void {
    const dropped = link;
    if (dropped === null) return;
    link = null;
    parts.onDropped();
    // Closing notifies the server that the user leaves, which a page that reconnects does not.
    if (state.status === 'waiting') dropped.breakOff();
    else dropped.close();
  }

  /** Ends the current link. The next one follows, unless the server would refuse it as well. */
  function lose(refusal: Refusal | null): void {
    if (refusal !== null && finalRefusals.has(refusal.code)) {
      go({ type: 'refused', code: refusal.code });
      return;
    }
    const waitMs = backoffMs(attemptOf(state) + 1, parts.random, refusal?.retryAfterMs);
    go({ type: 'lost', retryAtMs: clock.now() + waitMs });
  }

  function open(): void {
    let isCurrent = true;
    const opened: Link = parts.openLink({
      onOpen: () => {
        if (isCurrent) parts.onOpen(opened);
      },
      onLost: (refusal) => {
        if (isCurrent && link === opened) lose(refusal);
        isCurrent = false;
      },
      onEntries: (batch) => {
        if (link === opened) parts.onEntries(batch);
      },
      onEphemeral: (event) => {
        if (link === opened) parts.onEphemeral(event);
      },
    });
    link = opened;
  }

  /** Ends a link that is live, or looks so. */
  function reconnect(): void {
    if (state.status === 'live') lose(null);
  }

  return { status, isOpen, current: () => link, go, lose, reconnect };
}

/** Each request gets exactly one result: server/unavailable when the link is lost or no answer comes in time. */
function createRequests(clock: Clock) {
  let link: Link | null = null;
  const pending = new Set<() => void>();

  return {
    send(name: RequestName, payload: unknown, timeoutMs: number): Promise<Result<unknown>> {
      const current = link;
      if (current === null) return Promise.resolve(unavailable);
      return new Promise((resolve) => {
        const settle = (result: Result<unknown>): void => {
          pending.delete(giveUp);
          cancelTimer();
          resolve(result);
        };
        const giveUp = (): void => settle(unavailable);
        const cancelTimer = clock.schedule(giveUp, timeoutMs);
        pending.add(giveUp);
        current.send(name, payload, settle);
      });
    },
    useLink(next: Link | null): void {
      link = next;
      for (const giveUp of Array.from(pending)) giveUp();
    },
  };
}

/** `attempt` counts the losses since the connection was last live. Times in ms of this device. */
type ConnectionState =
  | { readonly status: 'closed' }
  | { readonly status: 'opening'; readonly attempt: number }
  | { readonly status: 'handshaking'; readonly attempt: number }
  | { readonly status: 'live' }
  | { readonly status: 'waiting'; readonly attempt: number; readonly retryAtMs: number }
  | { readonly status: 'refused'; readonly code: ErrorCode }
  | { readonly status: 'outdated' };

type ConnectionEvent =
  | { readonly type: 'start' }
  | { readonly type: 'stop' }
  | { readonly type: 'opened' }
  | { readonly type: 'greeted' }
  | { readonly type: 'lost'; readonly retryAtMs: number }
  | { readonly type: 'refused'; readonly code: ErrorCode }
  /** The wait is over, or the device woke up or is back online. */
  | { readonly type: 'retry' };

type Step = (state: ConnectionState, event: ConnectionEvent) => ConnectionState;

/** How often the connection was lost since it was last live; the wait before the next attempt grows with it. */
const attemptOf = (state: ConnectionState): number => ('attempt' in state ? state.attempt : 0);

const closed: Step = () => ({ status: 'closed' });
const openFirst: Step = () => ({ status: 'opening', attempt: 0 });
const openAgain: Step = (state) => ({ status: 'opening', attempt: attemptOf(state) });
const performHello: Step = (state) => ({ status: 'handshaking', attempt: attemptOf(state) });
const live: Step = () => ({ status: 'live' });
const wait: Step = (state, event) => ({
  status: 'waiting',
  attempt: attemptOf(state) + 1,
  retryAtMs: event.type === 'lost' ? event.retryAtMs : 0,
});
const refuse: Step = (state, event) => {
  if (event.type !== 'refused') return state;
  return event.code === 'client/outdated' ? { status: 'outdated' } : { status: 'refused', code: event.code };
};

const steps: Record<ConnectionState['status'], Partial<Record<ConnectionEvent['type'], Step>>> = {
  closed: { start: openFirst },
  opening: { opened: performHello, lost: wait, refused: refuse, stop: closed },
  handshaking: { greeted: live, lost: wait, refused: refuse, stop: closed },
  live: { lost: wait, refused: refuse, stop: closed },
  waiting: { retry: openAgain, stop: closed },
  refused: { start: openFirst, stop: closed },
  outdated: {},
};

/**
 * The states of the connection as a table: which event leads from which state to which. Pure; connection.ts
 * opens, waits and says hello. An event that a state does not list changes nothing.
 */
function nextState(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  return steps[state.status][event.type]?.(state, event) ?? state;
}

/** The status that models and screens see. It stays 'reconnecting' while an attempt to reconnect is under way. */
function publicStatus(state: ConnectionState, nowMs: number): ConnectionStatus {
  if (state.status === 'waiting') {
    return { status: 'reconnecting', attempt: state.attempt, retryAtMs: state.retryAtMs };
  }
  if (state.status !== 'opening' && state.status !== 'handshaking') return state;
  if (state.attempt === 0) return { status: 'connecting' };
  return { status: 'reconnecting', attempt: state.attempt, retryAtMs: nowMs };
}

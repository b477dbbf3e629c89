/**
 * The one connection of a tab: opens a link, says hello, passes answers to requests, opens the next link when one is
 * lost, and applies each change of a stream once, in order. Knows neither sockets (socket-link.ts) nor React nor what a
 * change means.
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
} from '@tunemate/protocol';
import { cell, signal, type Unsubscribe } from '../store/cell.ts';
import type { Clock } from '../store/clock.ts';
import { attemptOf, nextState, publicStatus, type ConnectionEvent, type ConnectionState } from './connection-state.ts';
import type { ChangeOf, Connection, ConnectionStatus, Link, OpenLink, StreamName, Subscriber } from './port.ts';
import { backoffMs, retryUntilAnswered, unavailable } from './retry.ts';
import { createSuspicion } from './suspicion.ts';

const requestTimeoutMs = 10_000;
const finalRefusals = new Set(['auth/required', 'auth/email-unverified', 'session/elsewhere', 'client/outdated']);

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
  const suspicious = createSuspicion(clock, link, (timeoutMs) => requests.send('clock/probe', {}, timeoutMs));

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
    return suspicious.watch(requests.send(name, payload, timeoutMs)) as Promise<Result<Value<Name>>>;
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
      void suspicious.probe();
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

const unclaimedStreams = 8;
/** Batches held per stream. The oldest go first: the next one then shows a gap, and nothing is lost silently. */
const heldBatches = 256;
const snapshotRetryMs = 2000;

type Change = Entries['changes'][number];

/**
 * The streams of this page, one cursor per subscriber. Batches of a stream without a subscriber are held for the next
 * one.
 */
export function createStreams(clock: Clock) {
  const cursors = new Map<string, ReturnType<typeof createStreamCursor>>();
  const unclaimed = new Map<string, Entries[]>();
  let isLive = false;

  function holdUnclaimed(batch: Entries): void {
    const batches = unclaimed.get(batch.stream) ?? [];
    holdBatch(batches, batch);
    unclaimed.set(batch.stream, batches);
    const oldest = unclaimed.keys().next();
    if (unclaimed.size > unclaimedStreams && !oldest.done) unclaimed.delete(oldest.value);
  }

  return {
    receive(batch: Entries): void {
      const cursor = cursors.get(batch.stream);
      if (cursor === undefined) holdUnclaimed(batch);
      else cursor.receive(batch);
    },

    subscribe<Stream extends StreamName>(stream: Stream, subscriber: Subscriber<ChangeOf<Stream>>): Unsubscribe {
      cursors.get(stream)?.end();
      // The server sends only changes of its own kind on each kind of stream.
      const cursor = createStreamCursor(subscriber as Subscriber<Change>, clock, () => isLive);
      cursors.set(stream, cursor);
      const early = unclaimed.get(stream) ?? [];
      unclaimed.delete(stream);
      for (const batch of early) cursor.receive(batch);
      return () => {
        cursor.end();
        if (cursors.get(stream) === cursor) cursors.delete(stream);
      };
    },

    connectionLost(): void {
      isLive = false;
      unclaimed.clear();
      for (const cursor of cursors.values()) cursor.invalidate();
    },

    /** Every subscriber needs a new snapshot. */
    connectionLive(): void {
      isLive = true;
      for (const cursor of cursors.values()) cursor.refresh();
    },
  };
}

/**
 * One subscriber's position in a stream: drops numbers that have passed, asks the subscriber for a new snapshot when one
 * is missing, and then applies the changes that arrived meanwhile.
 */
function createStreamCursor(subscriber: Subscriber<Change>, clock: Clock, isLive: () => boolean) {
  let seq = subscriber.fromSeq;
  /** Null while the subscriber's copy is complete; otherwise the batches that arrived since it is not. */
  let held: Entries[] | null = isLive() ? null : [];
  /** Counts requests for a snapshot, so that a late answer is recognised. */
  let round = 0;
  let isFetching = false;
  /** Set during the pause after a failed snapshot, in which arriving batches must not ask for another. */
  let cancelRetry: (() => void) | null = null;
  let isEnded = false;

  function receive(batch: Entries): void {
    if (isEnded) return;
    if (held === null) apply(batch);
    else {
      holdBatch(held, batch);
      refresh();
    }
  }

  function apply(batch: Entries): void {
    if (batch.from > seq + 1) {
      held = [batch];
      refresh();
      return;
    }
    for (const [index, change] of batch.changes.entries()) {
      const number = batch.numbers?.[index] ?? (batch.to ?? batch.from) + index;
      if (number <= seq) continue;
      seq = number;
      subscriber.onChange(change, number);
      // The change may have ended the cursor or invalidated the copy.
      if (isEnded || held !== null) return;
    }
  }

  /** Asks the subscriber for a snapshot, if its copy is incomplete and none is on its way. */
  function refresh(): void {
    if (isEnded || held === null || isFetching || cancelRetry !== null || !isLive()) return;
    isFetching = true;
    round += 1;
    const asked = round;
    void snapshotOf(subscriber).then((snapshotSeq) => {
      if (isEnded || asked !== round) return;
      isFetching = false;
      if (snapshotSeq === null) cancelRetry = clock.schedule(retry, snapshotRetryMs);
      else takeSnapshot(snapshotSeq);
    });
  }

  function retry(): void {
    cancelRetry?.();
    cancelRetry = null;
    refresh();
  }

  function takeSnapshot(snapshotSeq: number): void {
    const batches = held ?? [];
    seq = snapshotSeq;
    held = null;
    for (const batch of batches) receive(batch);
  }

  return {
    receive,
    refresh,
    /** After the connection is lost: drops held batches. */
    invalidate(): void {
      held = [];
      isFetching = false;
      cancelRetry?.();
      cancelRetry = null;
      round += 1;
    },
    end(): void {
      isEnded = true;
      cancelRetry?.();
    },
  };
}

function holdBatch(batches: Entries[], batch: Entries): void {
  batches.push(batch);
  if (batches.length > heldBatches) batches.shift();
}

async function snapshotOf(subscriber: Subscriber<Change>): Promise<number | null> {
  try {
    return await subscriber.resnapshot();
  } catch {
    return null;
  }
}

/**
 * The requests to join a room for its host: pending and new requests, the host's answers, and the settings which only the
 * host sees. Subscribes to the host's stream while the user is the host; empty for guests.
 */
import type { HostChange, HostSettings, JoinRequest, Result, RoomSnapshot, Value } from '@tunemate/protocol';
import { cell, signal, type Readable, type Signal, type Unsubscribe } from '../../store/cell.ts';
import type { RoomModel, VisitPorts } from '../visit/room-model.ts';

export interface RequestsState {
  /** Oldest first. */
  readonly pending: readonly JoinRequest[];
  /** The settings which only the host sees; null for guests. */
  readonly settings: HostSettings | null;
  /** New requests, for the banner. */
  readonly announced: Announcement | null;
}

/** Requests that share a banner, newest first. */
export interface Announcement {
  /** Changes with each new request, which restarts the countdown. */
  readonly key: number;
  readonly requests: readonly JoinRequest[];
}

export interface RequestsModel {
  readonly state: Readable<RequestsState>;
  /** Emits each person who came in without approval. */
  readonly cameIn: Pick<Signal<{ readonly uid: string; readonly name: string }>, 'subscribe'>;
  answer(uid: string, answer: 'accept' | 'reject'): Promise<Result<object>>;
  /** Accepts the pending ones among these, while the room has space. */
  acceptAll(uids: readonly string[]): Promise<Result<Value<'rooms/acceptAll'>>>;
  /** Closes the banner. */
  dismiss(): void;
  close(): void;
}

interface RequestsPorts extends VisitPorts {
  readonly room: Pick<RoomModel, 'events' | 'refresh'>;
  /** A person was accepted, or came in without approval. */
  readonly onAdmitted: () => void;
}

const requestOfAnswer = { accept: 'rooms/acceptRequest', reject: 'rooms/rejectRequest' } as const;

export function createRequestsModel(ports: RequestsPorts): RequestsModel {
  const { connection, selfUid, room, onAdmitted } = ports;
  const state = cell<RequestsState>({ pending: [], settings: null, announced: null });
  const cameIn = signal<{ uid: string; name: string }>();
  const abort = new AbortController();
  const untilOver = { signal: abort.signal };
  const announce = createAnnouncer();
  /** The sequence number of the host's stream that `pending` includes; null for guests. */
  let hostSeq: number | null = null;
  let unsubscribe: Unsubscribe | null = null;

  function setPending(pending: readonly JoinRequest[]): void {
    state.update((now) => ({ ...now, pending, announced: announce(pending, now.announced) }));
  }

  function enter(snapshot: RoomSnapshot): void {
    // A later change may have arrived before the snapshot.
    const isOutdated = snapshot.hostSeq !== null && hostSeq !== null && hostSeq > snapshot.hostSeq;
    if (!isOutdated) {
      hostSeq = snapshot.hostSeq;
      state.update((now) => ({ ...now, settings: snapshot.hostSettings }));
      setPending(snapshot.requests.filter(({ status }) => status === 'pending').toSorted(byTimeAsked));
    }
    if (snapshot.hostSeq === null) return stopReceiving();
    unsubscribe ??= connection.subscribe(`host:${snapshot.room.roomId}`, {
      fromSeq: snapshot.hostSeq,
      onChange,
      resnapshot: async () => (await room.refresh())?.hostSeq ?? null,
    });
  }

  function onChange(change: HostChange, seq: number): void {
    if (hostSeq !== null && seq <= hostSeq) return;
    hostSeq = seq;
    if (change.type === 'rooms/requestChanged') setPending(withChanged(state.get().pending, change.request));
    else if (change.type === 'rooms/set')
      state.update((now) => ({ ...now, settings: now.settings && { ...now.settings, ...change.settings } }));
    else if (change.type === 'rooms/cameIn') {
      onAdmitted();
      cameIn.emit(change);
    }
  }

  function stopReceiving(): void {
    unsubscribe?.();
    unsubscribe = null;
    hostSeq = null;
  }

  room.events.subscribe((event) => {
    if (event.type === 'entered') enter(event.snapshot);
    else if (event.type === 'rooms/hostChanged' && event.host !== selfUid) {
      stopReceiving();
      setPending([]);
      state.update((now) => ({ ...now, settings: null }));
    } else if (event.type === 'over') close();
  });

  function close(): void {
    abort.abort();
    stopReceiving();
  }

  return {
    state,
    cameIn,
    ...requestAnswers(ports, untilOver, (uid) => setPending(state.get().pending.filter((one) => one.uid !== uid))),
    dismiss: () => state.update((now) => (now.announced === null ? now : { ...now, announced: null })),
    close,
  };
}

function requestAnswers(
  { connection, kind, code, onAdmitted }: RequestsPorts,
  untilOver: { readonly signal: AbortSignal },
  /** The request of this user has an answer. */
  settle: (uid: string) => void,
): Pick<RequestsModel, 'answer' | 'acceptAll'> {
  const address = { kind, code };
  return {
    async answer(uid, answer) {
      const result = await connection.requestUntilAnswered(requestOfAnswer[answer], { ...address, uid }, untilOver);
      const isSettled =
        result.ok || result.error.code === 'room/request-resolved' || result.error.code === 'access/not-found';
      if (isSettled) settle(uid);
      if (result.ok && answer === 'accept') onAdmitted();
      return result;
    },
    async acceptAll(uids) {
      const named = { ...address, uids: [...uids] };
      const result = await connection.requestUntilAnswered('rooms/acceptAll', named, untilOver);
      if (result.ok && result.value.inside > 0) onAdmitted();
      return result;
    },
  };
}

function withChanged(
  requests: readonly JoinRequest[],
  changed: Omit<JoinRequest, 'status'> & { readonly status: JoinRequest['status'] | null },
): readonly JoinRequest[] {
  const others = requests.filter(({ uid }) => uid !== changed.uid);
  if (changed.status !== 'pending') return others;
  return [...others, { ...changed, status: changed.status }].toSorted(byTimeAsked);
}

function byTimeAsked(first: JoinRequest, second: JoinRequest): number {
  return first.askedAt - second.askedAt;
}

/** The same person may ask again later. */
const keyOf = ({ uid, askedAt }: JoinRequest): string => `${uid} ${askedAt}`;

/** Finds which pending requests are new. The first call announces none: they arrived before the host entered. */
export function createAnnouncer() {
  let known: ReadonlySet<string> | null = null;
  let key = 0;
  return (pending: readonly JoinRequest[], shown: Announcement | null): Announcement | null => {
    const before = known;
    const now = new Set(pending.map(keyOf));
    known = now;
    if (before === null) return shown;
    const arrived = pending.filter((request) => !before.has(keyOf(request))).toReversed();
    const remaining = shown?.requests.filter((request) => now.has(keyOf(request))) ?? [];
    if (arrived.length > 0) return { key: (key += 1), requests: [...arrived, ...remaining] };
    if (shown === null || remaining.length === shown.requests.length) return shown;
    return remaining.length === 0 ? null : { ...shown, requests: remaining };
  };
}

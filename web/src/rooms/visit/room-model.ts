/**
 * One room as its member sees it: enters, follows the room's stream, enters again when the copy is incomplete,
 * and turns refusals into states. The host follows the join requests on a separate stream.
 * Knows neither React nor how chat and playback apply the changes; they subscribe to `news`.
 */
import type { Schedule } from '@tunemate/playback';
import type {
  Admission,
  HostChange,
  Participant,
  Refusal,
  Result,
  RoomChange,
  RoomKind,
  RoomSnapshot,
  Value,
} from '@tunemate/protocol';
import type { Connection } from '../../connection/port.ts';
import { cell, signal, type Readable, type Signal, type Unsubscribe } from '../../store/cell.ts';
import { alreadyGone, ephemeral } from '../join/entry-refusals.ts';
import { applyChange, applyRequestChange, stateFromSnapshot, withPeople, type RoomState } from './room-state.ts';

/** Why the user can't be in this room; the screen decides which message to show and which page to open. */
export type RefusedReason = 'not-member' | 'not-found' | 'failed';

/** The status of this visit. 'refused', 'ended', 'removed' and 'left' are final. */
export type RoomStatus =
  | { readonly status: 'entering' }
  | { readonly status: 'live'; readonly state: RoomState }
  | { readonly status: 'refused'; readonly reason: RefusedReason }
  | { readonly status: 'ended' }
  /** The host removed the user; `howLong` is null where only a refusal said so. */
  | { readonly status: 'removed'; readonly howLong: 'for-now' | 'for-good' | null }
  | { readonly status: 'left' };

/** What chat and playback receive: the snapshot, then each change. */
export type RoomNews = { readonly type: 'entered'; readonly snapshot: RoomSnapshot } | RoomChange;

/** How many of those who were accepted are in the room now, and whether it is full. */
export type AllAccepted = Value<'rooms/acceptAll'>;

export interface Newcomer {
  readonly uid: string;
  readonly name: string;
}

export interface RoomModel {
  readonly status: Readable<RoomStatus>;
  readonly news: Pick<Signal<RoomNews>, 'subscribe'>;
  /** The host's answer to one person's request. */
  answerRequest(uid: string, answer: 'accept' | 'reject'): Promise<Result<object>>;
  /** Accepts these people, as far as they still wait and there is room. */
  acceptAll(uids: readonly string[]): Promise<Result<AllAccepted>>;
  /** The host says who comes in without approval. */
  setAdmission(admits: Admission): Promise<Result<object>>;
  /** For the host: somebody came in without approval. */
  readonly cameIn: Pick<Signal<Newcomer>, 'subscribe'>;
  /** Ends the membership, and with it, when `ends`, the room: refused if that is not what the user's leaving does now. */
  leave(ends: boolean): Promise<Result<object>>;
  /** These people are in the room too. */
  addPeople(these: readonly Participant[]): void;
  /** Enters again, because the copy of a part of the room is incomplete. */
  refresh(): Promise<void>;
  /** Stops receiving; the user stays a participant. */
  close(): void;
}

export interface RoomPorts {
  readonly connection: Connection;
  readonly kind: RoomKind;
  readonly code: string;
  /** The uid of the current user. */
  readonly selfUid: string;
  readonly schedule: Schedule;
}

/** Enters at once. */
export function createRoomModel(ports: RoomPorts): RoomModel {
  const visit = new RoomVisit(ports);
  visit.start();
  return visit;
}

const requestOfAnswer = { accept: 'rooms/acceptRequest', reject: 'rooms/rejectRequest' } as const;
/** How soon to enter again when the server is too busy. */
const retryMs = 2000;

class RoomVisit implements RoomModel {
  readonly status = cell<RoomStatus>({ status: 'entering' });
  readonly news = signal<RoomNews>();
  readonly cameIn = signal<Newcomer>();
  readonly #ports: RoomPorts;
  readonly #address: { kind: RoomKind; code: string };
  readonly #abort = new AbortController();
  readonly #ends: Unsubscribe[] = [];
  #entering: Promise<RoomSnapshot | null> | null = null;
  /** The number of the host's stream that the list of requests includes; null for guests. */
  #hostSeq: number | null = null;
  #endOfHost: Unsubscribe | null = null;
  /** A Leave is on its way: the end of the room, or of the membership, may be told before it is answered. */
  #isLeaving = false;

  constructor(ports: RoomPorts) {
    this.#ports = ports;
    this.#address = { kind: ports.kind, code: ports.code };
  }

  start(): void {
    void this.#begin();
  }

  async answerRequest(uid: string, answer: 'accept' | 'reject'): Promise<Result<object>> {
    const { signal } = this.#abort;
    const named = { ...this.#address, uid };
    const result = await this.#ports.connection.requestUntilAnswered(requestOfAnswer[answer], named, { signal });
    const isSettled =
      result.ok || result.error.code === 'room/request-resolved' || result.error.code === 'access/not-found';
    if (isSettled)
      this.#patch(({ requests, ...rest }) => ({ ...rest, requests: requests.filter((one) => one.uid !== uid) }));
    return result;
  }

  async acceptAll(uids: readonly string[]): Promise<Result<AllAccepted>> {
    const { signal } = this.#abort;
    const named = { ...this.#address, uids: [...uids] };
    return await this.#ports.connection.requestUntilAnswered('rooms/acceptAll', named, { signal });
  }

  async setAdmission(admits: Admission): Promise<Result<object>> {
    const result = await this.#ports.connection.request('rooms/setAdmission', { ...this.#address, admits });
    if (result.ok) this.#patch((state) => ({ ...state, admits }));
    return result;
  }

  async leave(ends: boolean): Promise<Result<object>> {
    this.#isLeaving = true;
    const result = await this.#ports.connection.request('rooms/leave', { ...this.#address, ends });
    this.#isLeaving = false;
    if (!result.ok && !alreadyGone.includes(result.error.code)) return result;
    this.#finish({ status: 'left' });
    return { ok: true, value: {} };
  }

  addPeople(these: readonly Participant[]): void {
    this.#patch((state) => ({ ...state, room: withPeople(state.room, state.room.people, these) }));
  }

  async refresh(): Promise<void> {
    if (this.status.get().status === 'live') await this.#enter();
  }

  close(): void {
    if (this.status.get().status === 'live') void this.#ports.connection.request('rooms/close', this.#address);
    this.#stop();
  }

  async #begin(): Promise<void> {
    const snapshot = await this.#enter();
    if (this.#isOver()) return;
    if (snapshot === null) {
      // A busy server, or a refused session: says nothing about the room. The session model handles the session.
      this.#ends.push(this.#ports.schedule(() => void this.#begin(), retryMs));
      return;
    }
    this.#ends.push(
      this.#ports.connection.subscribe(`room:${snapshot.room.roomId}`, {
        fromSeq: snapshot.seq,
        onChange: (change, seq) => this.#onChange(change, seq),
        resnapshot: async () => (await this.#enter())?.seq ?? null,
      }),
    );
  }

  /** One 'rooms/enter' at a time; null when it was refused or the visit is over. */
  #enter(): Promise<RoomSnapshot | null> {
    this.#entering ??= this.#askToEnter().finally(() => (this.#entering = null));
    return this.#entering;
  }

  async #askToEnter(): Promise<RoomSnapshot | null> {
    const { signal } = this.#abort;
    const result = await this.#ports.connection.requestUntilAnswered('rooms/enter', this.#address, { signal });
    if (this.#isOver()) return null;
    if (result.ok) {
      this.#takeOver(result.value);
      return result.value;
    }
    this.#onRefusal(result.error);
    return null;
  }

  #takeOver(snapshot: RoomSnapshot): void {
    const state = stateFromSnapshot(snapshot);
    const now = this.status.get();
    // A change of requests may have arrived before the snapshot.
    const isOvertaken = snapshot.hostSeq !== null && this.#hostSeq !== null && this.#hostSeq > snapshot.hostSeq;
    const requests = isOvertaken && now.status === 'live' ? now.state.requests : state.requests;
    if (!isOvertaken) this.#hostSeq = snapshot.hostSeq;
    this.status.set({ status: 'live', state: { ...state, requests } });
    this.#followRequests(snapshot);
    this.news.emit({ type: 'entered', snapshot });
  }

  /** Follows the requests while the user is the host. */
  #followRequests({ hostSeq, room }: RoomSnapshot): void {
    if (hostSeq === null) return this.#leaveRequests();
    this.#endOfHost ??= this.#ports.connection.subscribe(`host:${room.roomId}`, {
      fromSeq: hostSeq,
      onChange: (change, seq) => this.#onHostChange(change, seq),
      resnapshot: async () => (await this.#enter())?.hostSeq ?? null,
    });
  }

  #onRefusal({ code }: Refusal): void {
    const wasLive = this.status.get().status === 'live';
    if (code === 'room/removed') this.#finish({ status: 'removed', howLong: null });
    else if (code === 'room/not-member') this.#finish({ status: 'refused', reason: 'not-member' });
    else if (code === 'room/ended' || (code === 'room/not-found' && wasLive)) this.#onEnded();
    else if (!wasLive && !ephemeral.includes(code)) {
      // An address that the server can't parse is no room's.
      const isNowhere = code === 'room/not-found' || code === 'input/invalid';
      this.#finish({ status: 'refused', reason: isNowhere ? 'not-found' : 'failed' });
    }
  }

  #onChange(change: RoomChange, seq: number): void {
    this.#patch((state) => applyChange(state, seq, change, this.#ports.selfUid));
    if (change.type === 'rooms/hostChanged') this.#onHostChanged(change.host);
    this.news.emit(change);
    if (change.type === 'rooms/ended') this.#onEnded();
    if (change.type === 'rooms/participantLeft' && change.uid === this.#ports.selfUid) {
      this.#finish(change.removed ? { status: 'removed', howLong: change.removed } : { status: 'left' });
    }
  }

  /** Whoever became the host enters again, for the requests to join; whoever was it gives them up. */
  #onHostChanged(host: string): void {
    if (host === this.#ports.selfUid) void this.#enter();
    else this.#leaveRequests();
  }

  #leaveRequests(): void {
    this.#endOfHost?.();
    this.#endOfHost = null;
    this.#hostSeq = null;
    this.#patch((state) => ({ ...state, requests: [] }));
  }

  /** If the host's other tab ended the room, the host sees that it is not found. */
  #onEnded(): void {
    const now = this.status.get();
    const isHost = now.status === 'live' && now.state.room.host === this.#ports.selfUid;
    if (isHost && this.#isLeaving) this.#finish({ status: 'left' });
    else this.#finish(isHost ? { status: 'refused', reason: 'not-found' } : { status: 'ended' });
  }

  #onHostChange(change: HostChange, seq: number): void {
    if (this.#hostSeq !== null && seq <= this.#hostSeq) return;
    this.#hostSeq = seq;
    if (change.type === 'rooms/requestChanged') {
      this.#patch((state) => ({ ...state, requests: applyRequestChange(state.requests, change.request) }));
    } else if (change.type === 'rooms/admissionChanged') this.#patch((state) => ({ ...state, admits: change.admits }));
    else if (change.type === 'rooms/cameIn') this.cameIn.emit(change);
  }

  #patch(change: (state: RoomState) => RoomState): void {
    this.status.update((now) => (now.status === 'live' ? withState(now, change(now.state)) : now));
  }

  #finish(last: RoomStatus): void {
    if (this.#isOver()) return;
    this.status.set(last);
    this.#stop();
  }

  #stop(): void {
    this.#abort.abort();
    this.#endOfHost?.();
    for (const end of this.#ends.splice(0)) end();
  }

  #isOver(): boolean {
    return this.#abort.signal.aborted;
  }
}

function withState(now: RoomStatus & { status: 'live' }, state: RoomState): RoomStatus {
  return state === now.state ? now : { status: 'live', state };
}

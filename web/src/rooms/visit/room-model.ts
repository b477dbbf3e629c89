/**
 * One room for one member: enters, subscribes to the room's stream, enters again when the copy is incomplete, and maps
 * refusals to states. Emits each change once; chat, playback and requests subscribe. Below, how each change alters the
 * room and its people.
 */
import type { Schedule } from '@tunemate/playback';
import type {
  ErrorCode,
  Participant,
  Refusal,
  Result,
  RoomChange,
  RoomDocument,
  RoomSnapshot,
} from '@tunemate/protocol';
import type { Connection } from '../../connection/port.ts';
import { cell, signal, type Readable, type Signal, type Unsubscribe } from '../../store/cell.ts';
import type { RoomAddress } from '../room-kinds.ts';

export type RefusedReason = 'not-member' | 'not-found' | 'failed';

export type RoomStatus = { readonly status: 'entering' } | { readonly status: 'live' } | OverStatus;

/** Final. */
export type OverStatus =
  | { readonly status: 'refused'; readonly reason: RefusedReason }
  | { readonly status: 'ended' }
  /** `howLong` is null when the server only refused to let the user enter. */
  | { readonly status: 'removed'; readonly howLong: 'for-now' | 'for-good' | null }
  | { readonly status: 'left' };

/** Emitted in this order: the snapshot, changes or further snapshots, the end of the visit. */
export type RoomEvent =
  | { readonly type: 'entered'; readonly snapshot: RoomSnapshot }
  | RoomChange
  | { readonly type: 'over'; readonly status: OverStatus['status'] };

/** The room as of change number `seq` of its stream. */
export interface RoomState {
  readonly seq: number;
  readonly room: RoomDocument;
  /** The proposals for which the user votes. */
  readonly ownVotes: readonly string[];
}

export interface RoomModel {
  readonly status: Readable<RoomStatus>;
  /** Null until the room was entered. */
  readonly state: Readable<RoomState | null>;
  readonly events: Pick<Signal<RoomEvent>, 'subscribe'>;
  /** Ends the membership. `ends` says whether that ends the room; the server refuses when it would do the other. */
  leave(ends: boolean): Promise<Result<object>>;
  /** For what was asked of the server besides: the room as it is known from now on. */
  alter(change: (room: RoomDocument) => RoomDocument): void;
  /** Enters again to complete the copy. Null when that fails or the visit is over. */
  refresh(): Promise<RoomSnapshot | null>;
  /** Stops receiving; the user stays a participant. */
  close(): void;
}

export interface VisitPorts extends RoomAddress {
  readonly connection: Connection;
  readonly selfUid: string;
}

type RoomPorts = VisitPorts & { readonly schedule: Schedule };

/** Enters at once. */
export function createRoomModel(ports: RoomPorts): RoomModel {
  const visit = new RoomVisit(ports);
  void visit.begin();
  return visit;
}

const entering = { status: 'entering' } as const;
const live = { status: 'live' } as const;
const retryMs = 2000;

class RoomVisit implements RoomModel {
  readonly status = cell<RoomStatus>(entering);
  readonly state = cell<RoomState | null>(null);
  readonly events = signal<RoomEvent>();
  readonly #ports: RoomPorts;
  readonly #address: RoomAddress;
  readonly #abort = new AbortController();
  readonly #ends: Unsubscribe[] = [];
  #entering: Promise<RoomSnapshot | null> | null = null;
  /** True while 'rooms/leave' is unanswered: the end of the room or membership may arrive before the answer. */
  #isLeaving = false;

  constructor(ports: RoomPorts) {
    this.#ports = ports;
    this.#address = { kind: ports.kind, code: ports.code };
  }

  async leave(ends: boolean): Promise<Result<object>> {
    this.#isLeaving = true;
    const result = await this.#ports.connection.request('rooms/leave', { ...this.#address, ends });
    this.#isLeaving = false;
    if (!result.ok && !alreadyGone.includes(result.error.code)) return result;
    this.#finish({ status: 'left' });
    return { ok: true, value: {} };
  }

  alter(change: (room: RoomDocument) => RoomDocument): void {
    this.#patch((state) => ({ ...state, room: change(state.room) }));
  }

  async refresh(): Promise<RoomSnapshot | null> {
    return this.#isLive() ? await this.#enter() : null;
  }

  close(): void {
    // Also while entering: the request may have reached the server.
    if (!this.#isOver()) void this.#ports.connection.request('rooms/close', this.#address);
    this.#stop();
  }

  async begin(): Promise<void> {
    const snapshot = await this.#enter();
    if (this.#isOver()) return;
    if (snapshot === null) {
      this.#ends.push(this.#ports.schedule(() => void this.begin(), retryMs));
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

  /** Until there is an answer: without it a host has neither requests nor settings. */
  async #enterAgain(): Promise<void> {
    if ((await this.#enter()) !== null || this.#isOver()) return;
    this.#ends.push(this.#ports.schedule(() => void this.#enterAgain(), retryMs));
  }

  /** One 'rooms/enter' at a time; null when it was refused or the visit is over. */
  #enter(): Promise<RoomSnapshot | null> {
    this.#entering ??= this.#requestEntry().finally(() => (this.#entering = null));
    return this.#entering;
  }

  async #requestEntry(): Promise<RoomSnapshot | null> {
    const { signal } = this.#abort;
    const result = await this.#ports.connection.requestUntilAnswered('rooms/enter', this.#address, { signal });
    if (this.#isOver()) return null;
    if (!result.ok) {
      this.#onRefusal(result.error);
      return null;
    }
    const snapshot = result.value;
    this.state.set(stateFromSnapshot(snapshot));
    this.status.set(live);
    this.events.emit({ type: 'entered', snapshot });
    return snapshot;
  }

  #onRefusal({ code }: Refusal): void {
    const wasLive = this.#isLive();
    if (code === 'room/removed') this.#finish({ status: 'removed', howLong: null });
    else if (code === 'room/not-member') this.#finish({ status: 'refused', reason: 'not-member' });
    else if (code === 'room/ended' || (code === 'room/not-found' && wasLive)) this.#onEnded();
    else if (!wasLive && !ephemeral.includes(code)) {
      // The server refuses an address that it can't parse as invalid.
      const isNowhere = code === 'room/not-found' || code === 'input/invalid';
      this.#finish({ status: 'refused', reason: isNowhere ? 'not-found' : 'failed' });
    }
  }

  #onChange(change: RoomChange, seq: number): void {
    const { selfUid } = this.#ports;
    this.#patch((state) => applyChange(state, seq, change, selfUid));
    // Only the host's snapshot contains the requests to join.
    if (change.type === 'rooms/hostChanged' && change.host === selfUid) void this.#enterAgain();
    this.events.emit(change);
    if (change.type === 'rooms/ended') this.#onEnded();
    if (change.type === 'rooms/participantLeft' && change.uid === selfUid) {
      this.#finish(change.removed ? { status: 'removed', howLong: change.removed } : { status: 'left' });
    }
  }

  /** A host whose other tab ended the room reads that the room is not found. */
  #onEnded(): void {
    const isHost = this.state.get()?.room.host === this.#ports.selfUid;
    if (isHost && this.#isLeaving) this.#finish({ status: 'left' });
    else this.#finish(isHost ? { status: 'refused', reason: 'not-found' } : { status: 'ended' });
  }

  #patch(change: (state: RoomState) => RoomState): void {
    this.state.update((now) => (now === null || !this.#isLive() ? now : change(now)));
  }

  #finish(last: OverStatus): void {
    if (this.#isOver()) return;
    this.status.set(last);
    this.#stop();
    this.events.emit({ type: 'over', status: last.status });
  }

  #stop(): void {
    this.#abort.abort();
    for (const end of this.#ends.splice(0)) end();
  }

  #isLive(): boolean {
    return this.status.get().status === 'live';
  }

  #isOver(): boolean {
    return this.#abort.signal.aborted;
  }
}

/** Refusals of a user who has left already. */
const alreadyGone: readonly ErrorCode[] = ['room/ended', 'room/not-found', 'room/not-member', 'room/removed'];

/** Temporary refusals: another host meanwhile, a busy server, or a refused session, which the session model handles. */
const ephemeral: readonly ErrorCode[] = [
  'room/host-changed',
  'limit/too-many',
  'server/busy',
  'server/unavailable',
  'server/storage-full',
  'auth/required',
  'auth/email-unverified',
  'session/elsewhere',
  'client/outdated',
];

function stateFromSnapshot(snapshot: RoomSnapshot): RoomState {
  const { seq, room, ownVotes } = snapshot;
  return { seq, room, ownVotes };
}

/** The room after one change; the same object when the change concerns chat or playback only. */
function applyRoomChange(room: RoomDocument, change: RoomChange): RoomDocument {
  switch (change.type) {
    case 'rooms/participantJoined':
      return withPeople(room, change.people, [change.participant]);
    case 'rooms/headCount':
      return { ...room, people: change.people };
    case 'rooms/participantLeft':
      return {
        ...room,
        people: change.people,
        participants: room.participants.filter(({ uid }) => uid !== change.uid),
      };
    case 'rooms/participantRenamed':
      return patchPerson(room, change.uid, { name: change.name });
    case 'rooms/participantPresence':
      return patchPerson(room, change.uid, { online: change.online });
    case 'rooms/hostChanged':
      return { ...room, host: change.host, hostAwaySince: change.hostAwaySince, handOver: null };
    case 'rooms/hostAway':
    case 'rooms/handOver': {
      const { type: _type, ...fields } = change;
      return { ...room, ...fields };
    }
    case 'rooms/set':
      return { ...room, ...change.settings };
    case 'rooms/skipVoted':
      return { ...room, skipVotes: withVote(room.skipVotes, change.uid, change.isOn) };
    case 'rooms/skipVotesCleared':
      return { ...room, skipVotes: [] };
    case 'rooms/proposed':
      return { ...room, proposals: [...without(room, change.proposal.id), change.proposal] };
    case 'rooms/proposalVoted':
      return {
        ...room,
        proposals: room.proposals.map((one) =>
          one.id === change.proposalId ? { ...one, votes: change.votes, proposer: change.proposer } : one,
        ),
      };
    case 'rooms/proposalRemoved':
      return { ...room, proposals: without(room, change.proposalId) };
    case 'rooms/ended':
      return { ...room, isActive: false };
    case 'rooms/messageSent':
    case 'rooms/messageEdited':
    case 'rooms/messageDeleted':
    case 'rooms/stamped':
    case 'playback/moved':
    case 'playback/queueChanged':
    case 'playback/controlChanged':
    case 'playback/afterTrackChanged':
      break;
  }
  return room;
}

function applyChange(state: RoomState, seq: number, change: RoomChange, selfUid: string): RoomState {
  const ownVotes = applyOwnVote(state.ownVotes, change, selfUid);
  return { ...state, seq, room: applyRoomChange(state.room, change), ownVotes };
}

function applyOwnVote(votes: readonly string[], change: RoomChange, selfUid: string): readonly string[] {
  if (change.type === 'rooms/proposed' && change.proposal.proposer === selfUid) return [...votes, change.proposal.id];
  if (change.type !== 'rooms/proposalVoted' || change.uid !== selfUid) return votes;
  return withVote(votes, change.proposalId, change.isOn);
}

export function hostName(room: RoomDocument): string {
  return room.participants.find(({ uid }) => uid === room.host)?.name ?? '';
}

/** The host first, then the others in the order in which they joined. */
export function peopleInOrder(room: RoomDocument): readonly Participant[] {
  const isHost = ({ uid }: Participant): boolean => uid === room.host;
  return [...room.participants.filter(isHost), ...room.participants.filter((person) => !isHost(person))];
}

function withVote<Id>(votes: readonly Id[], id: Id, isOn: boolean): Id[] {
  const others = votes.filter((vote) => vote !== id);
  return isOn ? [...others, id] : others;
}

const without = ({ proposals }: RoomDocument, id: string) => proposals.filter((one) => one.id !== id);

/** False in a large room, whose snapshot contains only some participants. */
export const isEveryoneNamed = ({ people, participants }: RoomDocument): boolean => people <= participants.length;

/** Adds or replaces `these` participants; `people` is the number of all in the room. */
export function withPeople(room: RoomDocument, people: number, these: readonly Participant[]): RoomDocument {
  const known = new Map([...room.participants, ...these].map((person) => [person.uid, person]));
  return { ...room, people, participants: [...known.values()] };
}

function patchPerson(room: RoomDocument, uid: string, patch: Partial<Participant>): RoomDocument {
  return {
    ...room,
    participants: room.participants.map((person) => (person.uid === uid ? { ...person, ...patch } : person)),
  };
}

/**
 * What a handler gets: a member of the room that the request names, a pair of people, a chat, or just the caller. The
 * row of the access table says which; it is resolved before the handler runs. A handler writes through its subject,
 * which locks what the row named. In rooms it then checks the caller's right again, by id, because that may have changed
 * while the write waited. Between two people there is no such right: their services read blocks and bonds in the write.
 */
import type { Marks, RequestFact, Role } from '@tunemate/domain';
import type {
  HandOver,
  Admission,
  PairId,
  Payload,
  RequestName,
  RoomCode,
  RoomId,
  RoomKind,
  Uid,
  Value,
  Result,
} from '@tunemate/protocol';
import type { Caller } from '../realtime/caller.ts';
import type { Streams, Writing } from '../storage/record.ts';
import type { AccessRow, socketAccess } from './table.ts';

export interface RoomRow {
  kind: RoomKind;
  roomId: RoomId;
  code: RoomCode;
  name: string;
  host: Uid;
  createdAtMs: number;
  isActive: boolean;
  hostAwaySinceMs: number | null;
  /** The host, away, was warned that the room ends soon. */
  isHostWarned: boolean;
  emptySinceMs: number | null;
  /** Whom the host has asked to take over. It may have expired. */
  offer: HandOver | null;
  admits: Admission;
  isLocked: boolean;
  /** Whether proposals go straight to the queue. */
  everyoneAdds: boolean;
  /** Whether a majority skips a track. */
  majoritySkips: boolean;
}

/** A person's role in a room. */
export interface Membership {
  room: RoomRow;
  role: Role;
  /** Their request to join; null when there is none, and for members. */
  request: RequestFact | null;
}

/** A caller and the room that the request names. */
export interface Seat {
  caller: Caller;
  room: Pick<RoomRow, 'kind' | 'roomId'>;
  /** Set when what was remembered does not hold any more: nothing was done, and the request is to be resolved anew. */
  isOutdated?: boolean;
  /** Reads and checks the membership again. */
  again(): Promise<Result<Membership>>;
  /**
   * One write that holds the room's stream and `others`. The caller's right is checked again once they are locked; what
   * `work` refuses is saved all the same, as with any write.
   */
  write<T>(others: Streams, work: (writing: Writing, now: Membership) => Promise<Result<T>>): Promise<Result<T>>;
}

/** A caller who may do what the request asks in the room it names. */
export interface Member extends Membership, Omit<Seat, 'room'> {}

/** The caller and another person, who has or had an account. */
export interface Pair {
  caller: Caller;
  other: Uid;
  /** One write that holds the own streams of both, and `others`. */
  write<T>(others: Streams, work: (writing: Writing) => Promise<T>): Promise<T>;
}

/** One person's side of a conversation. */
export interface Side extends Marks {
  other: Uid;
  pairId: PairId;
  lastNumber: number;
  lastAtMs: number;
  unread: number;
  /** Messages this person sent since the other last wrote. */
  unanswered: number;
}

/** A conversation that the caller is one of the two of. */
export interface Chat extends Pair {
  side: Side;
}

/** The subject that the row of this request gives to its handler. */
export type SubjectOf<Name extends RequestName> =
  (typeof socketAccess)[Name] extends Required<Pick<AccessRow, 'room' | 'decided'>>
    ? Seat
    : (typeof socketAccess)[Name] extends Required<Pick<AccessRow, 'room'>>
      ? Member
      : (typeof socketAccess)[Name] extends Required<Pick<AccessRow, 'person'>>
        ? Pair
        : (typeof socketAccess)[Name] extends Required<Pick<AccessRow, 'chat'>>
          ? Chat
          : Caller;

/** Answers one request. Its payload has been checked against the protocol. */
export type Handler<Name extends RequestName> = (
  subject: SubjectOf<Name>,
  payload: Payload<Name>,
) => Promise<Result<Value<Name>>>;
export type Handlers = { [Name in RequestName]: Handler<Name> };

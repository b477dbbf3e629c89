/**
 * As what somebody acts: a member of the room that the request names, one of two people, or just themselves. The row of
 * the access table says which; it is resolved before the handler runs, and the handler gets nothing else. To change
 * anything it writes as that subject, which checks again behind the locks, by id: things change while a write waits.
 */
import type { Marks, RequestFact, Role } from '@tunemate/domain';
import type { PairId, Payload, RequestName, RoomCode, RoomId, RoomKind, Uid, Value } from '@tunemate/protocol';
import type { Outcome } from '../ports.ts';
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
  emptySinceMs: number | null;
}

/** What somebody is to a room. */
export interface Membership {
  room: RoomRow;
  role: Role;
  /** Their request to join; null when there is none, and for whoever is inside. */
  request: RequestFact | null;
}

/** Somebody who may do what the request asks in the room it names. */
export interface Member extends Membership {
  caller: Caller;
  /** The same, read anew: by now they may be refused. */
  again(): Promise<Outcome<Membership>>;
  /**
   * One write that holds the room's stream and `others`. Whether the caller still may is checked behind the locks; what
   * `work` refuses is saved all the same, as with any write.
   */
  write<T>(others: Streams, work: (writing: Writing, now: Membership) => Promise<Outcome<T>>): Promise<Outcome<T>>;
}

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

/** What the row of this request hands to its handler. */
export type SubjectOf<Name extends RequestName> =
  (typeof socketAccess)[Name] extends Required<Pick<AccessRow, 'room'>>
    ? Member
    : (typeof socketAccess)[Name] extends Required<Pick<AccessRow, 'person'>>
      ? Pair
      : (typeof socketAccess)[Name] extends Required<Pick<AccessRow, 'chat'>>
        ? Chat
        : Caller;

/** What answers one request. Its payload was checked against the protocol. */
export type Handler<Name extends RequestName> = (
  subject: SubjectOf<Name>,
  payload: Payload<Name>,
) => Promise<Outcome<Value<Name>>>;
export type Handlers = { [Name in RequestName]: Handler<Name> };

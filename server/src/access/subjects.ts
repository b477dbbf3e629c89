/**
 * What a handler gets: the room that the request names, a pair of people, a chat, or just the caller. The request's
 * declaration in the protocol says which. A handler reads and writes a room through its subject alone, which checks the
 * caller's right first; in a write, once the room's stream is locked, because the right may have changed while the
 * write waited. Between two people there is no such right: their services read blocks and bonds in the write.
 */
import type { Marks, RequestFact, Role } from '@tunemate/domain';
import type {
  HandOver,
  PairId,
  Payload,
  RequestName,
  RoomNeed,
  socketRequests,
  RoomCode,
  RoomId,
  RoomKind,
  RoomSettings,
  StreamId,
  Uid,
  Value,
  Result,
} from '@tunemate/protocol';
import type { Caller } from './caller.ts';
import type { Streams, Writing } from '../storage/record.ts';
import type { Db, RoomRef } from '../storage/schema.ts';

/** A room as it is stored, with its settings. */
export interface RoomRow extends RoomSettings {
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
}

/** A person's role in a room. */
export interface Membership {
  room: RoomRow;
  role: Role;
  /** Their request to join; null when there is none, and for members. */
  request: RequestFact | null;
}

/**
 * Further streams of a write in a room: a function where they follow from the room, or only the database knows them.
 */
export type RoomStreams =
  | readonly StreamId[]
  | ((room: RoomRef, db: Db) => readonly StreamId[] | Promise<readonly StreamId[]>);

/**
 * A caller and the room that the request names. The room is found, and the caller's right checked, by `read` and by
 * `write`; both refuse in the place of `work`. Once read, the subject keeps its room, even if another has the code
 * then.
 */
export interface Member {
  caller: Caller;
  read<T>(work: (now: Membership) => Result<T> | Promise<Result<T>>): Promise<Result<T>>;
  /**
   * One write that holds the room's stream and `others`. The right is checked once they are locked; what `work` refuses
   * is saved all the same, as with any write.
   */
  write<T>(
    others: RoomStreams,
    work: (writing: Writing, now: Membership) => Result<T> | Promise<Result<T>>,
  ): Promise<Result<T>>;
  /** Whether the right was checked yet. */
  isChecked(): boolean;
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
  /** Reactions up to this revision of the chat were on this person's screen. */
  seenRevision: number;
  /** This person deleted the chat for themselves up to this message. */
  clearedUpTo: number;
  /** After how many days a new message goes; null for never. */
  goesAfterDays: number | null;
}

/** A conversation that the caller is one of the two of. */
export interface Chat extends Pair {
  side: Side;
}

/** Resolves names of each kind, or refuses. Rooms are resolved when the handler reads or writes them. */
export interface Subjects {
  room: (caller: Caller, named: { kind: RoomKind; code: string }, need: RoomNeed) => Member;
  person: (caller: Caller, uid: Uid | null) => Promise<Result<Pair>>;
  chat: (caller: Caller, pairId: string) => Promise<Result<Chat>>;
}

type NeedsOf<Name extends RequestName> = (typeof socketRequests)[Name] extends { needs: infer Needs } ? Needs : object;

/** The subject that the declaration of this request gives to its handler. */
export type SubjectOf<Name extends RequestName> =
  NeedsOf<Name> extends { room: RoomNeed }
    ? Member
    : NeedsOf<Name> extends { person: 'known' }
      ? Pair
      : NeedsOf<Name> extends { chat: 'own' }
        ? Chat
        : Caller;

/** Answers one request. Its payload has been checked against the protocol. */
export type Handler<Name extends RequestName> = (
  subject: SubjectOf<Name>,
  payload: Payload<Name>,
) => Promise<Result<Value<Name>>>;
export type Handlers = { [Name in RequestName]: Handler<Name> };

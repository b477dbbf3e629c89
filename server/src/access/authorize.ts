/**
 * Enforces the access table: gives each handler the room, person or chat that its request names, as a subject that
 * refuses what the caller may not do. It knows neither rooms nor chats; `Subjects` resolve names and decide.
 */
import type { RoomNeed } from '@tunemate/domain';
import type { Payload, RequestName, RoomKind, Uid, Value, Result } from '@tunemate/protocol';
import { accept, refuse } from '../system/ports.ts';
import type { Caller } from './caller.ts';
import type { Chat, Handlers, Member, Pair } from './subjects.ts';
import { type AccessRow, socketAccess } from './table.ts';

/** Resolves names of each kind, or refuses. Rooms are resolved when the handler reads or writes them. */
export interface Subjects {
  room: (caller: Caller, named: { kind: RoomKind; code: string }, need: RoomNeed) => Member;
  person: (caller: Caller, uid: Uid | null) => Promise<Result<Pair>>;
  chat: (caller: Caller, pairId: string) => Promise<Result<Chat>>;
}

/** The handlers behind the table, each taking the caller and the payload. */
export type Answers<Names extends RequestName = RequestName> = {
  [Name in Names]: (caller: Caller, payload: Payload<Name>) => Promise<Result<Value<Name>>>;
};

type Subject = Member | Pair | Caller;
type AnyHandler = (subject: Subject, payload: unknown) => Promise<Result<unknown>>;

export function authorized<Names extends RequestName>(
  handlers: Pick<Handlers, Names>,
  subjects: Subjects,
): Answers<Names> {
  const guard = (name: RequestName, handler: AnyHandler) => {
    const row: AccessRow = socketAccess[name];
    return async (caller: Caller, payload: unknown): Promise<Result<unknown>> => {
      const subject = await subjectOf(row, subjects, caller, payload);
      const outcome = subject.ok ? await handler(subject.value, payload) : subject;
      // Only such a row gives a member.
      const isUnchecked = row.room !== undefined && subject.ok && !(subject.value as Member).isChecked();
      if (outcome.ok && isUnchecked) throw new Error(`${name} was answered without a look at the right of the caller`);
      const instead = outcome.ok ? undefined : row.refusesWith?.[outcome.error.code];
      return instead === undefined ? outcome : refuse(instead);
    };
  };
  const entries = Object.entries<AnyHandler>(handlers as Record<Names, AnyHandler>);
  // Each name keeps its own handler, and the payload has been checked against the schema of that name.
  return Object.fromEntries(
    entries.map(([name, handler]) => [name, guard(name as RequestName, handler)]),
  ) as Answers<Names>;
}

async function subjectOf(
  row: AccessRow,
  subjects: Subjects,
  caller: Caller,
  payload: unknown,
): Promise<Result<Subject>> {
  if (row.room !== undefined) return accept(subjects.room(caller, payload as Payload<'rooms/enter'>, row.room));
  if (row.person !== undefined) return await subjects.person(caller, (payload as Payload<'chats/block'>).uid);
  if (row.chat !== undefined) return await subjects.chat(caller, (payload as Payload<'chats/mark'>).pairId);
  return accept(caller);
}

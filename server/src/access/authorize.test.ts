/** The needs of requests at work: a handler is called with a subject that may, or not at all. */
import type { Result, TabId, Uid } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { accept, refuse } from '../system/ports.ts';
import type { Caller } from './caller.ts';
import { authorized, type Subjects } from '../realtime/requests.ts';
import type { Chat, Member, Pair } from './subjects.ts';

const caller: Caller = {
  uid: 'A'.repeat(22) as Uid,
  sessionId: 's',
  connectionId: 'c',
  tabId: 't' as TabId,
  address: '127.0.0.1',
};
const room = { kind: 'video', code: 'A1B2C3' } as const;

/** A member of a room, or who is refused as one. */
function memberWho(outcome: Result<unknown>): Member {
  let wasChecked = false;
  const check = () => {
    wasChecked = true;
    return Promise.resolve(outcome as Result<never>);
  };
  return { caller, read: check, write: check, isChecked: () => wasChecked };
}

/** Handlers that record their arguments, with subjects whose answers the test sets. */
function stage(answers: Partial<Record<keyof Subjects, ReturnType<typeof refuse>>>) {
  const handed: unknown[] = [];
  const asked: unknown[] = [];
  const note = (subject: unknown) => {
    handed.push(subject);
    return Promise.resolve(accept({}));
  };
  const noteMember = async (member: Member) => {
    handed.push('a member');
    return await member.write([], () => accept({}));
  };
  const subjects: Subjects = {
    room: (_caller, _named, need) => {
      asked.push(need);
      return memberWho(answers.room ?? accept({}));
    },
    person: () => Promise.resolve(answers.person ?? accept('a pair' as unknown as Pair)),
    chat: () => Promise.resolve(answers.chat ?? accept('a chat' as unknown as Chat)),
  };
  const handlers = {
    'rooms/leave': noteMember,
    'rooms/acceptRequest': noteMember,
    'catalogue/search': noteMember,
    'rooms/people': note,
    'chats/block': note,
    'chats/mark': note,
    'notifications/markRead': note,
  };
  return {
    handed,
    asked,
    ask: authorized(handlers as never, subjects) as Record<
      keyof typeof handlers,
      (caller: Caller, payload: unknown) => Promise<unknown>
    >,
  };
}

test('ACCESS-30 a handler is handed what the row of its request names', async () => {
  const { ask, handed, asked } = stage({});
  await ask['rooms/leave'](caller, room);
  await ask['rooms/acceptRequest'](caller, { ...room, uid: caller.uid });
  await ask['chats/block'](caller, { uid: caller.uid, isBlocked: true });
  await ask['chats/mark'](caller, { pairId: 'x', deliveredUpTo: 1, readUpTo: 1 });
  await ask['notifications/markRead'](caller, {});
  expect(handed).toEqual(['a member', 'a member', 'a pair', 'a chat', caller]);
  expect(asked).toEqual(['member', 'host']);
});

test('ACCESS-31 a caller without permission is refused, with a code that the row allows', async () => {
  const { ask, handed } = stage({
    room: refuse('room/not-found'),
    person: refuse('access/not-found'),
    chat: refuse('access/not-found'),
  });
  expect(await ask['rooms/leave'](caller, room)).toEqual(refuse('room/not-found'));
  expect(await ask['catalogue/search'](caller, { ...room, query: 'rain' })).toEqual(refuse('room/not-member'));
  expect(await ask['chats/block'](caller, { uid: null, isBlocked: true })).toEqual(refuse('access/not-found'));
  expect(await ask['chats/mark'](caller, {})).toEqual(refuse('access/not-found'));
  // A room refuses where it is read; people and chats before the handler runs.
  expect(handed).toEqual(['a member', 'a member']);
});

test('a handler that answers without a look at the right of the caller is a bug, and its answer is not sent', async () => {
  const { ask } = stage({});
  await expect(ask['rooms/people'](caller, { ...room, which: { type: 'after', uid: null } })).rejects.toThrow(
    'rooms/people was answered without a look at the right',
  );
});

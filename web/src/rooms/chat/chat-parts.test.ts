import { describe, expect, test } from 'vitest';
import type { RoomChange, RoomMessage, StampName, Uid } from '@tunemate/protocol';
import { uidOf } from '../../../testing/connection-fixtures.ts';
import type { MessageLog } from '../../messages/message-log.ts';
import { createReactions, withMessageChange } from './chat-model.ts';
import { message } from '../../../testing/room-fixtures.ts';
import { isNamed, mentionParts } from './ChatText.tsx';

const self = uidOf('Mara');
const people = ['Mara Lindqvist', 'Ada', 'Ada Okafor', 'Mar', 'राज', 'मीरा देवी', 'محمد'].map((name) => ({
  uid: uidOf(name.replace(' ', '')),
  name,
}));
const log: MessageLog<RoomMessage> = { messages: [message(1), message(2)], hasEarlierMessages: false };
const stamped = (uid: Uid, stamp: StampName, count: number, isOn = true) =>
  ({ type: 'rooms/stamped', messageId: 'm1', uid, stamp, isOn, count }) as const;

describe('names after an @', () => {
  test.each([
    ['@Mara the rain session next', ['@Mara', ' the rain session next']],
    ['yes @mara lindqvist, please', ['yes ', '@mara lindqvist', ', please']],
    ['@Ada Okafor and @Ada.', ['@Ada Okafor', ' and ', '@Ada', '.']],
    ['@Adam @Marathon mail@ada.example @nobody', ['@Adam @Marathon mail@ada.example @nobody']],
    ['@', ['@']],
    ['@राज, @मीरा!', ['@राज', ', ', '@मीरा', '!']],
    ['@राजू कि@राज', ['@राजू कि@राज']],
    ['أهلاً @محمد، نعم', ['أهلاً ', '@محمد', '، نعم']],
  ])('%s', (text, expected) => {
    const parts = mentionParts(text, people).map((part) => (typeof part === 'string' ? part : part.mention));
    expect(parts).toEqual(expected);
  });

  test('match full and first names of participants', () => {
    expect(isNamed('hello @Mara', people, uidOf('MaraLindqvist'))).toBe(true);
    expect(isNamed('hello @Mara', people, uidOf('Mar'))).toBe(false);
    expect(isNamed('hello Mara', people, uidOf('MaraLindqvist'))).toBe(false);
  });
});

describe('messages that are loaded', () => {
  test('lose their text and stamps when the host deletes them', () => {
    const before = withMessageChange(log, stamped(self, 'love', 1), self);
    const after = withMessageChange(before, { type: 'rooms/messageDeleted', messageId: 'm1' }, self);
    expect(after.messages[0]).toEqual({ ...message(1), text: '', isDeleted: true });
    expect(after.messages[1]).toEqual(message(2));
  });

  test('count stamps, mark the user’s own, and keep their sequence', () => {
    const other = uidOf('Ivo');
    const changes = [stamped(self, 'fire', 1), stamped(other, 'love', 1), stamped(other, 'fire', 2)];
    const after = changes.reduce((now, change) => withMessageChange(now, change, self), log);
    expect(after.messages[0]?.stamps).toEqual([
      { stamp: 'love', count: 1, isMine: false },
      { stamp: 'fire', count: 2, isMine: true },
    ]);
    const taken = [stamped(self, 'fire', 1, false), stamped(other, 'love', 0, false)];
    expect(taken.reduce((now, change) => withMessageChange(now, change, self), after).messages[0]?.stamps).toEqual([
      { stamp: 'fire', count: 1, isMine: false },
    ]);
  });

  test('stay as they are when the changed one is not loaded', () => {
    expect(withMessageChange(log, { type: 'rooms/messageDeleted', messageId: 'other' }, self)).toBe(log);
  });
});

describe('stamps that rise', () => {
  const reaction: RoomChange = { type: 'rooms/cheered', uid: self, stamp: 'wow' };
  function start() {
    const timers: (() => void)[] = [];
    const reactions = createReactions((run) => {
      timers.push(run);
      return () => undefined;
    });
    return { reactions, pass: () => timers.splice(0).forEach((run) => run()) };
  }

  test('are twelve at most, and disappear when they have risen', () => {
    const { reactions } = start();
    for (let n = 0; n < 20; n += 1) reactions.receive(reaction);
    expect(reactions.rising.get()).toHaveLength(12);
    reactions.risen(reactions.rising.get()[0]?.key ?? 0);
    expect(reactions.rising.get()).toHaveLength(11);
  });

  test('rise for a stamp on a message too, and not for a removed one', () => {
    const { reactions } = start();
    reactions.receive(stamped(self, 'love', 1));
    reactions.receive(stamped(self, 'love', 0, false));
    expect(reactions.rising.get().map(({ stamp }) => stamp)).toEqual(['love']);
  });

  test('are announced as a number, once a minute at most', () => {
    const { reactions, pass } = start();
    for (let n = 0; n < 14; n += 1) reactions.receive(reaction);
    expect(reactions.announced.get()).toBe('');
    pass();
    expect(reactions.announced.get()).toBe('14 reactions');
    reactions.receive(reaction);
    expect(reactions.announced.get()).toBe('14 reactions');
    pass();
    expect(reactions.announced.get()).toBe('1 reaction');
    pass();
    expect(reactions.announced.get()).toBe('1 reaction');
  });
});

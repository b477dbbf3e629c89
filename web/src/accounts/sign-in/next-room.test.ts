import { expect, test } from 'vitest';
import { roomLinkOf, roomOf, sharedRoom } from './next-room.ts';

test.each([
  ['/join?code=7f3a9c', 'video', '/join?code=7F3A9C'],
  ['/join-audio-room?x=1&code=7F3A9C&ask=1', 'audio', '/join-audio-room?code=7F3A9C'],
])('the link %s of a shared room is written in one way, without anything else of it', (next, kind, link) => {
  expect(sharedRoom(next)).toEqual({ kind, code: '7F3A9C' });
  expect(roomLinkOf(next)).toBe(link);
});

test.each(['/', '/join', '/join?code=nothing', '/tunemate/7F3A9C', '/create?code=7F3A9C'])(
  '%s is no link of a shared room',
  (next) => expect(sharedRoom(next)).toBeUndefined(),
);

test('a mail is asked for with the room that the next page is of, and with no other page', () => {
  expect(roomOf('/join?code=7F3A9C')).toEqual({ room: { kind: 'video', code: '7F3A9C' } });
  expect(roomOf('/audio-room/b04e21')).toEqual({ room: { kind: 'audio', code: 'B04E21' } });
  for (const next of ['/', '/chats', '/join', '/join?code=nothing', '/chat/b04e21']) expect(roomOf(next)).toEqual({});
});

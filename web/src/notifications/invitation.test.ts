import { noticeMessage, noticeTypes, type Notification, type RoomCode, type Uid } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { invitationOf } from './invitation.ts';
import { messageOf } from './notice-words.ts';

const sentMs = 1_000_000;
const hoursMs = 3_600_000;
const invitation = (room: Partial<NonNullable<Notification['room']>> | null): Notification => ({
  id: 'n',
  type: 'now-playing',
  message: 'Ada invites you to Owls',
  senderName: 'Ada',
  senderUid: 'a'.repeat(22) as Uid,
  timestamp: sentMs,
  isRead: false,
  room: room && {
    kind: 'audio',
    code: 'ABC123' as RoomCode,
    name: 'Owls',
    letsInUntil: sentMs + 12 * hoursMs,
    hasEnded: false,
    ...room,
  },
});

test.each([
  ['straight in for twelve hours', {}, 12 * hoursMs - 1, 'in', 'Audio room, you can come straight in'],
  ['nowhere after twelve hours', {}, 12 * hoursMs, 'over', 'The invitation is older than 12 hours'],
  ['to asking, from a guest', { letsInUntil: null, kind: 'video' as const }, 1, 'ask', 'Video room, the host is asked'],
  ['nowhere once the room has ended', { hasEnded: true }, 1, 'over', 'The room has ended'],
] as const)('an invitation leads %s, and says so', (_, room, afterMs, leads, detail) => {
  expect(invitationOf(invitation(room), sentMs + afterMs)).toEqual({ leads, detail });
});

test('an invitation without a room leads to the chat alone', () => {
  expect(invitationOf(invitation(null), sentMs)).toEqual({ leads: 'none' });
});

test('an expired invitation is in the past tense, whatever the person is called', () => {
  expect(messageOf(invitation({}))).toBe('Ada invites you to Owls');
  expect(messageOf(invitation({}), true)).toBe('Ada invited you to Owls');
  const named = {
    ...invitation({}),
    senderName: 'Eve invites you to tea',
    message: 'Eve invites you to tea invites you to Owls',
  };
  expect(messageOf(named, true)).toBe('Eve invites you to tea invited you to Owls');
});

test('in English a page says what the server stores for exports', () => {
  for (const type of noticeTypes) {
    for (const room of [null, { hasEnded: false }, { hasEnded: true }]) {
      const about = { ...invitation(room), type };
      const message = noticeMessage(about);
      expect(messageOf({ ...about, message }, room?.hasEnded)).toBe(message);
    }
  }
});

import { describe, expect, test } from 'vitest';
import { dayMs, refusalToWrite, type WritingFacts } from './chats.ts';

const stranger: WritingFacts = {
  isSelf: false,
  otherExists: true,
  isBlocked: false,
  areConnected: false,
  messages: 0,
  unanswered: 0,
  openedAtMs: [],
  nowMs: dayMs * 10,
};
/** In plain numbers, so that the test does not share the constant it checks. */
const hoursMs = (hours: number): number => hours * 3_600_000;
const tenToday = Array.from({ length: 10 }, (_, index) => dayMs * 9 + (index + 1) * 1000);

describe('writing to a person', () => {
  test.each([
    ['CHAT-3 is refused to oneself', { isSelf: true }, 'input/invalid'],
    ['CHAT-3 is refused where the account was deleted', { otherExists: false }, 'access/not-found'],
    ['CHAT-4 is refused where one has blocked the other', { isBlocked: true, areConnected: true }, 'access/forbidden'],
    ['CHAT-6 stops after five unanswered first messages', { messages: 5, unanswered: 5 }, 'chat/first-contact-limit'],
  ] as const)('%s', (_, facts, code) => {
    expect(refusalToWrite({ ...stranger, ...facts })?.code).toBe(code);
  });

  test.each([
    ['CHAT-6 allows the fifth', { messages: 4, unanswered: 4 }],
    ['CHAT-6 is free once the other has answered', { messages: 9, unanswered: 8 }],
    ['CHAT-6 is free between tunemates', { messages: 9, unanswered: 9, areConnected: true }],
    ['CHAT-5 does not count tunemates as strangers', { areConnected: true, openedAtMs: tenToday }],
    ['CHAT-5 lets a conversation that exists go on', { messages: 1, openedAtMs: tenToday }],
    ['CHAT-5 allows the tenth', { openedAtMs: tenToday.slice(1) }],
  ] as const)('%s', (_, facts) => {
    expect(refusalToWrite({ ...stranger, ...facts })).toBeNull();
  });

  test('refuses the eleventh new conversation with a stranger in a day, and says when to try again', () => {
    expect(refusalToWrite({ ...stranger, openedAtMs: tenToday })).toEqual({
      code: 'chat/first-contact-limit',
      retryAfterMs: 1000,
    });
  });

  test('frees a place 24 hours after the oldest of the ten', () => {
    const nowMs = hoursMs(240);
    const openedAtMs = Array.from({ length: 10 }, (_, index) => nowMs - hoursMs(20 - index));
    expect(refusalToWrite({ ...stranger, nowMs, openedAtMs })?.retryAfterMs).toBe(hoursMs(4));
  });

  test('does not treat a chat without messages as an unanswered one', () => {
    expect(refusalToWrite({ ...stranger, messages: 0, unanswered: 5 })).toBeNull();
  });
});

import { describe, expect, test } from 'vitest';
import { decidePresenceUpdate } from './people.ts';

const sentAtMs = 100_000;

describe.each([true, false])('presence last sent as online: %s', (isShownOnline) => {
  const decide = (nowMs: number, isConnected: boolean) =>
    decidePresenceUpdate({ isShownOnline, sentAtMs, isConnected, nowMs }).type;

  test.each([
    [sentAtMs, 'later'],
    [sentAtMs + 4999, 'later'],
    [sentAtMs + 5000, 'now'],
    [sentAtMs - 1, 'now'],
  ])('a change is sent 5 s after the last one at the earliest (at %i ms: %s) (PRES-16)', (nowMs, type) => {
    expect(decide(nowMs, !isShownOnline)).toBe(type);
  });

  test.each([sentAtMs, sentAtMs + 60_000])('an unchanged state is not sent again (at %i ms) (PRES-16)', (nowMs) => {
    expect(decide(nowMs, isShownOnline)).toBe('none');
  });
});

test('a change that comes too soon is due 5 s after the last update (PRES-16)', () => {
  const fact = { isShownOnline: true, sentAtMs, isConnected: false, nowMs: sentAtMs + 1200 };
  expect(decidePresenceUpdate(fact)).toEqual({ type: 'later', atMs: sentAtMs + 5000 });
});

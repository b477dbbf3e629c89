import { describe, expect, test } from 'vitest';
import { decideTelling } from './telling.ts';

const toldAtMs = 100_000;

describe.each([true, false])('presence last sent as online: %s', (isToldOnline) => {
  const decide = (nowMs: number, isConnected: boolean) =>
    decideTelling({ isToldOnline, toldAtMs, isConnected, nowMs }).type;

  test.each([
    [toldAtMs, 'later'],
    [toldAtMs + 4999, 'later'],
    [toldAtMs + 5000, 'now'],
    [toldAtMs - 1, 'now'],
  ])('PRES-16 a change is sent 5 s after the last one at the earliest (at %i ms: %s)', (nowMs, type) => {
    expect(decide(nowMs, !isToldOnline)).toBe(type);
  });

  test.each([toldAtMs, toldAtMs + 60_000])('PRES-16 an unchanged state is not sent again (at %i ms)', (nowMs) => {
    expect(decide(nowMs, isToldOnline)).toBe('none');
  });
});

test('PRES-16 a change that comes too soon is due 5 s after the last telling', () => {
  const fact = { isToldOnline: true, toldAtMs, isConnected: false, nowMs: toldAtMs + 1200 };
  expect(decideTelling(fact)).toEqual({ type: 'later', atMs: toldAtMs + 5000 });
});

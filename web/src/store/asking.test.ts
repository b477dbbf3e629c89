import type { Result } from '@tunemate/protocol';
import { beforeEach, afterEach, expect, test, vi } from 'vitest';
import { asking } from './asking.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Answers one after the other, the last one again and again. */
function answering(...answers: Result<string>[]) {
  const taken: Result<string>[] = [];
  const ask = vi.fn(() => Promise.resolve(answers[Math.min(ask.mock.calls.length, answers.length) - 1] ?? unanswered));
  const end = asking(ask, (answer) => taken.push(answer));
  return { taken, ask, end };
}
const unanswered: Result<string> = { ok: false, error: { code: 'server/unavailable' } };
const answered: Result<string> = { ok: true, value: 'the list' };
const tooMany: Result<string> = { ok: false, error: { code: 'limit/too-many', retryAfterMs: 60_000 } };

test('what is refused for now is asked again until it is there, and not sooner than the server says', async () => {
  const { taken, ask } = answering(tooMany, unanswered, answered);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([ask.mock.calls.length, taken]).toEqual([1, []]);
  await vi.advanceTimersByTimeAsync(1000);
  expect([ask.mock.calls.length, taken]).toEqual([2, []]);
  await vi.advanceTimersByTimeAsync(2000);
  expect([ask.mock.calls.length, taken]).toEqual([3, [answered]]);
  await vi.runAllTimersAsync();
  expect(ask).toHaveBeenCalledTimes(3);
});

test('what is refused for good is taken as it is', async () => {
  const forbidden: Result<string> = { ok: false, error: { code: 'access/forbidden' } };
  const { taken, ask } = answering(forbidden);
  await vi.runAllTimersAsync();
  expect([ask.mock.calls.length, taken]).toEqual([1, [forbidden]]);
});

test('nothing is asked again once it has ended', async () => {
  const { taken, ask, end } = answering(unanswered, answered);
  await vi.advanceTimersByTimeAsync(0);
  end();
  await vi.runAllTimersAsync();
  expect([ask.mock.calls.length, taken]).toEqual([1, []]);
});

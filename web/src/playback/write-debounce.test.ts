import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flushWrite, nothingWritten, requestWrite, type WriteDebounce } from './host-commands.ts';

describe('writes', () => {
  test('a single command is sent at once (SYNC-26)', () => {
    const first = requestWrite<string>(nothingWritten, 'play', 0);
    expect(first.send).toBe('play');
    expect(requestWrite(first.state, 'pause', 300).send).toBe('pause');
  });

  test('commands within 300 ms become one, the last (SYNC-26)', () => {
    const first = requestWrite<string>(nothingWritten, 'play', 0);
    const second = requestWrite(first.state, 'pause', 100);
    const third = requestWrite(second.state, 'next', 200);
    expect([second.send, third.send]).toEqual([null, null]);
    expect(third.state.waiting?.dueAtMs).toBe(500);
    expect(flushWrite(third.state, 499).send).toBeNull();
    const flushed = flushWrite(third.state, 500);
    expect(flushed.send).toBe('next');
    expect(flushWrite(flushed.state, 900).send).toBeNull();
  });

  test('writes are never closer than 300 ms, and the last command is never lost (SYNC-26)', () => {
    const gaps = fc.array(fc.nat(700), { minLength: 1 });
    fc.assert(
      fc.property(gaps, (gapsMs) => {
        let state: WriteDebounce<number> = nothingWritten;
        const sent: { atMs: number; write: number }[] = [];
        const take = (atMs: number, decision: { state: WriteDebounce<number>; send: number | null }): void => {
          state = decision.state;
          if (decision.send !== null) sent.push({ atMs, write: decision.send });
        };
        const flushUntil = (nowMs: number): void => {
          const dueAtMs = state.waiting?.dueAtMs;
          if (dueAtMs !== undefined && dueAtMs <= nowMs) take(dueAtMs, flushWrite(state, dueAtMs));
        };
        let nowMs = 0;
        for (const [index, gapMs] of gapsMs.entries()) {
          nowMs += gapMs;
          flushUntil(nowMs);
          take(nowMs, requestWrite(state, index, nowMs));
        }
        flushUntil(Number.POSITIVE_INFINITY);
        expect(sent.at(-1)?.write).toBe(gapsMs.length - 1);
        for (const [index, one] of sent.entries()) {
          const before = sent[index - 1];
          if (before !== undefined) expect(one.atMs - before.atMs).toBeGreaterThanOrEqual(300);
        }
      }),
    );
  });
});

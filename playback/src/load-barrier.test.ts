import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type LoadStatus, loadBarrier } from './load-barrier.ts';

const statuses = fc.array(fc.constantFrom<LoadStatus>('loading', 'ready', 'unable'));

it('SYNC-10 waits while somebody loads, until three seconds after the change', () => {
  expect(loadBarrier(['ready', 'loading'], 1000, 1500)).toEqual({ type: 'wait', untilMs: 4000 });
  expect(loadBarrier(['ready', 'loading'], 1000, 4000)).toEqual({ type: 'start' });
});

it('SYNC-10 starts at once when everybody is ready, unable, or gone', () => {
  for (const all of [['ready', 'ready'], ['ready', 'unable'], []] as LoadStatus[][]) {
    expect(loadBarrier(all, 1000, 1000)).toEqual({ type: 'start' });
  }
});

it('SYNC-10 nobody ever holds the room for more than three seconds', () => {
  fc.assert(
    fc.property(statuses, fc.nat(1e9), fc.nat(10_000), (all, changedAtMs, afterMs) => {
      const decision = loadBarrier(all, changedAtMs, changedAtMs + afterMs);
      if (afterMs >= 3000) expect(decision.type).toBe('start');
      else expect(decision.type).toBe(all.includes('loading') ? 'wait' : 'start');
    }),
  );
});

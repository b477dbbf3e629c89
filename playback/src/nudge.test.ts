import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deadBand, planNudge } from './nudge.ts';
import { YOUTUBE_CAPABILITIES } from './player.ts';

const FINE = { type: 'fine' } as const;
const STEPS = YOUTUBE_CAPABILITIES.rateControl;
const need = (behindSeconds: number, change: Partial<Parameters<typeof planNudge>[1]> = {}) => ({
  behindSeconds,
  costSeconds: 0.021,
  isHurried: false,
  wakeLatenessMs: 0,
  ...change,
});
const drifts = fc.double({ min: -1.5, max: 1.5, noNaN: true });

describe('a nudge of a fine player', () => {
  it('SYNC-13 makes up for the drift and for what the rate changes cost', () => {
    fc.assert(
      fc.property(drifts, fc.boolean(), (behindSeconds, isHurried) => {
        const nudge = planNudge(FINE, need(behindSeconds, { isHurried }));
        const gainedSeconds = (((nudge?.rate ?? 1) - 1) * (nudge?.durationMs ?? 0)) / 1000;
        expect(gainedSeconds).toBeCloseTo(behindSeconds + 0.021, 9);
      }),
    );
  });

  it('SYNC-13 stays within 5 % of rate 1, within 15 % right after a start', () => {
    fc.assert(
      fc.property(drifts, fc.boolean(), (behindSeconds, isHurried) => {
        const rate = planNudge(FINE, need(behindSeconds, { isHurried }))?.rate ?? 1;
        expect(rate).not.toBe(1);
        expect(Math.abs(rate - 1)).toBeLessThanOrEqual((isHurried ? 0.15 : 0.05) + 1e-9);
      }),
    );
  });

  it('SYNC-13 lasts half a second to two seconds for an ordinary drift', () => {
    for (const behindSeconds of [-0.06, -0.012, 0.007, 0.015, 0.07]) {
      const durationMs = planNudge(FINE, need(behindSeconds))?.durationMs ?? 0;
      expect(durationMs).toBeGreaterThanOrEqual(499.9);
      expect(durationMs).toBeLessThanOrEqual(2000.1);
    }
  });

  it('is slower where timers are late, so that the end cannot overshoot', () => {
    expect(planNudge(FINE, need(0.02, { wakeLatenessMs: 1000 }))?.durationMs).toBeCloseTo(3000, 6);
  });
});

describe('a burst of a coarse player', () => {
  it('SYNC-20 runs at 0.75 or 1.25', () => {
    expect(planNudge(STEPS, need(0.5))).toEqual({ rate: 1.25, durationMs: 2000 });
    expect(planNudge(STEPS, need(-0.2))).toEqual({ rate: 0.75, durationMs: 800 });
  });

  it('SYNC-20 takes the next step only when it would otherwise last more than four seconds', () => {
    expect(planNudge(STEPS, need(1.8))).toEqual({ rate: 1.5, durationMs: 3600 });
    expect(planNudge(STEPS, need(-1.2))).toEqual({ rate: 0.5, durationMs: 2400 });
  });

  it('is not tried where no rate would help', () => {
    expect(planNudge({ type: 'steps', rates: [1] }, need(0.5))).toBeNull();
    expect(planNudge({ type: 'none' }, need(0.5))).toBeNull();
  });
});

describe('the dead band', () => {
  it('SYNC-12 is 6 ms for fine players, 15 ms right after a start, and about 150 ms for coarse ones', () => {
    expect(deadBand(FINE, [], 0, false)).toBe(0.006);
    expect(deadBand(FINE, [], 0, true)).toBe(0.015);
    expect(deadBand(STEPS, [], 0, false)).toBeGreaterThan(0.1);
    expect(deadBand(STEPS, [], 0, false)).toBeLessThanOrEqual(0.15);
  });

  it('SYNC-19 widens while a player is nudged over and over, and recovers', () => {
    const nudges = [0, 2000, 4000, 6000, 8000, 10_000];
    expect(deadBand(FINE, nudges.slice(0, 3), 10_000, false)).toBe(0.01);
    expect(deadBand(FINE, nudges, 10_000, false)).toBe(0.018);
    expect(deadBand(FINE, nudges, 60_000, false)).toBe(0.006);
  });
});

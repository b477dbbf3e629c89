import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deadBand, isCostless, planNudge } from './nudge.ts';
import { withNearRates } from './finer-rates.ts';
import { mediaElementCapabilities, youtubeCapabilities } from './player.ts';

const fine = { type: 'fine' } as const;
const steps = youtubeCapabilities.rateControl;
const need = (behindSeconds: number, change: Partial<Parameters<typeof planNudge>[1]> = {}) => ({
  behindSeconds,
  costSeconds: 0.021,
  isHurried: false,
  wakeLatenessMs: 0,
  ...change,
});
const drifts = fc.double({ min: -1.5, max: 1.5, noNaN: true });

describe('a nudge of a fine player', () => {
  test('SYNC-13 makes up for the drift, and for what the rate changes cost where they cost anything', () => {
    fc.assert(
      fc.property(drifts, fc.boolean(), (behindSeconds, isHurried) => {
        const nudge = planNudge(fine, need(behindSeconds, { isHurried }));
        const gainedSeconds = (((nudge?.rate ?? 1) - 1) * (nudge?.durationMs ?? 0)) / 1000;
        const costSeconds = isCostless(nudge?.rate ?? 1) ? 0 : 0.021;
        expect(gainedSeconds).toBeCloseTo(behindSeconds + costSeconds, 9);
      }),
    );
  });

  test('SYNC-13 stays within 5 % of rate 1, within 15 % right after a start', () => {
    fc.assert(
      fc.property(drifts, fc.boolean(), (behindSeconds, isHurried) => {
        const rate = planNudge(fine, need(behindSeconds, { isHurried }))?.rate ?? 1;
        expect(rate).not.toBe(1);
        expect(Math.abs(rate - 1)).toBeLessThanOrEqual((isHurried ? 0.15 : 0.05) + 1e-9);
      }),
    );
  });

  test('SYNC-52 is so slight that it loses no sound, wherever that takes no longer than four seconds', () => {
    for (const behindSeconds of [-0.039, -0.012, 0.003, 0.007, 0.039]) {
      const nudge = planNudge(fine, need(behindSeconds));
      expect(isCostless(nudge?.rate ?? 2)).toBe(true);
      expect(Math.abs((nudge?.rate ?? 1) - 1)).toBeGreaterThanOrEqual(0.002 - 1e-9);
      expect(nudge?.durationMs).toBeLessThanOrEqual(4000.1);
      expect(Math.sign((nudge?.rate ?? 1) - 1)).toBe(Math.sign(behindSeconds));
    }
    expect(isCostless(planNudge(fine, need(0.05))?.rate ?? 1)).toBe(false);
    expect(isCostless(planNudge(fine, need(0.025, { isHurried: true }))?.rate ?? 1)).toBe(false);
  });

  test('SYNC-52 is strong enough to lose what it counts on losing', () => {
    for (const behindSeconds of [-0.026, -0.03, -0.041, -0.06]) {
      const nudge = planNudge(fine, need(behindSeconds, { isHurried: true, costSeconds: 0.027 }));
      expect(isCostless(nudge?.rate ?? 1)).toBe(false);
    }
  });

  test('SYNC-13 lasts half a second to two seconds for an ordinary drift', () => {
    for (const behindSeconds of [-0.06, -0.012, 0.007, 0.015, 0.05]) {
      const durationMs = planNudge(fine, need(behindSeconds))?.durationMs ?? 0;
      expect(durationMs).toBeGreaterThanOrEqual(499.9);
      expect(durationMs).toBeLessThanOrEqual(2000.1);
    }
  });

  test('SYNC-13 that is strong runs 2 % off where two seconds are enough for that, and as much more as they need', () => {
    expect(planNudge(fine, need(-0.06))).toEqual({ rate: 0.98, durationMs: expect.closeTo(1950, 3) });
    expect(planNudge(fine, need(0.05))).toEqual({
      rate: expect.closeTo(1.0355, 9),
      durationMs: expect.closeTo(2000, 3),
    });
  });

  test('is slower where timers are late, so that the end cannot overshoot', () => {
    expect(planNudge(fine, need(0.02, { wakeLatenessMs: 1000 }))?.durationMs).toBeCloseTo(3000, 6);
    expect(planNudge(fine, need(0.05, { wakeLatenessMs: 1000 }))?.durationMs).toBeCloseTo(3000, 6);
  });
});

describe('a burst of a coarse player', () => {
  test('YTS-2 is one at 0.95 or 1.05 where the player takes them and that lasts at most 4 s', () => {
    const near = withNearRates(youtubeCapabilities).rateControl;
    expect(planNudge(near, need(0.1))).toEqual({ rate: 1.05, durationMs: expect.closeTo(2000, 3) });
    expect(planNudge(near, need(-0.19))?.rate).toBe(0.95);
    expect(planNudge(near, need(0.3))).toEqual({ rate: 1.25, durationMs: expect.closeTo(1200, 3) });
    expect(withNearRates(mediaElementCapabilities)).toBe(mediaElementCapabilities);
  });

  test('SYNC-20 runs at 0.75 or 1.25', () => {
    expect(planNudge(steps, need(0.5))).toEqual({ rate: 1.25, durationMs: 2000 });
    expect(planNudge(steps, need(-0.2))).toEqual({ rate: 0.75, durationMs: 800 });
  });

  test('SYNC-20 takes the next step only when it would otherwise last more than four seconds', () => {
    expect(planNudge(steps, need(1.8))).toEqual({ rate: 1.5, durationMs: 3600 });
    expect(planNudge(steps, need(-1.2))).toEqual({ rate: 0.5, durationMs: 2400 });
  });

  test('is not tried where no rate would help', () => {
    expect(planNudge({ type: 'steps', rates: [1] }, need(0.5))).toBeNull();
    expect(planNudge({ type: 'steps', rates: [0, 1] }, need(-0.5))).toBeNull();
    expect(planNudge({ type: 'none' }, need(0.5))).toBeNull();
  });
});

describe('the dead band', () => {
  test('SYNC-12 is 3 ms for fine players and 65 ms for coarse ones', () => {
    expect(deadBand(fine)).toBe(0.003);
    expect(deadBand(steps)).toBe(0.065);
  });
});

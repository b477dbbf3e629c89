/** A nudge that is under way, look by look; what begins one is in correction.test.ts. */
import { describe, expect, test } from 'vitest';
import { behindBy, type Change, inputAt } from '../sim/follow-example.ts';
import { type FollowerMode, type FollowerState, initialFollower } from './follower-state.ts';
import { expected, initialLearned, learn } from './learned.ts';
import { continueNudge } from './correction.ts';
import { mediaElementCapabilities, youtubeCapabilities } from './player.ts';

type Nudging = Extract<FollowerMode, { status: 'nudging' }>;
const coarse = { capabilities: youtubeCapabilities, seekToleranceSeconds: 2 };

/** A nudge that began at local time 10 s and whose readings count from 10.12 s on. */
const begun = (change: Partial<Nudging> = {}): Nudging => ({
  status: 'nudging',
  rate: 1.008,
  sinceMs: 10_000,
  endAtMs: 12_000,
  latestEndMs: 13_120,
  trustFromMs: 10_120,
  readings: [],
  fromSeconds: 0.016,
  ...change,
});

function look(
  nudge: Nudging,
  nowMs: number,
  behind: number,
  change: Change = {},
  state: FollowerState = initialFollower,
) {
  const input = inputAt(nowMs, behindBy(behind, { ...change, player: { rate: nudge.rate, ...change.player } })(nowMs));
  const { state: after, actions, wakeInMs } = continueNudge(state, nudge, input);
  const hasEnded = after.mode.status === 'watching';
  return { after, hasEnded, actions, wakeInMs, mode: after.mode as Nudging };
}
const returned = [{ type: 'set-rate', rate: 1 }];

describe('before the first trusted look', () => {
  test('a nudge goes on, whatever the readings (SYNC-13)', () => {
    expect(look(begun(), 10_119, -0.5, { player: { rate: 1 } })).toMatchObject({ hasEnded: false, actions: [] });
  });

  test('a nudge shorter than that ends at its end (SYNC-13)', () => {
    const short = begun({ endAtMs: 10_080 });
    expect(look(short, 10_079, 0.016)).toMatchObject({ hasEnded: false, wakeInMs: 1 });
    expect(look(short, 10_080, 0.016)).toMatchObject({ hasEnded: true, actions: returned });
  });

  test('a rate that reads back as another one was refused from the first trusted look on, and not by rounding (SYNC-21)', () => {
    const refused = look(begun(), 10_120, 0.016, { player: { rate: 1 } });
    expect([refused.hasEnded, refused.actions, refused.after.refusesRates]).toEqual([true, returned, true]);
    const rounded = look(begun(), 10_120, 0.015, { player: { rate: 1.0084 } });
    expect([rounded.hasEnded, rounded.after.refusesRates]).toEqual([false, false]);
  });
});

describe('the end of a nudge', () => {
  test('is moved to when the rate will have brought back what is left (SYNC-13)', () => {
    // Less the 100 ms for which a rate lasts after its end command.
    const later = look(begun({ endAtMs: 10_500 }), 10_120, 0.012);
    expect(later.mode.endAtMs).toBeCloseTo(10_120 + 1500 - 100, 3);
    expect(later.wakeInMs).toBe(100);
    const soon = look(begun(), 10_120, 0.0012);
    expect(soon.wakeInMs).toBeCloseTo(50, 3);
  });

  test('counts on a rate that goes on for as long as it took to show, as far as there was time for that (SYNC-13)', () => {
    const learned = learn(initialLearned, mediaElementCapabilities, 'rateSeconds', 0.3);
    const slow = { ...initialFollower, learned };
    expect(expected(learned, mediaElementCapabilities).rateSeconds).toBe(0.2);
    expect(look(begun(), 10_500, 0.012, {}, slow).mode.endAtMs).toBeCloseTo(10_500 + 1500 - 200, 3);
    expect(look(begun(), 10_130, 0.012, {}, slow).mode.endAtMs).toBeCloseTo(10_130 + 1500 - 130, 3);
  });

  test('comes where it would take more than eight seconds, two after a start: what is left needs another rate', () => {
    const slight = begun({ rate: 1.004, fromSeconds: 0.003 });
    expect(look(slight, 10_500, 0.033)).toMatchObject({ hasEnded: true, actions: returned });
    expect(look(slight, 10_500, 0.032)).toMatchObject({ hasEnded: false });
    const hurried = { ...initialFollower, hurryUntilMs: 11_000 };
    expect(look(slight, 10_500, 0.0085, {}, hurried)).toMatchObject({ hasEnded: true, actions: returned });
    expect(look(slight, 10_500, 0.0083, {}, hurried)).toMatchObject({ hasEnded: false });
    // Until then, and no longer.
    expect(look(slight, 10_500, 0.0085, {}, { ...hurried, hurryUntilMs: 10_500 })).toMatchObject({ hasEnded: false });
    // One that runs as far off rate 1 as any is as quick as it gets.
    expect(look(begun({ rate: 1.05, fromSeconds: 0.5 }), 10_500, 0.49)).toMatchObject({ hasEnded: false });
    expect(look(begun({ rate: 0.88, fromSeconds: -0.5 }), 10_500, -0.49, {}, hurried)).toMatchObject({
      hasEnded: false,
    });
  });

  test('comes half as late again as planned at the latest, whatever the readings (SYNC-53)', () => {
    expect(look(begun(), 13_119, 0.016)).toMatchObject({ hasEnded: false });
    expect(look(begun(), 13_120, 0.016)).toMatchObject({ hasEnded: true, actions: returned });
    expect(look(begun({ rate: 1.25, fromSeconds: 0.4 }), 13_120, 0.4, coarse).hasEnded).toBe(false);
  });

  test('of a wrongly planned nudge counts neither as a failure nor as a success (SYNC-53)', () => {
    const tried = { ...initialFollower, failedNudges: 2, loadedKey: 'a' };
    const { after } = look(begun({ rate: 1.004, fromSeconds: 0.003 }), 10_500, 0.033, {}, tried);
    expect(after).toMatchObject({ failedNudges: 2, loadedKey: 'a', learned: initialFollower.learned });
    expect(after.mode).toMatchObject({ landing: { after: 'nothing', sinceMs: 10_500 }, trustFromMs: 10_620 });
  });

  test('comes when less is left than can be heard, on either side of the line (SYNC-13)', () => {
    // 0.8 ms more will come at this rate before it ends.
    expect(look(begun(), 10_500, 0.0011)).toMatchObject({ hasEnded: true, actions: returned });
    const slower = begun({ rate: 0.992, fromSeconds: -0.016 });
    expect(look(slower, 10_500, -0.0011)).toMatchObject({ hasEnded: true, actions: returned });
    expect(look(slower, 10_500, -0.0012).hasEnded).toBe(false);
  });

  test('of a coarse player comes on the line, and not before (SYNC-20)', () => {
    const burst = begun({ rate: 1.25, fromSeconds: 0.4 });
    expect(look(burst, 10_500, 0.0003, coarse).hasEnded).toBe(false);
    expect(look(burst, 10_500, 0, coarse)).toMatchObject({ hasEnded: true, actions: returned });
  });

  test('comes at once when it increases a fine player’s drift, but not for a coarse player (SYNC-53)', () => {
    expect(look(begun(), 10_500, 0.055).hasEnded).toBe(false);
    expect(look(begun(), 10_500, 0.057)).toMatchObject({ hasEnded: true, actions: returned });
    expect(look(begun({ rate: 1.25, fromSeconds: 0.4 }), 10_500, 0.5, coarse).hasEnded).toBe(false);
  });
});

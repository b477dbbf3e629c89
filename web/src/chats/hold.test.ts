import { describe, expect, test } from 'vitest';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { createHold } from './hold.ts';

const finger = { isPrimary: true, button: 0, clientX: 40, clientY: 40 };

function setUp({ isOffered = true } = {}) {
  const clock = createFakeClock();
  let acts = 0;
  const hold = createHold(clock.schedule, () => isOffered);
  const act = () => void (acts += 1);
  return { clock, hold, act, acts: () => acts };
}

describe('the gesture on the avatar', () => {
  test('HOLD-1 a press acts once it was held for half a second, and not again when it is lifted', () => {
    const { clock, hold, act, acts } = setUp();
    hold.down(finger, act);
    clock.advance(499);
    expect(acts()).toBe(0);
    clock.advance(1);
    expect(acts()).toBe(1);
    hold.end();
    hold.click(1, act);
    clock.advance(5000);
    expect(acts()).toBe(1);
  });

  test.each([
    ['lifted', ({ end }: ReturnType<typeof createHold>) => end()],
    ['moved away', ({ move }: ReturnType<typeof createHold>) => move({ clientX: 40, clientY: 51 })],
  ])('HOLD-2 a press that is %s before does nothing', (_what, happens) => {
    const { clock, hold, act, acts } = setUp();
    hold.down(finger, act);
    clock.advance(400);
    happens(hold);
    hold.click(1, act);
    clock.advance(5000);
    expect([acts(), clock.pending()]).toEqual([0, 0]);
  });

  test('HOLD-2 a finger that trembles is still holding', () => {
    const { clock, hold, act, acts } = setUp();
    hold.down(finger, act);
    hold.move({ clientX: 46, clientY: 34 });
    clock.advance(500);
    expect(acts()).toBe(1);
  });

  test.each([
    ['second finger', { ...finger, isPrimary: false }],
    ['other button', { ...finger, button: 2 }],
  ])('HOLD-2 a %s does not hold', (_what, at) => {
    const { clock, hold, act, acts } = setUp();
    hold.down(at, act);
    clock.advance(500);
    expect([acts(), hold.isPressed()]).toEqual([0, false]);
  });

  test('HOLD-3 a double-click acts once; a single one never does', () => {
    const { clock, hold, act, acts } = setUp();
    for (const detail of [1, 2]) {
      hold.down(finger, act);
      clock.advance(80);
      hold.end();
      hold.click(detail, act);
    }
    expect(acts()).toBe(0);
    hold.doubleClick(act);
    clock.advance(5000);
    expect(acts()).toBe(1);
  });

  test('HOLD-4 a key acts everywhere; pointers only where the gesture is offered', () => {
    const { clock, hold, act, acts } = setUp({ isOffered: false });
    hold.down(finger, act);
    clock.advance(500);
    hold.doubleClick(act);
    expect(acts()).toBe(0);
    hold.click(0, act);
    expect(acts()).toBe(1);
  });

  test('HOLD-5 the browser’s own menu is kept away for as long as the pointer is down', () => {
    const { clock, hold, act } = setUp();
    hold.down(finger, act);
    clock.advance(900);
    expect(hold.isPressed()).toBe(true);
    hold.end();
    expect(hold.isPressed()).toBe(false);
  });
});

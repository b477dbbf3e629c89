import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createLongPress } from './long-press.ts';

const finger = { pointerId: 1, isPrimary: true, button: 0, clientX: 40, clientY: 40 };

function setUp({ isOffered = true } = {}) {
  const clock = createFakeClock();
  let actions = 0;
  const longPress = createLongPress(clock.schedule, () => isOffered);
  const action = () => void (actions += 1);
  return { clock, longPress, action, actions: () => actions };
}

describe('the gesture on the avatar', () => {
  test('a press triggers the action after half a second, and not again on release', () => {
    const { clock, longPress, action, actions } = setUp();
    longPress.down(finger, action);
    clock.advance(499);
    expect(actions()).toBe(0);
    clock.advance(1);
    expect(actions()).toBe(1);
    longPress.lift(finger);
    longPress.click(1, action);
    clock.advance(5000);
    expect(actions()).toBe(1);
  });

  test.each([
    ['lifted', ({ lift }: ReturnType<typeof createLongPress>) => lift(finger)],
    ['moved away', ({ move }: ReturnType<typeof createLongPress>) => move({ ...finger, clientY: 51 })],
  ])('a press that is %s before that does nothing', (_what, happens) => {
    const { clock, longPress, action, actions } = setUp();
    longPress.down(finger, action);
    clock.advance(400);
    happens(longPress);
    longPress.click(1, action);
    clock.advance(5000);
    expect([actions(), clock.pending()]).toEqual([0, 0]);
  });

  test('small movements do not end a long press', () => {
    const { clock, longPress, action, actions } = setUp();
    longPress.down(finger, action);
    longPress.move({ ...finger, clientX: 46, clientY: 34 });
    clock.advance(500);
    expect(actions()).toBe(1);
  });

  test('a mouse that moves over the element and leaves it ends no press of a finger', () => {
    const { clock, longPress, action, actions } = setUp();
    longPress.down(finger, action);
    const mouse = { ...finger, pointerId: 2, clientX: 300 };
    longPress.move(mouse);
    longPress.lift(mouse);
    clock.advance(500);
    expect(actions()).toBe(1);
  });

  test.each([
    ['second finger', { ...finger, pointerId: 2, isPrimary: false }],
    ['other button', { ...finger, button: 2 }],
  ])('a %s is no long press', (_what, at) => {
    const { clock, longPress, action, actions } = setUp();
    longPress.down(at, action);
    clock.advance(500);
    expect([actions(), longPress.isPressed()]).toEqual([0, false]);
  });

  test('a double-click triggers the action once; a single click never does', () => {
    const { clock, longPress, action, actions } = setUp();
    for (const detail of [1, 2]) {
      longPress.down(finger, action);
      clock.advance(80);
      longPress.lift(finger);
      longPress.click(detail, action);
    }
    expect(actions()).toBe(0);
    longPress.doubleClick(action);
    clock.advance(5000);
    expect(actions()).toBe(1);
  });

  test('Enter and Space trigger the action everywhere; pointers only where the gesture is enabled', () => {
    const { clock, longPress, action, actions } = setUp({ isOffered: false });
    longPress.down(finger, action);
    clock.advance(500);
    longPress.doubleClick(action);
    expect(actions()).toBe(0);
    longPress.click(0, action);
    expect(actions()).toBe(1);
  });

  test('the browser’s context menu is suppressed while the pointer is down', () => {
    const { clock, longPress, action } = setUp();
    longPress.down(finger, action);
    clock.advance(900);
    expect(longPress.isPressed()).toBe(true);
    longPress.lift(finger);
    expect(longPress.isPressed()).toBe(false);
  });
});

/** Fingers of the browser's own, with all events that a real one makes, the click of its lifting among them. */
import { onTestFinished } from 'vitest';
import { cdp } from 'vitest/browser';

export interface Point {
  readonly x: number;
  readonly y: number;
}

const pointsOf = ({ x, y }: Point) => {
  const frame = window.frameElement?.getBoundingClientRect() ?? { left: 0, top: 0 };
  return [{ x: frame.left + x, y: frame.top + y }];
};

/** Touches this point of the page; the answer lifts the finger. */
export async function putFingerOn(x: number, y: number): Promise<() => Promise<void>> {
  let isDown = true;
  const lift = async (): Promise<void> => {
    if (isDown) await cdp().send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    isDown = false;
  };
  // A finger that a failed test leaves on the page would be a second one in the next test.
  onTestFinished(lift);
  await cdp().send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: pointsOf({ x, y }) });
  return lift;
}

export async function moveFingerTo(x: number, y: number): Promise<void> {
  await cdp().send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: pointsOf({ x, y }) });
}

/** Draws a finger from one point over others, and lifts it at the last. */
export async function drawFinger(from: Point, over: readonly Point[]): Promise<void> {
  const lift = await putFingerOn(from.x, from.y);
  for (const { x, y } of over) await moveFingerTo(x, y);
  await lift();
}

/** The middle of an element. */
export function middleOf(element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/**
 * The soulmate gesture on the avatar: a double-click or a press of half a second, on touch or narrow screens.
 * Enter and Space do the same everywhere; a single press does nothing. Knows nothing of React.
 */
import type { Clock } from '../store/clock.ts';

const longPressMs = 500;
/** Movement further than this counts as scrolling. */
const slackPx = 10;

/** The part of a pointer event that is used. */
export interface PointerAt {
  readonly isPrimary: boolean;
  readonly button: number;
  readonly clientX: number;
  readonly clientY: number;
}

export interface LongPress {
  /** `detail` is the browser's click count: 0 for a key or a screen reader. */
  click(detail: number, action: () => void): void;
  doubleClick(action: () => void): void;
  down(at: PointerAt, action: () => void): void;
  move(at: Pick<PointerAt, 'clientX' | 'clientY'>): void;
  /** The pointer was released, left the element, or was cancelled. */
  end(): void;
  /** True from the press until its end: the browser's context menu would interrupt it. */
  isPressed(): boolean;
}

/** `isOffered` returns whether the gesture is enabled for pointers. */
export function createLongPress(schedule: Clock['schedule'], isOffered: () => boolean): LongPress {
  let press: { readonly cancel: () => void; readonly x: number; readonly y: number } | null = null;

  function end(): void {
    press?.cancel();
    press = null;
  }
  return {
    click(detail, action) {
      if (detail === 0) action();
    },
    doubleClick(action) {
      end();
      if (isOffered()) action();
    },
    down({ isPrimary, button, clientX, clientY }, action) {
      end();
      if (isPrimary && button === 0 && isOffered())
        press = { cancel: schedule(action, longPressMs), x: clientX, y: clientY };
    },
    move({ clientX, clientY }) {
      if (press !== null && Math.hypot(clientX - press.x, clientY - press.y) > slackPx) end();
    },
    end,
    isPressed: () => press !== null,
  };
}

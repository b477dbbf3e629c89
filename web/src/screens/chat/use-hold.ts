/**
 * The soulmate gesture on the avatar (spec §2): a double-click or a press of half a second, on touch or narrow screens.
 * Enter and Space do the same everywhere; a single press does nothing.
 */
import { useRef, type DOMAttributes } from 'react';

const holdMs = 500;
/** Movement further than this is scrolling, not holding. */
const slackPx = 10;

const isTouchOrNarrow = (): boolean => matchMedia('(max-width: 768px), (pointer: coarse)').matches;

export type HoldHandlers = Pick<
  DOMAttributes<HTMLButtonElement>,
  | 'onClick'
  | 'onDoubleClick'
  | 'onContextMenu'
  | 'onPointerDown'
  | 'onPointerMove'
  | 'onPointerUp'
  | 'onPointerCancel'
  | 'onPointerLeave'
>;

export function useHold(act: () => void): HoldHandlers {
  const press = useRef<{
    readonly timer: ReturnType<typeof setTimeout>;
    readonly x: number;
    readonly y: number;
  } | null>(null);
  function end(): void {
    if (press.current !== null) clearTimeout(press.current.timer);
    press.current = null;
  }
  return {
    onClick(event) {
      // Without a pointer behind it: a key, or a screen reader.
      if (event.detail === 0) act();
    },
    onDoubleClick() {
      end();
      if (isTouchOrNarrow()) act();
    },
    onContextMenu(event) {
      if (press.current !== null) event.preventDefault();
    },
    onPointerDown(event) {
      end();
      if (!event.isPrimary || event.button !== 0 || !isTouchOrNarrow()) return;
      const timer = setTimeout(() => {
        press.current = null;
        act();
      }, holdMs);
      press.current = { timer, x: event.clientX, y: event.clientY };
    },
    onPointerMove({ clientX, clientY }) {
      const from = press.current;
      if (from !== null && Math.hypot(clientX - from.x, clientY - from.y) > slackPx) end();
    },
    onPointerUp: end,
    onPointerCancel: end,
    onPointerLeave: end,
  };
}

/** Joins the soulmate gesture to a button. */
import { useEffect, useState, type DOMAttributes } from 'react';
import { deviceClock } from '../store/clock.ts';
import { createLongPress } from '../messages/long-press.ts';

const isTouchOrNarrow = (): boolean => matchMedia('(max-width: 768px), (pointer: coarse)').matches;

export type LongPressHandlers = Pick<
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

export function useLongPress(action: () => void): LongPressHandlers {
  const [longPress] = useState(() => createLongPress(deviceClock.schedule, isTouchOrNarrow));
  useEffect(() => longPress.end, [longPress]);
  return {
    onClick: ({ detail }) => longPress.click(detail, action),
    onDoubleClick: () => longPress.doubleClick(action),
    onContextMenu(event) {
      if (longPress.isPressed()) event.preventDefault();
    },
    onPointerDown: (event) => longPress.down(event, action),
    onPointerMove: longPress.move,
    onPointerUp: longPress.end,
    onPointerCancel: longPress.end,
    onPointerLeave: longPress.end,
  };
}

/** Joins the soulmate gesture to a button. */
import { useEffect, useState, type DOMAttributes } from 'react';
import { deviceClock } from '../connection/ports.ts';
import { createHold } from './hold.ts';

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
  const [hold] = useState(() => createHold(deviceClock.schedule, isTouchOrNarrow));
  useEffect(() => hold.end, [hold]);
  return {
    onClick: ({ detail }) => hold.click(detail, act),
    onDoubleClick: () => hold.doubleClick(act),
    onContextMenu(event) {
      if (hold.isPressed()) event.preventDefault();
    },
    onPointerDown: (event) => hold.down(event, act),
    onPointerMove: hold.move,
    onPointerUp: hold.end,
    onPointerCancel: hold.end,
    onPointerLeave: hold.end,
  };
}

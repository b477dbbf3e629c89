/** Opens something by a press that is held, a right click, the Menu key, or Enter on the focused element. */
import { useEffect, useState, type HTMLAttributes } from 'react';
import { createLongPress } from './long-press.ts';
import { deviceClock } from '../store/clock.ts';

export function useHold(open: () => void): HTMLAttributes<HTMLElement> {
  // A mouse has its second button; holding the first one selects text.
  const [hold] = useState(() => createLongPress(deviceClock.schedule, () => true));
  useEffect(() => hold.end, [hold]);
  return {
    onContextMenu(event) {
      // What the browser offers for a link or a picture is of more use there.
      if (event.target instanceof HTMLAnchorElement || event.target instanceof HTMLImageElement) return;
      event.preventDefault();
      hold.end();
      open();
    },
    onKeyDown(event) {
      if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
      event.preventDefault();
      open();
    },
    onPointerDown(event) {
      if (event.pointerType !== 'mouse') hold.down(event, open);
    },
    onPointerMove: hold.move,
    onPointerUp: hold.end,
    onPointerCancel: hold.end,
    onPointerLeave: hold.end,
  };
}

/** A finger that draws a message to the right answers it. */
import { type TouchEvent, useRef } from 'react';

const farPx = 56;
/** More upwards or downwards than this counts as scrolling. */
const slackPx = 24;

export function useSwipe(onSwipe: () => void) {
  const start = useRef<{ x: number; y: number; element: HTMLElement } | null>(null);

  function end(): void {
    start.current?.element.style.removeProperty('translate');
    start.current = null;
  }

  return {
    onTouchStart({ touches, currentTarget }: TouchEvent<HTMLElement>): void {
      const [touch] = Array.from(touches);
      start.current =
        touch && touches.length === 1 ? { x: touch.clientX, y: touch.clientY, element: currentTarget } : null;
    },
    onTouchMove({ touches }: TouchEvent<HTMLElement>): void {
      const [touch] = Array.from(touches);
      if (start.current === null || touch === undefined) return;
      const { x, y, element } = start.current;
      const byPx = Math.min(Math.max(0, touch.clientX - x), farPx + 16);
      if (Math.abs(touch.clientY - y) > slackPx) return end();
      element.style.setProperty('translate', `${String(byPx)}px`);
    },
    onTouchEnd({ changedTouches }: TouchEvent<HTMLElement>): void {
      const [touch] = Array.from(changedTouches);
      const isFar = start.current !== null && touch !== undefined && touch.clientX - start.current.x >= farPx;
      end();
      if (isFar) onSwipe();
    },
    onTouchCancel: end,
  };
}

/** Places a dialog at what it belongs to. */
import { type RefObject, useLayoutEffect } from 'react';

const gapPx = 8;

/** Above the bubble, below it where there is no room; style sheets place it on phones. */
export function usePlaceAbove(dialog: RefObject<HTMLDialogElement | null>, anchor: RefObject<Element | null>): void {
  useLayoutEffect(() => {
    const { current } = dialog;
    const bubble = anchor.current?.querySelector('p') ?? anchor.current;
    if (current === null || bubble === null) return undefined;
    const place = (): void => {
      const { top, bottom, left, right } = bubble.getBoundingClientRect();
      const { offsetHeight: height, offsetWidth: width } = current;
      const above = top - height - gapPx;
      const below = Math.min(bottom + gapPx, innerHeight - height - gapPx);
      const start = Math.min(Math.max(left, right - width), innerWidth - width - gapPx);
      current.style.setProperty('--top', `${String(Math.max(gapPx, above >= gapPx ? above : below))}px`);
      current.style.setProperty('--left', `${String(Math.max(gapPx, start))}px`);
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(current);
    return () => observer.disconnect();
  }, [dialog, anchor]);
}

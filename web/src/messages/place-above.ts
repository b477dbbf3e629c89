/** Places a menu at what it belongs to. */
import { type RefObject, useLayoutEffect } from 'react';

const gapPx = 8;

/** Above the bubble or the form of a key, else below or before it; style sheets place it on phones. */
export function usePlaceAbove(dialog: RefObject<HTMLElement | null>, anchor: RefObject<Element | null>): void {
  useLayoutEffect(() => {
    const { current } = dialog;
    const bubble = anchor.current?.querySelector('p[id]') ?? anchor.current;
    if (current === null || bubble === null) return undefined;
    const place = (): void => {
      const { bottom, left, right } = bubble.getBoundingClientRect();
      const { top } = (bubble.closest('form') ?? bubble).getBoundingClientRect();
      const { offsetHeight: height, offsetWidth: width } = current;
      const above = top - height - gapPx;
      const lowest = innerHeight - height - gapPx;
      const fits = above >= gapPx || bottom + gapPx <= lowest;
      const y = above >= gapPx ? above : Math.min(bottom + gapPx, lowest);
      const along = Math.min(Math.max(left, right - width), innerWidth - width - gapPx);
      current.style.setProperty('--top', `${String(Math.max(gapPx, y))}px`);
      current.style.setProperty('--left', `${String(Math.max(gapPx, fits ? along : left - width - gapPx))}px`);
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(current);
    return () => observer.disconnect();
  }, [dialog, anchor]);
}

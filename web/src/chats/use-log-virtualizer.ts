/**
 * The virtual list of an open chat's log and its scroll position: at the first unread message when the chat opens, then
 * at the newest unless the user scrolls up. It keeps that position when earlier messages arrive.
 */
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject, type UIEvent } from 'react';
import type { ConversationItem } from './conversation-items.ts';

/** This close to the newest message counts as being there. */
export const nearEndPx = 80;

export type LogVirtualizer = Virtualizer<HTMLDivElement, Element>;

export interface LogScroll {
  readonly virtual: LogVirtualizer;
  /** False until the browser has reported the first scroll position: the list takes itself to be at its top. */
  readonly isPlaced: boolean;
  readonly onScroll: (event: UIEvent<HTMLDivElement>) => void;
}

export function useLogVirtualizer(
  box: RefObject<HTMLDivElement | null>,
  items: readonly ConversationItem[],
): LogScroll {
  // The virtualizer changes under the same identity.
  'use no memo';
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    getItemKey: (index) => items[index]?.key ?? index,
    estimateSize: () => 46,
    anchorTo: 'end',
    followOnAppend: 'auto',
    scrollEndThreshold: nearEndPx,
    overscan: 10,
    paddingStart: 16,
    paddingEnd: 16,
  });
  const wasAtEnd = useRef(true);
  const openAt = useEffectEvent(() => {
    keepPlaceOnResize(virtual);
    const unread = items.findIndex(({ type }) => type === 'unread');
    if (unread < 0) virtual.scrollToEnd();
    else {
      wasAtEnd.current = false;
      virtual.scrollToIndex(unread, { align: 'start' });
    }
  });
  const [isPlaced, setIsPlaced] = useState(false);
  useLayoutEffect(() => {
    openAt();
    const frame = requestAnimationFrame(() => setIsPlaced(true));
    return () => cancelAnimationFrame(frame);
  }, []);
  useEndOnResize(box, wasAtEnd);
  return {
    virtual,
    isPlaced,
    onScroll({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) {
      wasAtEnd.current = scrollHeight - scrollTop - clientHeight < nearEndPx;
    },
  };
}

/**
 * An on-screen keyboard that opens makes the log lower: a log at its end stays there. The virtualizer reports a new height
 * only when it brings other rows into sight.
 */
function useEndOnResize(box: RefObject<HTMLDivElement | null>, wasAtEnd: RefObject<boolean>): void {
  useEffect(() => {
    const log = box.current;
    if (log === null) return;
    const resized = new ResizeObserver(() => {
      if (wasAtEnd.current) log.scrollTop = log.scrollHeight;
    });
    resized.observe(log);
    return () => resized.disconnect();
  }, [box, wasAtEnd]);
}

/** Heights are estimates until a row is measured: a correction above what the user reads must not move it. */
function keepPlaceOnResize(virtual: LogVirtualizer): void {
  virtual.shouldAdjustScrollPositionOnItemSizeChange = ({ start }, _change, { scrollDirection, scrollRect }) => {
    const top = virtual.scrollOffset ?? 0;
    return start < (scrollDirection === 'backward' ? top + (scrollRect?.height ?? 0) : top);
  };
}

/** How a notice ends by itself: after a while, not counting the time in which the pointer or the focus is in it. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';

/** Whether the pointer or the focus is inside. */
export function useHolding() {
  const [isPointed, setIsPointed] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  return {
    isHeld: isPointed || isFocused,
    onPointerEnter: () => setIsPointed(true),
    onPointerLeave: () => setIsPointed(false),
    onFocus: () => setIsFocused(true),
    onBlur: () => setIsFocused(false),
  };
}

/** Calls `onEnd` once `lastsMs` have gone by since `key` came, not counting the time it was held. */
export function useRunningOut(key: string | undefined, lastsMs: number, isHeld: boolean, onEnd: () => void): void {
  const end = useEffectEvent(onEnd);
  const left = useRef({ key, ms: lastsMs });
  useEffect(() => {
    if (left.current.key !== key) left.current = { key, ms: lastsMs };
    if (key === undefined || isHeld) return undefined;
    const sinceMs = performance.now();
    const timer = setTimeout(() => end(), left.current.ms);
    return () => {
      clearTimeout(timer);
      left.current.ms -= performance.now() - sinceMs;
    };
  }, [key, lastsMs, isHeld]);
}

/** Ends a notice after a while, not counting the time during which the pointer or the focus is in it. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';

/** Whether the pointer or the focus is inside, while the notice of this `key` is shown. */
export function useHolding(key: string | undefined) {
  const [now, setNow] = useState({ key, isPointed: false, isFocused: false });
  // An element removed with the focus inside fires no blur. The next notice appears under the same pointer.
  if (now.key !== key) setNow({ key, isPointed: now.isPointed && key !== undefined, isFocused: false });
  const set = (change: { isPointed: boolean } | { isFocused: boolean }) =>
    setNow((before) => ({ ...before, ...change }));
  return {
    isHeld: now.isPointed || now.isFocused,
    // A notice that appears under a pointer at rest fires `pointerenter` too, and would stay.
    onPointerMove: () => now.isPointed || set({ isPointed: true }),
    onPointerLeave: () => set({ isPointed: false }),
    onFocus: () => set({ isFocused: true }),
    onBlur: () => set({ isFocused: false }),
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

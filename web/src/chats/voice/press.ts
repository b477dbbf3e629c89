/** A finger that holds the microphone's button, from before the recorder is loaded. */

export interface Press {
  /** Resolves when it is over. */
  readonly end: Promise<PressEnd>;
}

/** Where the finger was lifted, or 'lost' when the system took it. */
export type PressEnd = 'lost' | { readonly x: number; readonly y: number; readonly isMoved: boolean };

/** Further than a finger trembles. */
const movedPx = 24;

export function holdPress({ pointerId, clientX, clientY }: PointerEvent): Press {
  const { promise, resolve } = Promise.withResolvers<PressEnd>();
  const listening = new AbortController();
  const { signal } = listening;
  const over = (event: PointerEvent): void => {
    if (event.pointerId !== pointerId) return;
    listening.abort();
    const { clientX: x, clientY: y } = event;
    const isMoved = Math.hypot(x - clientX, y - clientY) > movedPx;
    resolve(event.type === 'pointercancel' ? 'lost' : { x, y, isMoved });
  };
  window.addEventListener('pointerup', over, { signal });
  window.addEventListener('pointercancel', over, { signal });
  return { end: promise };
}

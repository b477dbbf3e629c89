/** Keys of the message field that it does not use itself. */
import { type RefObject, useEffect, useEffectEvent } from 'react';

export const fieldIn = (box: RefObject<HTMLElement | null>) => box.current?.querySelector('textarea') ?? null;

/** Null where a key does nothing. */
export function useFieldKeys(
  box: RefObject<HTMLElement | null>,
  keys: { onEscape: (() => void) | null; onUp: (() => void) | null },
): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const act = event.key === 'Escape' ? keys.onEscape : event.key === 'ArrowUp' ? keys.onUp : null;
    if (act === null || event.isComposing || event.target !== fieldIn(box)) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
  useEffect(() => {
    const element = box.current;
    const onKeyDown = (event: KeyboardEvent) => press(event);
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  }, [box]);
}

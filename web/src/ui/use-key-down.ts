/** Keys that are pressed anywhere in an element, whichever of its controls has the focus. */
import { type RefObject, useEffect, useEffectEvent } from 'react';

export function useKeyDown(box: RefObject<HTMLElement | null>, onKeyDown: (event: KeyboardEvent) => void): void {
  const press = useEffectEvent(onKeyDown);
  useEffect(() => {
    const element = box.current;
    const listen = (event: KeyboardEvent): void => press(event);
    element?.addEventListener('keydown', listen);
    return () => element?.removeEventListener('keydown', listen);
  }, [box]);
}

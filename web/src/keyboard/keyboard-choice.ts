/** The keyboard that the user has chosen, and whether there is a choice: on small screens and touch screens. */
import { useSyncExternalStore } from 'react';
import { cell } from '../store/cell.ts';
import { deviceStorage, type LenientStorage } from '../store/lenient-storage.ts';

export type KeyboardChoice = 'on-screen' | 'device';

const key = 'tunemate/keyboard';

/** The choice, remembered in `storage`. */
export function createKeyboardChoice(storage: LenientStorage) {
  const choice = cell<KeyboardChoice>(storage.getItem(key) === 'device' ? 'device' : 'on-screen');
  return {
    get: choice.get,
    subscribe: choice.subscribe,
    set(next: KeyboardChoice): void {
      storage.setItem(key, next);
      choice.set(next);
    },
  };
}

/** This device's choice: the same for every field of the page. */
export const keyboardChoice = createKeyboardChoice(deviceStorage);

const smallOrTouch = typeof matchMedia === 'function' ? matchMedia('(max-width: 768px), (pointer: coarse)') : null;

function subscribe(onChange: () => void): () => void {
  smallOrTouch?.addEventListener('change', onChange);
  return () => smallOrTouch?.removeEventListener('change', onChange);
}

/** True where the on-screen keyboard is offered. */
export function useSmallOrTouch(): boolean {
  return useSyncExternalStore(subscribe, () => smallOrTouch?.matches ?? false);
}

/** The keyboard that the user has chosen, and whether there is a choice: on small screens and touch screens. */
import { cell } from '../store/cell.ts';
import { deviceStorage, type LenientStorage } from '../store/lenient-storage.ts';
import { mediaQuery } from '../store/media-query.ts';
import { useReadable } from '../store/use-readable.ts';

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

const smallOrTouch = mediaQuery('(max-width: 768px), (pointer: coarse)');

/** True where the on-screen keyboard is offered. */
export function useSmallOrTouch(): boolean {
  return useReadable(smallOrTouch);
}

/** The keyboard that the user chose, on small screens and touch screens. */
import { cell } from '../store/cell.ts';
import { deviceStorage, type LenientStorage } from '../store/lenient-storage.ts';
import { mediaQuery } from '../store/media-query.ts';
import { useReadable } from '../store/use-readable.ts';

type KeyboardChoice = 'on-screen' | 'device';

const key = 'tunemate/keyboard';

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

export const keyboardChoice = createKeyboardChoice(deviceStorage);

const smallOrTouch = mediaQuery('(width <= 48em), (pointer: coarse)');

/** True where the on-screen keyboard is offered. */
export function useSmallOrTouch(): boolean {
  return useReadable(smallOrTouch);
}

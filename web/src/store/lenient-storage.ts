/** Storage that loses writes without an error where the browser forbids it or it is full. */
import type { Unsubscribe } from './cell.ts';

export type LenientStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A storage that the tabs of a browser share. */
export interface SharedStorage extends LenientStorage {
  readonly keys: () => readonly string[];
  /** Calls back after another tab has changed the entry of this key; null stands for all entries. */
  readonly onChange: (listener: (key: string | null) => void) => Unsubscribe;
}

/** `storage` is called each time, because even reading a forbidden one throws. */
export function lenientStorage(storage: () => LenientStorage): LenientStorage {
  return {
    getItem: (key) => attempt(() => storage().getItem(key)) ?? null,
    setItem: (key, value) => attempt(() => storage().setItem(key, value)),
    removeItem: (key) => attempt(() => storage().removeItem(key)),
  };
}

function attempt<Value>(use: () => Value): Value | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

/** Kept on this device until it is removed. */
export const deviceStorage: SharedStorage = {
  ...lenientStorage(() => localStorage),
  keys: () => attempt(() => Object.keys(localStorage)) ?? [],
  onChange(listener) {
    const heard = ({ key, storageArea }: StorageEvent): void => {
      if (storageArea !== attempt(() => sessionStorage)) listener(key);
    };
    window.addEventListener('storage', heard);
    return () => window.removeEventListener('storage', heard);
  },
};
/** Kept until this tab is closed. */
export const tabStorage = lenientStorage(() => sessionStorage);

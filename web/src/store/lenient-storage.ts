/** Storage that loses writes without an error where the browser forbids it or it is full. */

export type LenientStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

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
export const deviceStorage = lenientStorage(() => localStorage);
/** Kept until this tab is closed. */
export const tabStorage = lenientStorage(() => sessionStorage);

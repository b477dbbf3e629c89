/**
 * Storage that a browser may forbid or that may be full: then it forgets, and nothing else happens. Only for what people
 * can do without.
 */

export type LenientStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** `storage` is asked anew each time, because touching a forbidden one throws already. */
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

/** Kept on this device. */
export const deviceStorage = lenientStorage(() => localStorage);
/** Kept as long as this tab. */
export const tabStorage = lenientStorage(() => sessionStorage);

/**
 * What a component fetches once, such as code. Not by `lazy`: React holds back what had to be fetched, however soon it
 * came, by 300 ms.
 */
import { useEffect, useState } from 'react';

/** Fetches ahead of need what the browser then keeps. A failure shows where it is used. */
export function prefetch(fetch: () => Promise<unknown>): void {
  void fetch().catch(() => undefined);
}

/** Null until it is there; `fetch` must always be the same function. A failure is thrown where this is called. */
export function useFetched<Value>(fetch: () => Promise<Value>): Value | null {
  const [value, setValue] = useState<{ now: Value } | null>(null);
  useEffect(() => {
    fetch().then(
      (now) => setValue({ now }),
      (error: unknown) =>
        setValue(() => {
          throw error;
        }),
    );
  }, [fetch]);
  return value && value.now;
}

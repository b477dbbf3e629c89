/**
 * What a component fetches once, such as code. Not by `lazy`: React holds back what had to be fetched, however soon it
 * came, by 300 ms.
 */
import { useEffect, useState } from 'react';

/** A lost connection is usually back within seconds, and trying without one costs nothing. */
const againMs = 3000;

/** Fetches ahead of need what the browser then keeps. Where that fails it is fetched when it is used. */
export function prefetch(fetch: () => Promise<unknown>): void {
  void fetch().catch(() => undefined);
}

/**
 * Null until it is there; `fetch` must always be the same function. What can't be fetched, as on a lost connection, is
 * tried again while it is drawn, so that the rest of the page goes on without it.
 */
export function useFetched<Value>(fetch: () => Promise<Value>): Value | null {
  const [value, setValue] = useState<{ now: Value } | null>(null);
  useEffect(() => {
    let again: ReturnType<typeof setTimeout> | undefined;
    let isDrawn = true;
    const attempt = (): void =>
      void fetch().then(
        (now) => setValue({ now }),
        () => {
          if (isDrawn) again = setTimeout(attempt, againMs);
        },
      );
    attempt();
    return () => {
      isDrawn = false;
      clearTimeout(again);
    };
  }, [fetch]);
  return value && value.now;
}

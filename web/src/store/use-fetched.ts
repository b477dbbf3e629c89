/** A value that a component fetches once, such as code. `lazy` would delay it: React holds back fetched parts by 300 ms. */
import { useEffect, useState } from 'react';
import { fetchPart } from './lost-parts.ts';

const retryMs = 3000;

/** Fills the browser's cache ahead of need; a failure is ignored. */
export function prefetch(fetch: () => Promise<unknown>): void {
  void fetch().catch(() => undefined);
}

/** Null until fetched; retried while mounted. `fetch` must always be the same function. */
export function useFetched<Value>(fetch: () => Promise<Value>): Value | null {
  const [value, setValue] = useState<{ now: Value } | null>(null);
  useEffect(() => {
    let again: ReturnType<typeof setTimeout> | undefined;
    let isMounted = true;
    const attempt = (): void =>
      void fetchPart(fetch).then(
        (now) => setValue({ now }),
        () => {
          if (isMounted) again = setTimeout(attempt, retryMs);
        },
      );
    attempt();
    return () => {
      isMounted = false;
      clearTimeout(again);
    };
  }, [fetch]);
  return value && value.now;
}

/**
 * The time for words that depend on the day, the hour or a duration: 'Today', a clock time, 'Yesterday'. Whatever shows
 * such words reads the time here, so that they change with it.
 */
import { useSyncExternalStore } from 'react';

/** A time that keeps up while it is shown. Words that depend on it ask for one, so that no other time is given to them. */
export type Now = number & { readonly keepsUp: true };

const minuteMs = 60_000;
/** After these the page may have slept, or the device may be in another time zone. */
const wakes = ['visibilitychange', 'focus', 'pageshow', 'online'] as const;

/**
 * The beginning of the current minute of `nowMs`. The caller is drawn again in each minute, at once after a sleep, and
 * when the time zone changes.
 */
export function useNow(nowMs: () => number): Now {
  const minute = useSyncExternalStore(watchTime, () =>
    [Math.floor(nowMs() / minuteMs), new Date(nowMs()).getTimezoneOffset()].join(),
  );
  return (Number.parseInt(minute, 10) * minuteMs) as Now;
}

function watchTime(onChange: () => void): () => void {
  const stopping = new AbortController();
  // More often than each minute: the clock that counts may be the server's. A minute that stays draws nothing.
  const timer = setInterval(onChange, minuteMs / 6);
  for (const event of wakes) {
    (event === 'visibilitychange' ? document : window).addEventListener(event, onChange, { signal: stopping.signal });
  }
  return () => {
    clearInterval(timer);
    stopping.abort();
  };
}

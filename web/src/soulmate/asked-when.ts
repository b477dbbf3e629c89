/** When a request was made, as the sentence 'Asked …, waiting for' goes on. Pure. */
import { soulmateCopy } from './soulmate-words.ts';

const dayMs = 24 * 60 * 60 * 1000;
const weekday = new Intl.DateTimeFormat('en', { weekday: 'long' });
const date = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long' });

/** Both of the server's clock. After six days a weekday would be another week's. */
export function askedWhen(atMs: number, nowMs: number): string {
  if (new Date(atMs).toDateString() === new Date(nowMs).toDateString()) return soulmateCopy.today;
  return soulmateCopy.onDay((nowMs - atMs < 6 * dayMs ? weekday : date).format(atMs));
}

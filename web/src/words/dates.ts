/** Days and times as lists and open chats show them. */

/** Clock time for today, else the date. `atMs` and `nowMs` are of the server's clock; the default time zone and locale are this device's. */
import { locale, t } from '../language/t.ts';
import type { Now } from '../store/use-now.ts';

export function formatWhen(atMs: number, nowMs: Now, readers = locale, timeZone?: string): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  const day = new Intl.DateTimeFormat('en-CA', zone);
  const isToday = day.format(atMs) === day.format(nowMs);
  const style: Intl.DateTimeFormatOptions = isToday
    ? { hour: '2-digit', minute: '2-digit' }
    : { day: '2-digit', month: '2-digit', year: 'numeric' };
  return new Intl.DateTimeFormat(readers, { ...style, ...zone }).format(atMs);
}

const formatsOfZone = () => ({
  hours: new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }),
  days: new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
});
let formats = formatsOfZone();
let offset = new Date().getTimezoneOffset();

/** A format keeps the time zone in which it was made, and a laptop travels. */
function inThisZone(nowMs: Now): typeof formats {
  const now = new Date(nowMs).getTimezoneOffset();
  if (now !== offset) formats = formatsOfZone();
  offset = now;
  return formats;
}

/** '14:32', as this device writes it. */
export function clockTime(atMs: number, nowMs: Now): string {
  return inThisZone(nowMs).hours.format(atMs);
}

/** 'Today', 'Yesterday', or the date. `nowMs` is of the same clock. */
export function dayLabel(atMs: number, nowMs: Now): string {
  const day = new Date(atMs).toDateString();
  if (day === new Date(nowMs).toDateString()) return t`Today`;
  const yesterday = new Date(nowMs);
  yesterday.setDate(yesterday.getDate() - 1);
  return day === yesterday.toDateString() ? t`Yesterday` : inThisZone(nowMs).days.format(atMs);
}

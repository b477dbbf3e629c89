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

const styles = {
  hours: { hour: '2-digit', minute: '2-digit' },
  days: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
} as const;
/** Made when one is needed: on a slow phone each takes as long as three rows of a chat. */
let formats: Partial<Record<keyof typeof styles, Intl.DateTimeFormat>> = {};
let offset = 0;

/** A format keeps the time zone in which it was made, and a laptop travels. */
function inThisZone(name: keyof typeof styles, nowMs: Now): Intl.DateTimeFormat {
  const now = new Date(nowMs).getTimezoneOffset();
  if (now !== offset) formats = {};
  offset = now;
  return (formats[name] ??= new Intl.DateTimeFormat(locale, styles[name]));
}

/** '14:32', as this device writes it. */
export function clockTime(atMs: number, nowMs: Now): string {
  return inThisZone('hours', nowMs).format(atMs);
}

/** 'Today', 'Yesterday', or the date. `nowMs` is of the same clock. */
export function dayLabel(atMs: number, nowMs: Now): string {
  const day = new Date(atMs).toDateString();
  if (day === new Date(nowMs).toDateString()) return t`Today`;
  const yesterday = new Date(nowMs);
  yesterday.setDate(yesterday.getDate() - 1);
  return day === yesterday.toDateString() ? t`Yesterday` : inThisZone('days', nowMs).format(atMs);
}

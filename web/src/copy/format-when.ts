/** A time as lists show it: clock time for today, else the date. */

/** `atMs` and `nowMs` are of the server's clock; the default time zone and locale are this device's. */
export function formatWhen(atMs: number, nowMs: number, locale?: string, timeZone?: string): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  const day = new Intl.DateTimeFormat('en-CA', zone);
  const isToday = day.format(atMs) === day.format(nowMs);
  const style: Intl.DateTimeFormatOptions = isToday
    ? { hour: '2-digit', minute: '2-digit' }
    : { day: '2-digit', month: '2-digit', year: 'numeric' };
  return new Intl.DateTimeFormat(locale, { ...style, ...zone }).format(atMs);
}

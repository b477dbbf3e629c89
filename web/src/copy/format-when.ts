/** When something happened, as lists say it: clock time today, else the date. */

/** `atMs` and `nowMs` are of one clock, the server's; days and wording are this device's, unless told. */
export function formatWhen(atMs: number, nowMs: number, locale?: string, timeZone?: string): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  const day = new Intl.DateTimeFormat('en-CA', zone);
  const isToday = day.format(atMs) === day.format(nowMs);
  const style: Intl.DateTimeFormatOptions = isToday
    ? { hour: '2-digit', minute: '2-digit' }
    : { day: '2-digit', month: '2-digit', year: 'numeric' };
  return new Intl.DateTimeFormat(locale, { ...style, ...zone }).format(atMs);
}

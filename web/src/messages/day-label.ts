/** Days and times as an open chat shows them. */

const hours = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const days = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** '14:32', as this device writes it. */
export function clockTime(atMs: number): string {
  return hours.format(atMs);
}

/** 'Today', 'Yesterday', or the date. `nowMs` is of the same clock. */
export function dayLabel(atMs: number, nowMs: number): string {
  const day = new Date(atMs).toDateString();
  if (day === new Date(nowMs).toDateString()) return 'Today';
  const yesterday = new Date(nowMs);
  yesterday.setDate(yesterday.getDate() - 1);
  return day === yesterday.toDateString() ? 'Yesterday' : days.format(atMs);
}

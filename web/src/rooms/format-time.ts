/**
 * Elapsed and total time as the rooms show it. Knows nothing of rooms; room-kinds.ts chooses the format.
 */

const pad = (count: number): string => String(count).padStart(2, '0');
const whole = (seconds: number): number => (seconds > 0 && Number.isFinite(seconds) ? Math.floor(seconds) : 0);

/** `00:01:47`. */
export function formatHoursMinutesSeconds(seconds: number): string {
  const total = whole(seconds);
  return `${pad(Math.floor(total / 3600))}:${pad(Math.floor(total / 60) % 60)}:${pad(total % 60)}`;
}

/** `01:47`; a track of an hour and more counts its minutes on: `75:00`. */
export function formatMinutesSeconds(seconds: number): string {
  const total = whole(seconds);
  return `${pad(Math.floor(total / 60))}:${pad(total % 60)}`;
}

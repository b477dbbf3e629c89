/** How long something lasts, in words. */
import { t } from '../language/t.ts';

/** '2 h 10 min' */
export function lengthOf(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return t`${String(rest)} min`;
  return rest === 0 ? t`${String(hours)} h` : t`${String(hours)} h ${String(rest)} min`;
}

/** '40 min 11 s'; from an hour on without seconds. */
export function lengthToSecond(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole >= 3600) return lengthOf(whole * 1000);
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  return t`${String(minutes)} min ${String(rest)} s`;
}

/** Texts about what people hear. */
import type { Hearing } from '@tunemate/protocol';
import { t } from '../language/t.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** What a person heard last is shown for a day. */
const shownForMs = 24 * hourMs;

function trackWords({ title, artist }: Pick<Hearing, 'title' | 'artist'>): string {
  if (title === null) return t`a track`;
  return artist === null ? title : t`${title}, ${artist}`;
}

function agoWords(sinceMs: number): string {
  const minutes = Math.max(1, Math.round(sinceMs / minuteMs));
  return minutes < 60 ? t`${minutes} min ago` : t`${Math.round(sinceMs / hourMs)} h ago`;
}

/** Null once it is too long ago. */
export function hearsWords(hears: Hearing, nowMs: number): string | null {
  const { title, untilMs } = hears;
  if (untilMs === null) return t`Hears ${trackWords(hears)}`;
  const sinceMs = nowMs - untilMs;
  return sinceMs >= shownForMs || title === null ? null : t`Heard last: ${title}, ${agoWords(sinceMs)}`;
}

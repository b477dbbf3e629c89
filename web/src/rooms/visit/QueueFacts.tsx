/** How many tracks the queue has and how long they last: '6 tracks · 1 h 4 min'. */
import type { QueuedTrack } from '@tunemate/protocol';
import { t } from '../../language/t.ts';
import { trackCount } from '../../library/library-words.ts';
import { lengthOf } from '../../words/lengths.ts';

const minuteMs = 60_000;

/** Without the time where the length of a track is unknown. */
export function QueueFacts({ queue }: { queue: readonly Pick<QueuedTrack, 'durationSeconds'>[] }) {
  if (queue.length === 0) return <span>0</span>;
  const isKnown = queue.every(({ durationSeconds }) => durationSeconds !== null);
  const ms = queue.reduce((sum, { durationSeconds }) => sum + (durationSeconds ?? 0) * 1000, 0);
  const facts = [trackCount(queue.length), isKnown && lengthOf(Math.max(minuteMs, ms))];
  return <span>{facts.filter(Boolean).join(t` · `)}</span>;
}

/** Where a media element's stream says which subtitles it has, for parts that draw them. */
import { type Cell, cell } from '../../store/cell.ts';
import type { StreamSubtitles } from './stream-subtitles.ts';

const streams = new WeakMap<HTMLMediaElement, Cell<StreamSubtitles | null>>();

/** Null while no stream plays in it. */
export function subtitlesIn(element: HTMLMediaElement): Cell<StreamSubtitles | null> {
  const known = streams.get(element) ?? cell<StreamSubtitles | null>(null);
  streams.set(element, known);
  return known;
}

/**
 * Which link of a message may name a track: of our library, or a video of YouTube. Only how it looks is read here; the
 * card, whose code is loaded for it, reads the id (`TrackCard.tsx`). Pure.
 */
import { textParts } from '../../messages/LinkedText.tsx';

export interface TrackLink {
  readonly href: string;
  /** What is shown beside the card: a link to the library says nothing more than its card. */
  readonly text: string;
}

const video = /^(?:youtu\.be\/.|(?:www\.|m\.|music\.)?youtube\.com\/(?:watch\?|shorts\/|live\/|embed\/))/u;

/** `origin` is that of this server: a track of another server's library can't be played here. */
export function trackLinkIn(text: string, origin: string): TrackLink | null {
  // Most messages have none.
  if (!/library\/lib_|youtu/iu.test(text)) return null;
  const parts = textParts(text);
  for (const part of parts) {
    if (typeof part === 'string') continue;
    const { href } = part;
    if (href.startsWith(`${origin}/library/lib_`)) {
      const rest = parts.map((each) => (each === part ? '' : typeof each === 'string' ? each : each.words));
      return { href, text: rest.join('').trim() };
    }
    if (video.test(href.replace(/^https?:\/\//u, ''))) return { href, text };
  }
  return null;
}

/** The track that a link names, by the readers that rooms use too. Pure. */
import { parseVideoReferences } from '@tunemate/domain';
import { trackOfPath, type VideoId } from '@tunemate/protocol';

/** Null for a link that only looks as if it named one. */
export function trackOfLink(href: string, origin: string): VideoId | null {
  const address = new URL(href);
  if (address.origin === origin) return trackOfPath(address.pathname);
  return parseVideoReferences(href)?.[0]?.video ?? null;
}

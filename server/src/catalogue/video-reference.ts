/**
 * Recognises a pasted YouTube link or id (SEARCH-1). Pure: needs no key and makes no call.
 */
import { isLibraryId, videoId, type VideoId } from '@tunemate/protocol';

const hosts = new Set(['youtube.com', 'm.youtube.com', 'music.youtube.com', 'youtube-nocookie.com', 'youtu.be']);
const paths = /^\/(?:embed|shorts|live|v)\/([^/]+)\/?$/;

function checked(id: string | null | undefined): VideoId | null {
  const parsed = videoId.safeParse(id);
  return parsed.success && !isLibraryId(parsed.data) ? parsed.data : null;
}

/**
 * A bare id has eleven characters, and so have words such as `Radioactive`. An id is recognised only by a mix of cases
 * that no word has: of a thousand real ids eight lack it, and those still work as links.
 */
function looksLikeId(text: string): boolean {
  return /[a-z]/.test(text) && /.[A-Z]/.test(text);
}

/** The video that a text refers to, or null when it is something to search for. */
export function parseVideoReference(text: string): VideoId | null {
  const typed = text.trim();
  if (/^[\w-]{11}$/.test(typed)) return looksLikeId(typed) ? checked(typed) : null;
  if (/\s/.test(typed) || !typed.includes('/')) return null;
  let url: URL;
  try {
    url = new URL(/^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`);
  } catch {
    return null;
  }
  const host = url.hostname.replace(/^www\./, '');
  if ((url.protocol !== 'https:' && url.protocol !== 'http:') || !hosts.has(host)) return null;
  if (host === 'youtu.be') return checked(url.pathname.split('/')[1]);
  if (url.pathname === '/watch' || url.pathname === '/watch/') return checked(url.searchParams.get('v'));
  return checked(paths.exec(url.pathname)?.[1]);
}

/**
 * Recognises pasted YouTube links and ids, playlists included, without a call to the service.
 */
import { isLibraryId, limits, videoId, type VideoId } from '@tunemate/protocol';

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

/** A link to a video, a playlist, or a video in a playlist, with the start time if it has one. */
export interface VideoReference {
  video: VideoId | null;
  playlist: string | null;
  startSeconds?: number;
}

/** Ids of public playlists. Mixes (RD…) are made for each viewer; 'Watch later' and 'Liked' are private. */
const playlistId = /^(?!RD|WL$|LL$)[\w-]{2,64}$/;

/** The references of a text of at most ten links; null when a word is not a link: then the text is a search. */
export function parseVideoReferences(text: string): VideoReference[] | null {
  // A single-line field removes the line ends of pasted text.
  const words = text.split(/\s+|(?=https?:\/\/)/u).filter(Boolean);
  const references = words.map(parseVideoReference);
  if (references.length === 0 || references.length > maxLinks) return null;
  return references.every((reference) => reference !== null) ? references : null;
}

const maxLinks = 10;

function parseVideoReference(typed: string): VideoReference | null {
  if (/^[\w-]{11}$/.test(typed)) return looksLikeId(typed) ? named(checked(typed), null) : null;
  if (!typed.includes('/')) return null;
  let url: URL;
  try {
    url = new URL(/^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`);
  } catch {
    return null;
  }
  const host = url.hostname.replace(/^www\./, '');
  if ((url.protocol !== 'https:' && url.protocol !== 'http:') || !hosts.has(host)) return null;
  const playlist = url.searchParams.get('list');
  const reference = named(videoOf(host, url), playlist !== null && playlistId.test(playlist) ? playlist : null);
  const startSeconds = startOf(url);
  return reference === null || startSeconds === null ? reference : { ...reference, startSeconds };
}

/** `t=1h2m3s`, `t=90s`, `start=90`, also after a `#`; null for 0 and for anything else. */
function startOf({ searchParams, hash }: URL): number | null {
  const given = searchParams.get('t') ?? searchParams.get('start') ?? new URLSearchParams(hash.slice(1)).get('t') ?? '';
  const [, hours = 0, minutes = 0, seconds = 0] = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s?)?$/u.exec(given) ?? [];
  const startSeconds = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return startSeconds > 0 && startSeconds < limits.maxPositionSeconds ? startSeconds : null;
}

function videoOf(host: string, { pathname, searchParams }: URL): VideoId | null {
  if (host === 'youtu.be') return checked(pathname.split('/')[1]);
  if (pathname === '/watch' || pathname === '/watch/') return checked(searchParams.get('v'));
  return checked(paths.exec(pathname)?.[1]);
}

const named = (video: VideoId | null, playlist: string | null): VideoReference | null =>
  video === null && playlist === null ? null : { video, playlist };

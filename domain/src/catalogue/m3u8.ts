/**
 * Lists of tracks as other players write and read them, in the format M3U: a line for each track, which is a path or an
 * address, and before it what the track is called. Nothing of a list is opened, and nothing in it is markup.
 */
import { cleanLine } from '@tunemate/protocol';

export interface ListedTrack {
  /** A path or an address. */
  place: string;
  /** 'Artist - Title'; null where the list says nothing. */
  title: string | null;
  /** Null where the list does not say, as of streams. */
  seconds: number | null;
}

/** What is longer names nothing, and is cut. */
const longestLine = 2000;
/** `#EXTINF:213 group="Jazz, late",Ada Byrd - Night Ferry` */
const said = /^#EXTINF\s?:\s?(-?\d{1,9}(?:\.\d{1,9})?)?(?:\s{1,5}[\w-]{1,50}="[^"]*")*\s{0,5},(.*)$/iu;

/** The tracks in their order; null where there are more than `most`. Comments, and what the format adds to them, are left out. */
export function readM3u8(text: string, most: number): ListedTrack[] | null {
  const tracks: ListedTrack[] = [];
  let about: Omit<ListedTrack, 'place'> = { title: null, seconds: null };
  for (const raw of text.split(/\r\n?|\n/u)) {
    const line = cleanLine(raw.slice(0, longestLine));
    if (line === '') continue;
    if (line.startsWith('#')) {
      about = aboutIn(line) ?? about;
      continue;
    }
    if (tracks.length === most) return null;
    tracks.push({ place: line, ...about });
    about = { title: null, seconds: null };
  }
  return tracks;
}

function aboutIn(line: string): Omit<ListedTrack, 'place'> | null {
  const found = said.exec(line);
  if (found === null) return null;
  const [, seconds = '', title = ''] = found;
  return { title: title.trim() || null, seconds: Number(seconds) > 0 ? Number(seconds) : null };
}

/** The same list as text. A name of several lines would be read as further tracks. */
export function writeM3u8(name: string, tracks: readonly ListedTrack[]): string {
  const lines = tracks.flatMap(({ place, title, seconds }) => [
    `#EXTINF:${String(seconds ?? -1)},${cleanLine(title ?? '')}`,
    place,
  ]);
  return ['#EXTM3U', `#PLAYLIST:${cleanLine(name)}`, ...lines, ''].join('\n');
}

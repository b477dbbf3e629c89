/**
 * Turns what a music server says of a track into an item of the library. Nothing of it is trusted: names become plain
 * text of a limited length, and its ids are only ever sent back to it.
 */
import { cleanTitle } from '@tunemate/protocol';
import { z } from 'zod';
import {
  formatOf,
  isMediaFile,
  type LibraryAlbum,
  type LibraryCover,
  libraryId,
  type LibraryItem,
  seeksExactly,
} from '../library/library-item.ts';

const text = z.string().max(5000).optional().catch(undefined);
const whole = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).optional().catch(undefined);
const names = z
  .array(z.looseObject({ name: z.string() }))
  .optional()
  .catch(undefined);
const sourceId = z.union([z.string().min(1).max(200), z.number().int().transform(String)]);

/** A `Child` of the protocol, with what its OpenSubsonic extension adds. */
const song = z.object({
  id: sourceId,
  title: text,
  artist: text,
  artists: names,
  displayArtist: text,
  album: text,
  albumArtists: names,
  displayAlbumArtist: text,
  genre: text,
  genres: names,
  year: whole,
  track: whole,
  discNumber: whole,
  duration: z.number().positive().max(1_000_000).optional().catch(undefined),
  size: whole,
  suffix: z.string().max(10).optional().catch(undefined),
  contentType: text,
  path: text,
  created: text,
  coverArt: sourceId.optional().catch(undefined),
  isDir: z.boolean().optional().catch(undefined),
  isVideo: z.boolean().optional().catch(undefined),
});
type Song = z.infer<typeof song>;

/** More than one track is by, or belongs to. */
const mostValues = 20;
const mostFolderLength = 300;
const tracksOfADisc = 10_000;

const named = (said: string | undefined): string | null => cleanTitle(said ?? '', '') || null;
const eachOf = (values: readonly (string | undefined)[]): string[] => [
  ...new Set(values.slice(0, mostValues).flatMap((value) => named(value) ?? [])),
];

export type UnfitSong = 'broken' | 'unsupported' | 'video';

/** Reads tracks; equal names are kept in memory once. */
export function songReader() {
  const kept = new Map<string, unknown>();
  const shared = <T>(value: T): T => {
    const key = JSON.stringify(value);
    const known = kept.get(key) as T | undefined;
    if (known === undefined) kept.set(key, value);
    return known ?? value;
  };

  return (said: unknown): LibraryItem | UnfitSong => {
    const read = song.safeParse(said);
    if (!read.success || read.data.isDir === true) return 'broken';
    const { id, title, artist, artists, displayArtist, path = '', suffix = '', duration, size, isVideo } = read.data;
    const file = `x.${suffix.toLowerCase()}`;
    if (isVideo === true) return 'video';
    if (!isMediaFile(file)) return 'unsupported';
    const shown = named(displayArtist) ?? named(artist);
    const each = eachOf(artists?.map(({ name }) => name) ?? []);
    return {
      // Not the id of a file of the folder, whatever the server calls its tracks.
      id: libraryId(`subsonic:\n${id}`),
      title: cleanTitle(title ?? '', 'Untitled'),
      artist: shared(shown ?? (each.length === 0 ? null : named(each.join(', ')))),
      artists: shared(each.length > 0 || shown === null ? each : [shown]),
      genres: shared(eachOf([read.data.genre, ...(read.data.genres ?? []).map(({ name }) => name)])),
      album: albumOf(read.data),
      folder: shared(folderOf(path)),
      modifiedMs: Math.max(0, Date.parse(read.data.created ?? '') || 0),
      ...formatOf(file, false),
      streams: null,
      seeksExactly: seeksExactly(file, undefined),
      playsEverywhere: true,
      durationSeconds: duration ?? null,
      path: '',
      cover: shared(coverOf(read.data)),
      subtitles: [],
      lyrics: { in: 'nowhere' },
      loudness: { track: null, album: null },
      remote: { id, bytes: size ?? null },
    };
  };
}

function albumOf({ album, albumArtists, displayAlbumArtist, year, discNumber, track }: Song): LibraryAlbum | null {
  const name = named(album);
  if (name === null) return null;
  const artist = named(displayAlbumArtist) ?? named(eachOf(albumArtists?.map((each) => each.name) ?? []).join(', '));
  const place = (discNumber ?? 0) * tracksOfADisc + Math.min(track ?? 0, tracksOfADisc - 1);
  return { name, artist, year: year === undefined || year > 9999 ? null : year, place };
}

const coverOf = ({ coverArt }: Song): LibraryCover =>
  coverArt === undefined ? { in: 'nowhere' } : { in: 'remote', id: coverArt };

/** Shown and never opened. */
function folderOf(path: string): string {
  const folders = path.split(/[\\/]+/u).slice(0, -1);
  const shown = folders.flatMap((folder) => (/^\.*$/u.test(folder) ? [] : (named(folder) ?? [])));
  return shown.join('/').slice(0, mostFolderLength);
}

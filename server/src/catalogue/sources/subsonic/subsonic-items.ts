/**
 * Turns what a music server says of a track into an item of the library. Nothing of it is trusted: names become plain
 * text of a limited length, and its ids are only ever sent back to it.
 */
import { isDeepStrictEqual } from 'node:util';
import { cleanTitle, type VideoId } from '@tunemate/protocol';
import { z } from 'zod';
import { type Common, none, nowhere, pooledTexts, TrackOfAlbum, unknownLoudness } from '../../library/kept-items.ts';
import { type KeptList, keptList } from '../../library/kept-list.ts';
import {
  type AtSource,
  formatOf,
  isMediaFile,
  libraryId,
  type LibraryItem,
  seeksExactly,
  tracksOfDisc,
} from '../../library/library-item.ts';
import { partsOf } from '../../library/tags.ts';
import { isLoudness } from '../../media/measured.ts';
import { names, number, text, yes } from './subsonic-answers.ts';

/** The name of this source, which items have. */
export const subsonic = 'subsonic';

/** Servers pass on the text of a tag, too: `3/12` of a track, a day of a year, a gain with its sign. */
const whole = z
  .union([
    number,
    z
      .string()
      .regex(/^\d{1,9}[/-]/u)
      .transform((said) => Number.parseInt(said, 10)),
  ])
  .pipe(z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER))
  .optional()
  .catch(undefined);
/** 0 is what servers send of what they do not know. */
const wholeKnown = whole.transform((value) => (value === 0 ? undefined : value));
const gain = z
  .union([
    number,
    z
      .string()
      .regex(/^[+-]?\d{1,3}(?:[.,]\d{1,9})?\s?dB$/iu)
      .transform((said) => Number.parseFloat(said.replace(',', '.'))),
  ])
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
  year: wholeKnown,
  track: whole,
  discNumber: whole,
  duration: number.pipe(z.number().positive().max(1_000_000)).optional().catch(undefined),
  size: wholeKnown,
  suffix: text,
  contentType: text,
  path: text,
  created: text,
  coverArt: sourceId.optional().catch(undefined),
  replayGain: z.object({ trackGain: gain, albumGain: gain }).optional().catch(undefined),
  isDir: yes,
  isVideo: yes,
});
type Song = z.infer<typeof song>;

/** More than one track is by, or belongs to. */
const mostValues = 20;
const mostFolderLength = 300;

const named = (said: string | undefined): string | null => cleanTitle(said ?? '', '') || null;
const eachOf = (values: readonly (string | undefined)[]): string[] => [
  ...new Set(values.slice(0, mostValues).flatMap((value) => named(value) ?? [])),
];

export type UnfitSong = 'broken' | 'unsupported' | 'video';

class SubsonicTrack extends TrackOfAlbum implements LibraryItem {
  readonly id: VideoId;
  readonly title: string;
  readonly durationSeconds: number | null;
  readonly loudness: LibraryItem['loudness'];
  readonly #remoteId: string;
  readonly #bytes: number | null;
  readonly #createdSeconds: number;

  constructor(
    remoteId: string,
    { title, duration, size, discNumber, track, created, replayGain }: Song,
    common: Common,
  ) {
    super(common, (discNumber ?? 0) * tracksOfDisc + Math.min(track ?? 0, tracksOfDisc - 1));
    // Not the id of a file of the folder, whatever the server calls its tracks.
    this.id = libraryId(`subsonic:\n${remoteId}`);
    this.title = cleanTitle(title ?? '', 'Untitled');
    this.durationSeconds = duration === undefined ? null : Math.round(duration);
    this.loudness = loudnessOf(replayGain);
    this.#remoteId = remoteId;
    this.#bytes = size ?? null;
    this.#createdSeconds = Math.max(0, Math.floor((Date.parse(created ?? '') || 0) / 1000));
  }

  get modifiedMs() {
    return this.#createdSeconds * 1000;
  }
  get at(): AtSource {
    return { source: subsonic, id: this.#remoteId, bytes: this.#bytes };
  }
  get path() {
    return '';
  }
  get lyrics() {
    return nowhere;
  }

  /** Whether the server says the same of it as before. */
  isAs(other: SubsonicTrack): boolean {
    return (
      this.title === other.title &&
      this.durationSeconds === other.durationSeconds &&
      this.#bytes === other.#bytes &&
      this.place === other.place &&
      this.#createdSeconds === other.#createdSeconds &&
      isDeepStrictEqual([this.common, this.loudness], [other.common, other.loudness])
    );
  }
}

/** The loudness, in LUFS, from which ReplayGain 2 counts its gains. */
const gainsFromLufs = -18;

function loudnessOf(gains: Song['replayGain']): LibraryItem['loudness'] {
  // Servers that know no gains send zeros, or one gain for all of those, which is no measurement.
  if (!gains?.trackGain && !gains?.albumGain) return unknownLoudness;
  const of = (gain: number | undefined): number | null => {
    const lufs = gain === undefined ? null : gainsFromLufs - gain;
    return lufs !== null && isLoudness(lufs) ? lufs : null;
  };
  return { track: of(gains.trackGain), album: of(gains.albumGain) };
}

/** What is read of a song, and no more of it: reading that again says the same. Null for what is none. */
export const plainSong = (said: unknown): unknown => song.safeParse(said).data ?? null;

/** Reads tracks. `before` are those of an earlier list: unchanged ones stay the same objects. */
export function songReader(before: Pick<KeptList, 'byId'> = keptList([])) {
  const kept = new Map<string, Common>();
  const pooled = pooledTexts();
  return (said: unknown): LibraryItem | UnfitSong => {
    const read = song.safeParse(said);
    if (!read.success || read.data.isDir === true) return 'broken';
    if (read.data.isVideo === true) return 'video';
    const suffix = formatIn(read.data);
    if (suffix === null) return 'unsupported';
    const fit = { ...read.data, suffix };
    const key = keyOfCommon(fit);
    const common = kept.get(key) ?? commonOf(fit, pooled);
    kept.set(key, common);
    const track = new SubsonicTrack(read.data.id, read.data, common);
    const known = before.byId(track.id);
    return known instanceof SubsonicTrack && known.isAs(track) ? known : track;
  };
}

const suffixOf: Readonly<Record<string, string>> = {
  ...{
    mpeg: 'mp3',
    mp3: 'mp3',
    'x-mpeg': 'mp3',
    'x-mp3': 'mp3',
    flac: 'flac',
    'x-flac': 'flac',
    mp4: 'm4a',
    'x-m4a': 'm4a',
  },
  ...{
    m4a: 'm4a',
    'mp4a-latm': 'm4a',
    ogg: 'ogg',
    'x-ogg': 'ogg',
    vorbis: 'ogg',
    opus: 'opus',
    wav: 'wav',
    wave: 'wav',
  },
  ...{ 'x-wav': 'wav', 'vnd.wave': 'wav', webm: 'weba' },
};

/** The ending of its file: servers leave it out, or name all endings of a container or the decoder. Null for no track. */
function formatIn({ suffix = '', contentType = '', path = '' }: Song): string | null {
  const endings = suffix
    .toLowerCase()
    .split(/[\s,;/|]+/u)
    .map((each) => each.replace(/^\./u, ''));
  const [only = ''] = endings;
  const ofType = suffixOf[/^(?:audio|application)\/([\w.-]+)/u.exec(contentType.toLowerCase().trim())?.[1] ?? ''];
  const ofPath = /\.(\w{1,5})$/u.exec(path)?.[1]?.toLowerCase() ?? '';
  // What is named alone is believed; of several the type chooses, or the one that holds sound.
  const holdsSound = endings.includes('m4a') || endings.includes('mp4') ? 'm4a' : '';
  const known = endings.length === 1 && only !== '' ? [only] : [ofType ?? '', ofPath, holdsSound];
  return known.find((each) => isMediaFile(`x.${each}`)) ?? null;
}

function keyOfCommon({ artist, artists, displayArtist, genre, genres, path = '', ...song }: Song): string {
  const { album, albumArtists, displayAlbumArtist, year, coverArt, suffix } = song;
  const ofArtist = [artist, displayArtist, artists?.map(({ name }) => name), genre, genres?.map(({ name }) => name)];
  const ofAlbum = [album, displayAlbumArtist, albumArtists?.map(({ name }) => name), year, coverArt, suffix];
  return JSON.stringify([ofArtist, ofAlbum, path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'), 0))]);
}

function commonOf(said: Song, { text: once, list }: ReturnType<typeof pooledTexts>): Common {
  const { artist, artists, displayArtist, genre, genres, path = '', suffix = '', coverArt } = said;
  const file = `x.${suffix.toLowerCase()}`;
  const shown = named(displayArtist) ?? named(artist);
  const each = eachOf((artists?.map(({ name }) => name) ?? (artist === undefined ? [] : [artist])).flatMap(partsOf));
  const album = albumOf(said);
  const own = {
    artist: once(shown ?? (each.length === 0 ? null : named(each.join(', ')))),
    artists: list(each.length > 0 || shown === null ? each : [shown]),
    genres: list(eachOf([genre, ...(genres ?? []).map(({ name }) => name)])),
    album: album && { ...album, artist: once(album.artist) },
    folder: folderOf(path),
  };
  return {
    ...own,
    cover: coverArt === undefined ? nowhere : { in: 'source', id: coverArt },
    ...{ ...formatOf(file, false), streams: null, subtitles: none },
    ...{ seeksExactly: seeksExactly(file, undefined), playsEverywhere: true },
  };
}

function albumOf({ album, albumArtists, displayAlbumArtist, year }: Song): Common['album'] {
  const name = named(album);
  if (name === null) return null;
  const artist = named(displayAlbumArtist) ?? named(eachOf(albumArtists?.map((each) => each.name) ?? []).join(', '));
  return { name, artist, year: year === undefined || year > 9999 ? null : year };
}

/** Shown and never opened. */
function folderOf(path: string): string {
  const folders = path.split(/[\\/]+/u).slice(0, -1);
  const shown = folders.flatMap((folder) => (/^\.*$/u.test(folder) ? [] : (named(folder) ?? [])));
  return shown.join('/').slice(0, mostFolderLength);
}

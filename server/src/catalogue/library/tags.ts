/**
 * Reads the tags of a media file. A file whose tags can't be read, or that contains no audio, is no item.
 */
import { basename, dirname, extname, sep } from 'node:path';
import { cleanTitle } from '@tunemate/protocol';
import {
  parseFile,
  selectCover,
  type IAudioMetadata,
  type ICommonTagsResult,
  type IPicture,
  type ITag,
  type IFormat,
} from 'music-metadata';
import { isShowable } from './album-pictures.ts';
import { isLengthDoubtful } from './doubtful-length.ts';
import {
  formatOf,
  libraryId,
  playsEverywhere,
  seeksExactly,
  tracksOfDisc,
  type FoundFile,
  type LibraryAlbum,
  type LibraryItem,
  type FilmStreams,
} from './library-item.ts';
import { lyricsInside } from './lyrics.ts';
import { countedSeconds, isLoudness } from '../media/measured.ts';
import { undoneLatin1 } from './text-encoding.ts';

/** Throws when the file is broken or contains nothing to play. */
export async function readTagged(file: FoundFile): Promise<LibraryItem> {
  const metadata = await parseFile(file.path, { duration: true });
  const { format } = metadata;
  const hasSound = format.codec !== undefined || format.hasAudio === true;
  const { kind, mime } = formatOf(file.path, format.hasVideo === true);
  if (format.container === undefined || (!hasSound && kind === 'audio')) throw new Error('no audio track');
  const said = format.duration || null;
  const isCounted = said === null || (await isLengthDoubtful(file));
  const durationSeconds = (isCounted ? await countedSeconds(file.path) : null) ?? said;
  if (durationSeconds === null && format.duration !== undefined) throw new Error('no duration');
  const common = readable(metadata);
  const { artist, artists } = severalOf(common.artist, common.artists);
  const name = basename(file.path, extname(file.path));
  const words = kind === 'audio' ? await lyricsInside(file.path, metadata.native, format.tagTypes) : null;
  return {
    ...placeOf(file),
    title: cleanTitle(common.title ?? '', cleanTitle(name.replaceAll('_', ' '), 'Untitled')),
    artist,
    artists,
    genres: eachOf(common.genre?.flatMap((genre) => genre.split(/[;\0]/u)).flatMap(partsOf)),
    album: albumOf(common),
    modifiedMs: file.modifiedMs,
    ...{ kind, mime, streams: kind === 'video' ? streamsOf(format) : null },
    seeksExactly: seeksExactly(file.path, format.codec),
    playsEverywhere: playsEverywhere(format.codec ?? format.trackInfo?.[0]?.codecName),
    durationSeconds,
    cover: shownPicture(common.picture) === null ? { in: 'nowhere' } : { in: 'media' },
    subtitles: [],
    loudness: taggedLoudness(metadata),
    lyrics: { in: words === null ? 'nowhere' : 'media' },
  };
}

const named = (text: string | undefined): string | null => cleanTitle(text ?? '', '') || null;

/** More than one track is by, or belongs to. */
const mostValues = 20;

/** Clean values, each once. */
function eachOf(values: readonly string[] | undefined): string[] {
  const clean = (values ?? []).slice(0, mostValues).map(named);
  return [...new Set(clean.filter((value) => value !== null))];
}

/** What is shown of a tag with several values, and each of them. `single` may be their own text, as 'Ines feat. Jon'. */
function severalOf(single: string | undefined, values: readonly string[] | undefined) {
  // Some programs write all values into one text, with zeros between them.
  const written = (values ?? (single === undefined ? [] : [single])).flatMap((value) => value.split('\0'));
  const all = eachOf(written);
  const own = single?.includes('\0') === true ? null : named(single);
  const isFirstOnly = own === null || own === all[0];
  return { artist: isFirstOnly ? named(all.join(', ')) : own, artists: eachOf(written.flatMap(partsOf)) };
}

/** What stands between names, and in none. 'Steins;Gate', 'Earth, Wind & Fire' and 'AC / DC' are one. */
const between = /\s*;\s+|\s+;|、|\s+[([]?(?:[Ff]eat\.|FEAT\.|[Ff]t\.|FT\.|[Ff]eaturing|feat|ft)\s+/u;

/** The artists that one text names: 'Ines feat. Jon; Ada' are three. */
export function partsOf(text: string): string[] {
  // A tag of nothing but blanks would be looked through from each of them.
  const plain = text.replaceAll(/\s+/gu, ' ');
  const [first = '', ...others] = plain.split(between).flatMap((part) => {
    const names = part.split(/\s+\/\s+/u);
    if (names.length > 1) return names.every((name) => name.trim().length > 2) ? names : [part];
    const glued = part.split(';').filter((name) => name.trim() !== '');
    return areNames(glued) ? glued : [part];
  });
  return [first, ...others.map((part) => (/[([]/u.test(part) ? part : part.replace(/[)\]]\s*$/u, '')))];
}

/** The tags as they were meant: values that were split at a slash in one piece, and letters in their true encoding. */
function readable({ common, native, format, quality }: IAudioMetadata): ICommonTagsResult {
  const whole = {
    ...common,
    ...unsplit('artist', 'artists', ['TPE1', 'TP1']),
    ...unsplit('albumartist', 'albumartists', ['TPE2']),
  };
  if (!format.tagTypes.some((type) => type.startsWith('ID3') || type === 'exif')) return whole;
  const { title = '', artist = '', album = '', albumartist = '' } = whole;
  const context = [title, artist, album, albumartist].join('\n');
  const undone = (text: string): string => undoneLatin1(text, context);
  return {
    ...whole,
    ...{ title: undone(title), artist: undone(artist), album: undone(album), albumartist: undone(albumartist) },
    ...(whole.artists && { artists: whole.artists.map(undone) }),
    ...(whole.albumartists && { albumartists: whole.albumartists.map(undone) }),
    ...(whole.genre && { genre: whole.genre.map(undone) }),
  };

  /** In ID3v2.3 a slash separates artists, and is as often a part of a name: 'AC/DC'. */
  function unsplit(single: 'artist' | 'albumartist', plural: 'artists' | 'albumartists', frames: readonly string[]) {
    const tags = native['ID3v2.3'] ?? native['ID3v2.2'] ?? [];
    const parts = tags.filter(({ id }) => frames.includes(id)).map(({ value }) => String(value));
    const isByNull = quality.warnings.some(
      ({ message }) => message.includes('null-separator') && frames.some((frame) => message.includes(` ${frame} `)),
    );
    if (parts.length < 2 || isByNull) return {};
    const text = parts.join('/');
    const listed = common[plural] ?? [];
    const areTheParts = listed.every((each) => parts.includes(each));
    const values = !areTheParts ? listed : areNames(parts) ? parts.map((part) => part.trim()) : [text];
    return { [single]: text, [plural]: values };
  }
}

/** 'Queen/David Bowie' are two, 'AC/DC' and 'Love/Hate' are one. */
const areNames = (parts: readonly string[]): boolean =>
  parts.every((part) => part.trim().length > 2) && parts.some((part) => part.trim().includes(' '));

function albumOf({ album, albumartist, albumartists, year, disk, track }: ICommonTagsResult): LibraryAlbum | null {
  const name = named(album);
  if (name === null) return null;
  const place = (disk.no ?? 0) * tracksOfDisc + (track.no ?? 0);
  return { name, artist: severalOf(albumartist, albumartists).artist, year: year ?? null, place };
}

/** What an item has from the place of its file, and not from the file. */
export function placeOf({ relativePath, path }: FoundFile): Pick<LibraryItem, 'id' | 'folder' | 'path'> {
  return { id: libraryId(relativePath), folder: folderOf(relativePath), path };
}

function folderOf(relativePath: string): string {
  const folder = dirname(relativePath).split(sep).join('/');
  return folder === '.' ? '' : folder;
}

/** The picture inside a media file that is shown, or null. */
export async function embeddedCover(path: string): Promise<IPicture | null> {
  const { common } = await parseFile(path);
  return shownPicture(common.picture);
}

/** The cover among those pictures that can be shown: a page is promised no other. */
function shownPicture(pictures: readonly IPicture[] | undefined): IPicture | null {
  const shown = (pictures ?? []).filter(({ data, format }) => isShowable(format, data.length));
  return shown.length === 0 ? null : selectCover(shown);
}

/** What each kind of tag brings a recording to, in LUFS: ReplayGain 2 and EBU R 128. */
const [replayGainLufs, r128Lufs] = [-18, -23];
/** The gains of EBU R 128 count 256ths of a decibel. */
const r128Parts = 256;

/** The level of sound that ReplayGain 1 counts gains from, in dB: 89 are -18 LUFS, and older programs wrote 83. */
const decibelsToLufs = -107;
/** Programs write a comma, blanks behind the sign, and the minus of typographers. */
const decimal = /^\s*([+\-−]?)\s*(\d{1,3}(?:[.,]\d{1,20})?)\s*(dB|LUFS|LKFS|LU)?(?:\s*SPL)?\s*$/iu;

/** How loud the tags say that the recording is. What is beyond a recording is no gain. */
function taggedLoudness({ common, native }: IAudioMetadata): LibraryItem['loudness'] {
  const tags = Object.values(native as Record<string, ITag[]>).flat();
  const r128 = (name: string): number | undefined => {
    const value = tags.find(({ id }) => id.toUpperCase() === name)?.value;
    return typeof value === 'string' && /^\s*[+-]?\d{1,5}\s*$/u.test(value) ? Number(value) / r128Parts : undefined;
  };
  /** Null where there is none; NaN where what is written is no figure. */
  const read = (...names: string[]): { value: number; unit: string } | null => {
    const said = tags.find(({ id }) => names.some((name) => id.toUpperCase().endsWith(name)))?.value;
    if (said === undefined) return null;
    const [, sign = '', digits = '', unit = ''] = decimal.exec(typeof said === 'string' ? said : '') ?? [];
    const value = digits === '' ? Number.NaN : Number(digits.replace(',', '.'));
    return { value: /[-−]/u.test(sign) ? -value : value, unit: unit.toLowerCase() };
  };
  const reference = read('REPLAYGAIN_REFERENCE_LOUDNESS');
  const isLufs = reference !== null && (reference.unit.startsWith('l') || reference.value < 0);
  // Of one that can't be read the gains say nothing.
  const from = reference === null ? replayGainLufs : reference.value + (isLufs ? 0 : decibelsToLufs);
  const lufsOf = (gain: number | undefined, r128Gain: number | undefined): number | null => {
    // An Opus may have those of ReplayGain from the file that it was made of, of another level.
    const lufs = [r128Gain === undefined ? null : r128Lufs - r128Gain, gain === undefined ? null : from - gain];
    return lufs.find((each) => each !== null && isLoudness(each)) ?? null;
  };
  return {
    track: lufsOf(
      read('REPLAYGAIN_TRACK_GAIN', 'TRACK:REPLAYGAIN_GAIN')?.value ?? common.replaygain_track_gain?.dB,
      r128('R128_TRACK_GAIN'),
    ),
    album: lufsOf(
      read('REPLAYGAIN_ALBUM_GAIN', 'ALBUM:REPLAYGAIN_GAIN')?.value ?? common.replaygain_album_gain?.dB,
      r128('R128_ALBUM_GAIN'),
    ),
  };
}

// Names the codecs of a film as browsers are asked about them. Of what the container says only the family is known, so
// each is named by the profile that most files of it have.

/** By the names of MP4 and of Matroska in small letters. */
const codecs: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ avc1: 'avc1.42E01E', avc3: 'avc3.42E01E', 'mpeg4/iso/avc': 'avc1.42E01E' },
    ...{ hvc1: 'hvc1.1.6.L93.B0', hev1: 'hev1.1.6.L93.B0', 'mpegh/iso/hevc': 'hvc1.1.6.L93.B0' },
    ...{ dvh1: 'dvh1.05.01', dvhe: 'dvhe.05.01', vvc1: 'vvc1.1.L51.CQA', mp4v: 'mp4v.20.9' },
    ...{ av01: 'av01.0.04M.08', av1: 'av01.0.04M.08', vp08: 'vp8', vp8: 'vp8', vp09: 'vp09.00.10.08', vp9: 'vp9' },
    ...{ 'mpeg-4/aac': 'mp4a.40.2', mp4a: 'mp4a.40.2', aac: 'mp4a.40.2', 'mpeg/l3': 'mp4a.6B', mp3: 'mp4a.6B' },
    ...{ 'ac-3': 'ac-3', ac3: 'ac-3', 'ec-3': 'ec-3', eac3: 'ec-3', 'ac-4': 'ac-4.02.01.00' },
    ...{ dts: 'dtsc', dtsc: 'dtsc', dtsh: 'dtsh', dtse: 'dtse', dtsl: 'dtsl', truehd: 'mlpa', mlpa: 'mlpa' },
    ...{ opus: 'opus', vorbis: 'vorbis', flac: 'flac', alac: 'alac' },
  }),
);
/** The others are asked about in MP4, whatever container they are in. */
const ofWebM = new Set(['vp8', 'vp9', 'opus', 'vorbis']);

/** The first stream of each kind is the one that plays. A stream of an unknown codec is named as the file does. */
function streamsOf({ trackInfo, codec, hasVideo, hasAudio }: IFormat): FilmStreams {
  const picture = trackInfo.find(({ video, type }) => video !== undefined || type === videoTrack)?.codecName;
  const sound = trackInfo.find(({ audio, type }) => audio !== undefined || type === audioTrack)?.codecName;
  return {
    picture: hasVideo === true || picture !== undefined ? typeOf('video', picture ?? '') : null,
    sound: hasAudio === true || sound !== undefined ? typeOf('audio', sound ?? codec ?? '') : null,
  };
}

/** Matroska's numbers, which the tag reader uses for all containers. */
const [videoTrack, audioTrack] = [1, 2];

function typeOf(kind: 'video' | 'audio', name: string): string {
  const plain = name.replaceAll(/[^\w./-]/gu, '').toLowerCase();
  const codec = codecs.get(plain) ?? plain.replaceAll('/', '.');
  return codec === '' ? `${kind}/mp4` : `${kind}/${ofWebM.has(codec) ? 'webm' : 'mp4'}; codecs="${codec}"`;
}

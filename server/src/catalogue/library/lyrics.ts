/**
 * The words of a track: those of a file beside it, else those in its tags. They are read when they are asked for,
 * and the recent ones stay in memory: in a large room all pages ask at the same moment.
 */
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { putLatest } from '@tunemate/domain';
import type { Lyrics } from '@tunemate/protocol';
import { type INativeTagDict, type ILyricsTag, type ITag, parseFile } from 'music-metadata';
import { openStill } from '../media/still-there.ts';
import type { Source } from '../sources/source.ts';
import { inTurns } from '../../system/in-turns.ts';
import { alike, type FoundFile, isMediaFile, type LibraryItem, plainItem, withoutExtension } from './library-item.ts';
import { lyricsOfEntries, lyricsOfText } from './lrc.ts';
import { decodedText, undoneLatin1 } from './text-encoding.ts';

/** The words of a long song have 10 kB. */
export const maxLyricsBytes = 512 * 1024;
/** Tracks whose words are kept in memory. */
const keptTracks = 100;

/** What players read beside a track; those with times come first. */
const extensions = [
  '.lrc',
  '.elrc',
  '.lrcx',
  '.ttml',
  '.srt',
  '.vtt',
  '.sbv',
  '.dfxp',
  '.ass',
  '.ssa',
  '.smi',
  '.txt',
] as const;
const extensionOf = (path: string): string => extname(path).toLowerCase();
/** Files that hold words of songs, or a text about anything. */
export const isLyrics = (path: string): boolean => /^\.(?:e?lrc|lrcx|txt)$/u.test(extensionOf(path));
/** What most often lies beside music for another reason. */
export const isAnyText = (path: string): boolean => extensionOf(path) === '.txt';

/** A file of words has four names at most, and those of what it is of. */
const mostNames = 5;
/** The names of tracks that a file of words may be of, the likeliest first: its own, and that with more behind or around it. */
function namesOf(path: string): string[] {
  const name = alike(withoutExtension(path));
  const shorter = isMediaFile(name) ? withoutExtension(name) : name.replace(/\.[a-z]{2,3}(?:[-_][a-z\d]{2,4})?$/u, '');
  return [...new Set([name, shorter].flatMap((each) => [each, each.replace(/(^|\/)(?:lyrics?|lrc)\//u, '$1')]))];
}

interface NamedTrack {
  readonly item: LibraryItem;
  readonly relativePath: string;
}

const loose = (text: string): string => text.replaceAll(/[^\p{L}\p{M}\p{N}/]+/gu, ' ').trim();

/**
 * Programs also name words after what they are of: `Ann - Song.lrc` or `Song.lrc` beside `03 Song.mp3`. A name that two
 * tracks of a folder share is of neither.
 */
async function otherNamesOf(found: readonly NamedTrack[]): Promise<ReadonlyMap<string, string | null>> {
  const names = new Map<string, string | null>();
  for await (const some of inTurns(found)) {
    for (const { item, relativePath } of some) {
      if (item.kind !== 'audio') continue;
      const own = alike(withoutExtension(relativePath));
      const at = own.lastIndexOf('/') + 1;
      const title = alike(item.title).replaceAll('/', ' ');
      const artist = alike(item.artist ?? '').replaceAll('/', ' ');
      for (const name of new Set([
        own.slice(at).replace(/^(?:\d{1,2}[-.])?\d{1,3}[\s._-]+/u, ''),
        title,
        `${artist} ${title}`,
      ])) {
        const key = loose(own.slice(0, at) + name);
        names.set(key, (names.get(key) ?? own) === own && names.get(key) !== null ? own : null);
      }
    }
  }
  return names;
}

/** Each track with the words of its name, if there are any: `Song.lrc` beside `Song.mp3`. Answers the files of words. */
export async function withLyrics<T extends NamedTrack>(
  found: readonly T[],
  files: readonly FoundFile[],
): Promise<{ tracks: readonly T[]; used: ReadonlySet<FoundFile> }> {
  if (files.length === 0) return { tracks: found, used: new Set() };
  const tracks = new Set<string>();
  for await (const some of inTurns(found)) {
    for (const { item, relativePath } of some) {
      if (item.kind === 'audio') tracks.add(alike(withoutExtension(relativePath)));
    }
  }
  const used = new Set<FoundFile>();
  const best = new Map<string, { path: string; rank: number }>();
  function use(file: FoundFile, name: string | null | undefined, at: number): void {
    const format = (extensions as readonly string[]).indexOf(extensionOf(file.relativePath));
    if (name === undefined || name === null || format < 0) return;
    used.add(file);
    const rank = format * mostNames + at;
    if (rank < (best.get(name)?.rank ?? Number.POSITIVE_INFINITY)) best.set(name, { path: file.path, rank });
  }
  for await (const some of inTurns(files)) {
    for (const file of some) {
      const names = namesOf(file.relativePath);
      const at = names.findIndex((name) => tracks.has(name));
      use(file, names[at], at);
    }
  }
  const others = files.filter((file) => !used.has(file));
  const otherNames = others.length === 0 ? new Map<string, string | null>() : await otherNamesOf(found);
  for (const file of others) {
    const name = namesOf(file.relativePath)
      .map(loose)
      .find((each) => otherNames.has(each));
    use(file, otherNames.get(name ?? ''), mostNames - 1);
  }
  const withWords: T[] = [];
  for await (const some of inTurns(found)) {
    for (const each of some) {
      const words = each.item.kind === 'audio' ? best.get(alike(withoutExtension(each.relativePath))) : undefined;
      const lyrics = words && { in: 'file' as const, path: words.path };
      withWords.push(lyrics === undefined ? each : { ...each, item: { ...plainItem(each.item), lyrics } });
    }
  }
  return { tracks: withWords, used };
}

/** Of files. */
export function lyricsReader(): Source['lyrics'] {
  /** By file and version, the least recently used first. */
  const kept = new Map<string, Promise<Lyrics | null>>();
  return async ({ lyrics, path: track }) => {
    if (lyrics.in === 'nowhere') return null;
    const path = lyrics.in === 'file' ? lyrics.path : track;
    const found = await stat(path).catch(() => null);
    if (found === null) return null;
    const key = [path, found.size, found.mtimeMs].join('\n');
    const reading = kept.get(key) ?? (lyrics.in === 'file' ? readFileOf(path) : readTagsOf(path)).catch(() => null);
    return await putLatest(kept, key, reading, keptTracks);
  };
}

async function readFileOf(path: string): Promise<Lyrics | null> {
  const file = await openStill(path);
  try {
    if (file === null || (await file.stat()).size > maxLyricsBytes) return null;
    return lyricsOfText(decodedText(await file.readFile(), null));
  } finally {
    await file?.close();
  }
}

async function readTagsOf(path: string): Promise<Lyrics | null> {
  const file = await openStill(path);
  await file?.close();
  if (file === null) return null;
  const { native, format } = await parseFile(path, { skipCovers: true });
  return await lyricsInside(path, native, format.tagTypes);
}

/** The words in the tags of a file. Null where there are none. */
export async function lyricsInside(
  path: string,
  native: INativeTagDict,
  tagTypes: readonly string[],
): Promise<Lyrics | null> {
  const mayHaveLyrics3 = extensionOf(path) === '.mp3' && tagTypes.includes('ID3v1');
  return lyricsOfTags(native) ?? (mayHaveLyrics3 ? await lyrics3Of(path) : null);
}

/** Of ID3v1, behind which nothing stands. */
const id3v1Bytes = 128;
/** Of Lyrics3, version 1, which does not say its length. */
const mostOfVersion1 = 5200;

/**
 * Lyrics3 lies between the sound of an MP3 and its ID3v1. Version 2 has fields with their lengths, of which LYR holds the
 * words; version 1 is words alone.
 */
async function lyrics3Of(path: string): Promise<Lyrics | null> {
  const file = await openStill(path);
  if (file === null) return null;
  try {
    const until = (await file.stat()).size - id3v1Bytes;
    const last = async (bytes: number): Promise<Buffer> => {
      const into = Buffer.alloc(Math.max(0, Math.min(bytes, until)));
      return into.subarray(0, (await file.read(into, 0, into.length, until - into.length)).bytesRead);
    };
    const [, said, version] = /(.{6})LYRICS(200|END)$/su.exec((await last(15)).toString('latin1')) ?? [];
    const bytes = version === '200' ? Number(said) + 15 : mostOfVersion1;
    if (version === undefined || !(bytes < maxLyricsBytes)) return null;
    const block = await last(bytes);
    const begin = block.lastIndexOf('LYRICSBEGIN') + 11;
    if (begin < 11) return null;
    if (version === 'END') return lyricsOfText(decodedText(block.subarray(begin, -9), null));
    for (let at = begin; at + 8 < block.length;) {
      const size = Number(block.toString('latin1', at + 3, at + 8));
      if (!(size >= 0)) return null;
      if (block.toString('latin1', at, at + 3) === 'LYR')
        return lyricsOfText(decodedText(block.subarray(at + 8, at + 8 + size), null));
      at += 8 + size;
    }
    return null;
  } finally {
    await file.close();
  }
}

/**
 * What programs name the tags of words, in ID3, Vorbis comments, APE, MP4 and Matroska (`track:LYRICS`): with or without
 * the kind of their times and their language.
 */
const names =
  /^(?:USLT|ULT|SYLT|SLT|(?:TXXX:|----:com\.apple\.iTunes:|[a-z]{1,20}:)?(?:(?:UN)?SYNC(?:ED|HRONI[SZ]ED)?[ _-]?)?(?:LYRICS|USLT|SYLT)(?:[ _:-](?:(?:UN)?SYNCED|[a-z]{3}))?|©lyr)$/iu;

/** Times before none, and of several languages the first. Null where the tags hold no words. */
export function lyricsOfTags(native: INativeTagDict): Lyrics | null {
  let plain: Lyrics | null = null;
  for (const { id, value } of Object.values(native as Record<string, ITag[]>).flat()) {
    const lyrics = names.test(id) ? lyricsOfTag(value) : null;
    if (lyrics?.type === 'timed') return lyrics;
    plain ??= lyrics;
  }
  return plain;
}

/** A tag may be as large as its file. */
const mostEntries = 50_000;
function undone(text: string): string {
  const read = text.slice(0, maxLyricsBytes);
  return undoneLatin1(read, read);
}

/** Of SYLT: the times count milliseconds. */
const inMilliseconds = 2;

function lyricsOfTag(value: unknown): Lyrics | null {
  if (typeof value === 'string') return lyricsOfText(value);
  if (typeof value !== 'object' || value === null) return null;
  const { text, syncText, timeStampFormat } = value as Partial<Record<string, unknown>>;
  // Chords, events and other kinds have the same frame, and are shown as what they are.
  if (Array.isArray(syncText)) {
    const entries = (syncText.slice(0, mostEntries) as (Partial<ILyricsTag['syncText'][number]> | null)[]).flatMap(
      (each) => {
        const { text: own, timestamp } = each ?? {};
        if (typeof own !== 'string') return [];
        const ms = timeStampFormat === inMilliseconds ? Number(timestamp) : Number.NaN;
        return [{ ms, text: undone(own) }];
      },
    );
    return lyricsOfEntries(entries);
  }
  return typeof text === 'string' ? lyricsOfText(undone(text)) : null;
}

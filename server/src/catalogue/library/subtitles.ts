/**
 * Subtitles that lie beside a film: `Film.srt`, `Film.en.vtt`. Pure: which files belong to which film, and how they are
 * turned into WebVTT, the one format that browsers show.
 */
import { extname } from 'node:path';
import { cleanTitle } from '@tunemate/protocol';
import { type FoundFile, shortHash, type Subtitles } from './library-item.ts';

const formats = new Set(['.vtt', '.srt']);
/** More than a film comes with. */
const perFilm = 50;

export function isSubtitles(path: string): boolean {
  return formats.has(extname(path).toLowerCase());
}

const withoutExtension = (path: string): string => path.slice(0, path.length - extname(path).length);

/** The subtitles of each film, by its place in the folder: those whose name begins with the film's, to its last dot. */
export function subtitlesOfFilms(filmPaths: readonly string[], found: readonly FoundFile[]): Map<string, Subtitles[]> {
  const films = new Map(filmPaths.map((path) => [withoutExtension(path), path]));
  const assigned = new Map<string, Subtitles[]>();
  for (const { relativePath, path } of found) {
    const name = withoutExtension(relativePath);
    const match = longestBase(name, films);
    if (match === null) continue;
    const { base, film } = match;
    const own = assigned.get(film) ?? [];
    assigned.set(film, own);
    if (own.length === perFilm) continue;
    const id = shortHash(relativePath.normalize('NFC'));
    own.push({ id, ...named(name.slice(base.length + 1)), path });
  }
  return assigned;
}

/** 'Film.2' when there is such a film, else 'Film', for the name 'Film.2.en'. */
function longestBase(name: string, films: ReadonlyMap<string, string>): { base: string; film: string } | null {
  for (let base = name; ;) {
    const film = films.get(base);
    if (film !== undefined) return { base, film };
    const dot = base.lastIndexOf('.');
    if (dot <= base.lastIndexOf('/')) return null;
    base = base.slice(0, dot);
  }
}

function named(tag: string): Pick<Subtitles, 'language' | 'label'> {
  const language = languageOf(tag);
  return { language, label: language === null ? cleanTitle(tag, '') || null : null };
}

/** The canonical form of a language tag; null for everything that only looks like one, such as a person's name. */
function languageOf(tag: string): string | null {
  if (!/^[a-z]{2,3}(?:[-_][a-z\d]{2,8})*$/iu.test(tag)) return null;
  try {
    return new Intl.Locale(tag.replaceAll('_', '-')).toString();
  } catch {
    return null;
  }
}

const timing = /^(?:(\d+):)?(\d{1,2}):(\d{2})[,.](\d{1,3})\s*-->\s*(?:(\d+):)?(\d{1,2}):(\d{2})[,.](\d{1,3}).*$/u;

/** The text of a subtitles file as WebVTT. Files of either format are read leniently: blocks without a time go. */
export function webVttOf(bytes: Uint8Array): string {
  const blocks = textOf(bytes)
    .replaceAll(/\r\n?/gu, '\n')
    .split(/\n{2,}/u)
    .flatMap((block) => {
      const lines = block.split('\n');
      const at = lines.findIndex((line) => timing.test(line));
      const times = timing.exec(lines[at] ?? '');
      // A note of WebVTT may quote a time.
      if (times === null || at > 1 || /^NOTE\b/u.test(block)) return [];
      const cue = lines.slice(at + 1).filter((line) => line.trim() !== '');
      return cue.length === 0 ? [] : [[timeLine(times), ...cue.map(withoutArrow)].join('\n')];
    });
  return ['WEBVTT', ...blocks].join('\n\n').concat('\n');
}

/** An arrow inside a text would end its cue. */
const withoutArrow = (line: string): string => line.replaceAll('-->', '→');

function timeLine([, ...parts]: RegExpExecArray): string {
  const time = (hours = '0', minutes = '0', seconds = '0', fraction = '0'): string =>
    `${hours.padStart(2, '0')}:${minutes.padStart(2, '0')}:${seconds}.${fraction.padEnd(3, '0')}`;
  return `${time(...parts.slice(0, 4))} --> ${time(...parts.slice(4))}`;
}

/** UTF-8 or UTF-16 by their marks; bytes that are no UTF-8 are read as Windows-1252, as most old files are. */
function textOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

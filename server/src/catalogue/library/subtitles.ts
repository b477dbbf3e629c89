/**
 * Subtitles that lie beside a film or in a folder for them: `Film.srt`, `Film.en.vtt`, `Film.en.forced.srt`,
 * `Subs/English.srt`, `Subs/Film/2_German.srt`. Pure: decides which files belong to which film, and what they are.
 */
import { basename, dirname, extname, join } from 'node:path';
import { cleanTitle } from '@tunemate/protocol';
import { alike, type FoundFile, shortHash, type Subtitles, withoutExtension } from './library-item.ts';

const formats = new Set(['.vtt', '.srt', '.ass', '.ssa', '.sub', '.smi', '.sbv', '.ttml', '.dfxp']);
/** The text of a long film has 200 kB. What is larger is something else, such as pictures of subtitles in a `.sub`. */
export const maxSubtitlesBytes = 2 * 1024 * 1024;
/** More than a film comes with. */
const perFilm = 50;
/** Folders beside films that hold their subtitles. */
const folders = /^(?:subs?|subtitles?|untertitel|sous-titres|subt[ií]tulos)$/iu;

export function isSubtitles(path: string): boolean {
  return formats.has(extname(path).toLowerCase());
}

/** The subtitles of each film, by its place in the folder: files whose name begins with the film's, to its last dot. */
export function subtitlesOfFilms(filmPaths: readonly string[], found: readonly FoundFile[]): Map<string, Subtitles[]> {
  const films = filmsOf(filmPaths);
  const assigned = new Map<string, Subtitles[]>();
  for (const { relativePath, path } of found) {
    const match = films.fitting(withoutExtension(relativePath));
    if (match === null) continue;
    const own = assigned.get(match.film) ?? [];
    assigned.set(match.film, own);
    if (own.length === perFilm) continue;
    const id = shortHash(relativePath.normalize('NFC'));
    own.push({ id, ...named(match.tag), path });
  }
  return assigned;
}

interface Match {
  film: string;
  /** What the name of the file says beyond that of the film. */
  tag: string;
}

function filmsOf(paths: readonly string[]) {
  const exact = new Map(paths.map((path) => [withoutExtension(path), path]));
  const similar = new Map(paths.map((path) => [alike(withoutExtension(path)), path]));
  const inFolder = new Map<string, string[]>();
  for (const path of paths) inFolder.set(dirname(path), [...(inFolder.get(dirname(path)) ?? []), path]);

  /** 'Film.2' when there is such a film, else 'Film', for the name 'Film.2.en'. */
  function longestBase(name: string): Match | null {
    for (let base = name; ;) {
      const film = exact.get(base) ?? similar.get(alike(base));
      if (film !== undefined) return { film, tag: name.slice(base.length + 1) };
      const dot = base.lastIndexOf('.');
      if (dot <= base.lastIndexOf('/')) return null;
      base = base.slice(0, dot);
    }
  }

  return {
    /** The film of a file of subtitles, by its path without the extension. */
    fitting(name: string): Match | null {
      const beside = longestBase(name);
      if (beside !== null) return beside;
      const [folder, tag] = [dirname(name), basename(name)];
      if (folders.test(basename(folder))) {
        const above = dirname(folder);
        const only = inFolder.get(above) ?? [];
        return longestBase(join(above, tag)) ?? (only.length === 1 && only[0] ? { film: only[0], tag } : null);
      }
      // A folder of its own for each film.
      if (!folders.test(basename(dirname(folder)))) return null;
      const film = longestBase(join(dirname(dirname(folder)), basename(folder)));
      return film && { film: film.film, tag };
    },
  };
}

/** What a file is besides its language. 'hi' is Hindi where no other language is named. */
const kinds: readonly (readonly [words: RegExp, label: string | null])[] = [
  [/^(?:forced|foreign)$/iu, 'Forced'],
  [/^(?:sdh|cc|hi)$/iu, 'SDH'],
  [/^(?:default|full)$/iu, null],
];

function named(tag: string): Pick<Subtitles, 'language' | 'label'> {
  // '2_English': the number of the track.
  const plain = tag.replace(/^\d{1,3}_/u, '');
  const whole = languageOf(plain);
  if (whole !== null) return { language: whole, label: null };
  const words = plain.split(/[.\s_()[\]]+/u).filter(Boolean);
  const kindOf = (word: string) => kinds.find(([pattern]) => pattern.test(word));
  const language = languageOf(words.filter((word) => kindOf(word) === undefined).join(' '));
  const labels = words.map((word) => kindOf(word)?.[1] ?? null).filter((label) => label !== null);
  if (language !== null) return { language, label: [...new Set(labels)].join(', ') || null };
  const isKindOnly = words.length > 0 && words.every((word) => kindOf(word) !== undefined);
  return { language: null, label: (isKindOnly ? labels.join(', ') : cleanTitle(plain, '')) || null };
}

/** Languages that files are named after in words: `English`, `Deutsch`, `Brazilian Portuguese`. */
const codes =
  'en de fr es it pt nl sv da nb no fi is pl cs sk hu ro hr sl sr bs bg ru uk el tr he ar fa ur hi bn ta te th vi id ' +
  'ms ja ko zh ca eu gl et lv lt mk sq ka hy az pt-BR es-419 zh-Hans zh-Hant';
const codeOfName = new Map(
  codes.split(' ').flatMap((code) =>
    ['en', code].map((inLanguage) => {
      const name = new Intl.DisplayNames([inLanguage], { type: 'language' }).of(code) ?? code;
      return [name.toLowerCase(), code] as const;
    }),
  ),
);

/** The canonical form of a language tag or name; null for everything that only looks like one, such as a person's. */
function languageOf(tag: string): string | null {
  const byName = codeOfName.get(tag.toLowerCase());
  if (byName !== undefined) return byName;
  if (!/^[a-z]{2,3}(?:[-_][a-z\d]{2,8})*$/iu.test(tag)) return null;
  try {
    return new Intl.Locale(tag.replaceAll('_', '-')).toString();
  } catch {
    return null;
  }
}

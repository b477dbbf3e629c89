/** Subtitles that lie beside a film: `Film.srt`, `Film.en.vtt`. Pure: decides which files belong to which film. */
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

/** The subtitles of each film, by its place in the folder: files whose name begins with the film's, to its last dot. */
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

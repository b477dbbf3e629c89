/**
 * Which subtitles of a film this device shows, and their names. The user's choice is stored on the device for all
 * films.
 */
import type { Value } from '@tunemate/protocol';
import { cell, type Cell } from '../store/cell.ts';
import type { LenientStorage } from '../store/lenient-storage.ts';
import { t } from '../language/t.ts';

export type Subtitles = Value<'library/subtitles'>['subtitles'][number];

/** The user's choice for all films: a language, or the label of a file; null for no subtitles. */
export type SubtitlesChoice = Pick<Subtitles, 'language' | 'label'> | null;

/** The language's own name with the file's label, or the label alone. Equal names are numbered. */
export function subtitlesNames(all: readonly Subtitles[]): string[] {
  const names = all.map(({ language, label }) => {
    if (language === null) return label ?? t`Subtitles`;
    return label === null ? languageName(language) : `${languageName(language)} (${label})`;
  });
  return names.map((name, index) => {
    const before = names.slice(0, index).filter((other) => other === name).length;
    return before === 0 ? name : `${name} ${String(before + 1)}`;
  });
}

function languageName(language: string): string {
  try {
    const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
    return name.slice(0, 1).toLocaleUpperCase(language) + name.slice(1);
  } catch {
    // The browser knows no such tag.
    return language;
  }
}

/**
 * The subtitles of this film that fit the choice best: the same language and label, else the same language without one,
 * as forced subtitles are no replacement for all, else the same without its region.
 */
export function subtitlesFor(all: readonly Subtitles[], chosen: SubtitlesChoice): Subtitles | null {
  if (chosen === null) return null;
  const { language, label } = chosen;
  if (language === null) return all.find((one) => one.language === null && one.label === label) ?? null;
  const ofLanguage = (isSame: (other: string) => boolean): Subtitles | undefined => {
    const same = all.filter((one) => one.language !== null && isSame(one.language));
    return same.find((one) => one.label === label) ?? same.find((one) => one.label === null) ?? same[0];
  };
  return (
    ofLanguage((other) => other === language) ??
    ofLanguage((other) => withoutRegion(other) === withoutRegion(language)) ??
    null
  );
}

const withoutRegion = (language: string): string => language.split('-')[0] ?? language;

const key = 'tunemate/subtitles';

/** The stored choice; setting it stores it. */
export function rememberedChoice(storage: Pick<LenientStorage, 'getItem' | 'setItem'>): Cell<SubtitlesChoice> {
  const chosen = cell(read(storage));
  chosen.subscribe(() => storage.setItem(key, JSON.stringify(chosen.get())));
  return chosen;
}

function read(storage: Pick<LenientStorage, 'getItem'>): SubtitlesChoice {
  try {
    const kept = JSON.parse(storage.getItem(key) ?? 'null') as Partial<Record<keyof Subtitles, unknown>> | null;
    if (kept === null) return null;
    const { language, label } = kept;
    const isLabel = label === null || typeof label === 'string';
    if (typeof language === 'string') return { language, label: isLabel ? label : null };
    return language === null && isLabel ? { language, label } : null;
  } catch {
    // The stored value has another format.
    return null;
  }
}

export const languages: Readonly<Record<string, string>>;
export interface Sentence {
  key: string;
  start: number;
  end: number;
  values: Map<string, string>;
}
export function sentencesIn(path: string, text: string): Sentence[];
export function readCatalogue(language: string): ReadonlyMap<string, string> | null;
export function translated(
  path: string,
  text: string,
  catalogue: ReadonlyMap<string, string> | null,
): { code: string; map: string } | null;
export function cataloguePath(language: string): string;
export function translatedPlain(
  path: 'index.html' | 'public/manifest.webmanifest',
  text: string,
  catalogue: ReadonlyMap<string, string> | null,
): string;
export function isRightToLeft(language: string): boolean;

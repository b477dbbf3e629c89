/** The language of a request: the one that was chosen in the browser, else the browser's first that Tunemate speaks. */
import type { IncomingHttpHeaders } from 'node:http';
import { type Language, languageCookie, languages } from '@tunemate/protocol';
import Negotiator from 'negotiator';

const known = Object.keys(languages) as Language[];
const chosen = new RegExp(`(?:^|;\\s*)${languageCookie}=(${known.join('|')})(?:;|$)`);
/** Longer than what any browser sends; reading takes time by its length. */
const longestHeader = 500;

/** What the answer depends on, for caches. */
export const variesByLanguage = 'accept-language, cookie';

export function languageOf(headers: IncomingHttpHeaders): Language {
  const [, own] = chosen.exec(headers.cookie ?? '') ?? [];
  if (own !== undefined) return own as Language;
  const accepted = headers['accept-language'] ?? '';
  if (accepted === '' || accepted.length > longestHeader) return 'en';
  const [best] = new Negotiator({ headers: { 'accept-language': accepted } }).languages(known);
  return (best as Language | undefined) ?? 'en';
}

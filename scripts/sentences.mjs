/**
 * `npm run sentences`: brings the catalogues (web/languages/*.po) up to the sources. A new sentence gets an entry without
 * text, and an entry without its sentence is dropped. `npm run check` fails until each sentence has its text.
 */
import { languages, readCatalogue, sentencesOf, writeCatalogue } from '../web/languages/translate.mjs';
import { readSources } from './checks/sources.mjs';

const sentences = [...sentencesOf(readSources())];
for (const language of Object.keys(languages).filter((one) => one !== 'en')) {
  const known = readCatalogue(language);
  const entries = sentences.map((key) => ({ key, text: known.get(key) ?? '' }));
  writeCatalogue(language, entries);
  const missing = entries.filter(({ text }) => text === '').length;
  console.log(`${language}: ${entries.length} sentences, ${missing} without a translation`);
}

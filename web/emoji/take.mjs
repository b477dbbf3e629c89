/**
 * Writes the emoji of each language (`*.txt`) from the package `emojibase-data`, unpacked in the folder that is named:
 * `node web/emoji/take.mjs FOLDER`. One emoji a line, in the order of keyboards: its kind, itself, its name, words it is found by.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Arabic has no data there. */
const languages = ['en', 'de', 'es', 'hi'];
/** Skin tones and hair, which are no emoji of their own. */
const parts = 2;

/** As servers take them: with the mark for pictures only where Unicode recommends it. */
const plain = (emoji) => [emoji, emoji.replaceAll('\u{FE0F}', '')].find((form) => /^\p{RGI_Emoji}$/v.test(form));

const [folder = ''] = process.argv.slice(2);
for (const language of languages) {
  const all = JSON.parse(readFileSync(join(folder, language, 'compact.json'), 'utf8'));
  const lines = all
    .filter(({ group }) => group !== undefined && group !== parts)
    .map((each) => ({ ...each, unicode: plain(each.unicode) }))
    .filter(({ unicode }) => unicode !== undefined)
    .toSorted((one, two) => one.order - two.order)
    .map(({ group, unicode, label, tags = [] }) => [group, unicode, label, tags.join(' ')].join('\t'));
  writeFileSync(join(import.meta.dirname, `${language}.txt`), `${lines.join('\n')}\n`);
}
copyFileSync(join(folder, 'LICENSE'), join(import.meta.dirname, 'LICENSE'));

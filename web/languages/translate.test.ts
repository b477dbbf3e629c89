import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isReservedName, languages as spoken } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { cataloguePath, isRightToLeft, languages, readCatalogue, sentencesIn, translated } from './translate.mjs';

const inGerman = (source: string, ...entries: [string, string][]) =>
  translated('a.tsx', source, new Map(entries))?.code;

describe('the sentences of a source', () => {
  test('are found in code and elements, with the names of their values', () => {
    const source = 'const a = <p title={t`Room`}>{t`${people.length} of ${String(guests)}, ${name}`}</p>;';
    expect(sentencesIn('a.tsx', source).map(({ key }) => key)).toEqual(['Room', '{length} of {guests}, {name}']);
  });

  test('number values that would have the same name', () => {
    expect(sentencesIn('a.ts', 't`${one.name} and ${two.name}`')[0]?.key).toBe('{name} and {name2}');
    expect(sentencesIn('a.ts', 't`${a} ${a}`')[0]?.key).toBe('{a} {a}');
  });
});

describe('a build', () => {
  test('in English leaves the sentence as it is written', () => {
    expect(translated('a.ts', 'f(t`Hello ${name}`)', null)?.code).toBe('f(`Hello ${name}`)');
    expect(translated('a.ts', 'f(`Hello`)', null)).toBeNull();
  });

  test('puts the values where the translation has them', () => {
    const source = 't`${who} hands you ${room}`';
    expect(inGerman(source, ['{who} hands you {room}', '{room}: von {who}'])).toBe('`${room}: von ${who}`');
  });

  test('chooses the form of a number while the page runs', () => {
    const code = inGerman('t`${n} tracks`', ['{n} tracks', '{n, plural, one {ein Titel} other {{n} Titel}}']);
    expect(code).toContain('`${plural(n, { one: `ein Titel`, other: `${n} Titel` })}`');
    expect(code).toContain("from '/src/language/plural.ts'");
  });

  test('keeps each value apart in a sentence from right to left, so that a name carries nothing along', () => {
    const inArabic = (key: string, text: string, source: string) => inGerman(source, [key, text]);
    expect(
      inArabic('{name}: {n} tracks', '{name}: {n, plural, other {{n} مقاطع}}', 't`${name}: ${n} tracks`'),
    ).toContain('`\u2068${name}\u2069: ${plural(n, { other: `${n} مقاطع` })}`');
    expect(inArabic('to {gap}', 'إلى {gap}', 't`to ${gap}`')).toBe('`إلى ${gap}`');
    expect(inGerman('t`${a} of ${b}`', ['{a} of {b}', '{a} von {b}'])).toBe('`${a} von ${b}`');
  });

  test('writes a translation as text, whatever is in it', () => {
    const hostile = "a` + alert(1) + `$'{'alert(2)'}' \\";
    expect(inGerman('t`Play`', ['Play', hostile])).toBe('`a\\` + alert(1) + \\`\\${alert(2)} \\\\`');
  });

  test.each([
    ['is missing', 't`Play`', 'Stop', 'Halt', 'no translation of "Play"'],
    ['is empty', 't`Play`', 'Play', '', 'no translation of "Play"'],
    ['names a value that the sentence has not', 't`Play ${a}`', 'Play {a}', 'Spiel {b}', 'names {b}'],
    ['holds more than values and plurals', 't`${a}`', '{a}', '{a, date}', 'more than values and plurals'],
  ])('fails where a translation %s', (_what, source, key, text, reason) => {
    expect(() => inGerman(source, [key, text])).toThrow(reason);
  });

  test('fails where one sentence is inside another', () => {
    expect(() => translated('a.ts', 't`a ${t`b`}`', null)).toThrow('give it a name of its own');
  });
});

test('the languages of the catalogues are those of the server', () => {
  expect(languages).toEqual(spoken);
  for (const language of Object.keys(languages).filter((one) => one !== 'en')) {
    expect(readCatalogue(language)?.size).toBeGreaterThan(800);
    // A file that moves changes no catalogue.
    expect(readFileSync(cataloguePath(language), 'utf8')).not.toMatch(/^#:/m);
  }
  expect(Object.keys(languages).filter(isRightToLeft)).toEqual(['ar']);
});

test.each(Object.keys(languages).filter((one) => one !== 'en'))(
  'what %s writes where a name stands is nobody\u2019s name',
  (language) => {
    const catalogue = readCatalogue(language);
    for (const words of ['Deleted user', 'Host', 'You (Host)']) {
      expect([words, isReservedName(catalogue?.get(words) ?? '')]).toEqual([words, true]);
    }
  },
);

/** What a key does, and a sentence that says the same in each language. */
const sameWord = [
  ['Accept', 'Accept all'],
  ['Reject', 'Decline'],
  ['Block', 'Block {name}?'],
  ['Remove', 'Remove {name}?'],
  ['Delete', 'Delete for both'],
  ['Leave', 'Leave {name}?'],
  ['Lock', 'Lock room'],
  ['Hand over', 'Hand over to {name}'],
] as const;

test.each(Object.keys(languages).filter((one) => one !== 'en'))(
  'what %s writes on a key that decides something says what the sentences about it say',
  (language) => {
    const wordsOf = (key: string) => readCatalogue(language)?.get(key)?.toLowerCase() ?? key;
    for (const [key, sentence] of sameWord) expect(wordsOf(sentence), key).toContain(wordsOf(key));
  },
);

test('no style looks for the words of one language', () => {
  const folder = join(import.meta.dirname, '../src');
  const styles = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'));
  expect(styles.length).toBeGreaterThan(50);
  const spokenOf = (name: string) => readFileSync(join(folder, name), 'utf8').match(/\[(?:aria-label|title|alt)\b/gu);
  expect(styles.filter((name) => spokenOf(name) !== null)).toEqual([]);
});

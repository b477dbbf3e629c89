/** Reading, finding and toning emoji, with the lists that are served. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isEmoji } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { foundEmoji, inTone, readEmoji, tones } from './EmojiPicker.tsx';

const listOf = (language: string) =>
  readEmoji(readFileSync(join(import.meta.dirname, '../../../emoji', `${language}.txt`), 'utf8'));
const english = listOf('en');
const first = (query: string, all = english) => foundEmoji(all, query, 60).map(({ emoji }) => emoji);

test.each(['en', 'de', 'es', 'hi'])('the list in %s has every emoji once, and the server takes each', (language) => {
  const emojis = listOf(language).map(({ emoji }) => emoji);
  expect(emojis.length).toBeGreaterThan(1800);
  expect(new Set(emojis).size).toBe(emojis.length);
  expect(emojis).toEqual(english.map(({ emoji }) => emoji));
});

test('an emoji is found by the beginnings of its words, in any order, without case and accents', () => {
  expect(first('guit')).toContain('🎸');
  expect(first('RED heart')).toContain('❤️');
  expect(first('heart red')).toContain('❤️');
  expect(first('cafe', listOf('es'))).toContain('☕');
  expect(first('käse', listOf('de'))).toContain('🧀');
  expect(first('दिल', listOf('hi'))).toContain('❤️');
  expect(first('xyzzy')).toEqual([]);
});

test('an emoji is found by itself in any tone, and by the letters of its name as they are typed', () => {
  expect(first('🎸')).toEqual(['🎸']);
  expect(first('👍🏽')).toEqual(['👍']);
  expect(first('🇮🇳')).toEqual(['🇮🇳']);
  expect(first('kaese', listOf('de'))).toContain('🧀');
  // 'day' is no other word with the same consonants.
  expect(first('दिन', listOf('hi')).length).toBeGreaterThan(0);
  expect(first('दिन', listOf('hi'))).not.toEqual(first('दान', listOf('hi')));
});

test('what is named by the word comes before what is only found by it', () => {
  expect(first('guitar')[0]).toBe('🎸');
});

test('an emoji of skin has five tones that the server takes; another stays as it is', () => {
  expect(tones.map((tone) => inTone('👍', tone))).toEqual(['👍', '👍🏻', '👍🏼', '👍🏽', '👍🏾', '👍🏿']);
  expect(inTone('🕵️‍♀️', 3)).toBe('🕵🏽‍♀️');
  for (const plain of ['🎸', '❤️', '👨‍👩‍👧', '🏁']) expect(inTone(plain, 5)).toBe(plain);
  for (const { emoji } of english) for (const tone of tones) expect(isEmoji(inTone(emoji, tone))).toBe(true);
});

test('lines of another kind are left out', () => {
  expect(readEmoji('0\tno\tname\twords\n\n<html>\n0\t😀\tgrin\tsmile')).toMatchObject([{ emoji: '😀', kind: 0 }]);
});

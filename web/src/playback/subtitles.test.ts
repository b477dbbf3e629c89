import { expect, test } from 'vitest';
import { rememberedChoice, subtitlesFor, subtitlesNames, type Subtitles } from './subtitles.ts';

const named = (id: string, language: string | null, label: string | null = null): Subtitles => ({
  id: id.repeat(16),
  language,
  label,
});
const german = named('a', 'de');
const british = named('b', 'en-GB');
const brazilian = named('c', 'pt-BR');
const commentary = named('d', null, 'Commentary');
const all = [german, british, brazilian, commentary];

test('a language has its own name, other files their label, and equal names are numbered', () => {
  expect(subtitlesNames(all)).toEqual(['Deutsch', 'British English', 'Português (Brasil)', 'Commentary']);
  expect(subtitlesNames([named('a', 'de'), named('b', 'de'), named('c', null)])).toEqual([
    'Deutsch',
    'Deutsch 2',
    'Subtitles',
  ]);
});

test('shows a film’s subtitles in the chosen language, or of its other regions, else none', () => {
  expect(subtitlesFor(all, null)).toBeNull();
  expect(subtitlesFor(all, { language: 'de', label: null })).toBe(german);
  expect(subtitlesFor(all, { language: 'de-AT', label: null })).toBe(german);
  expect(subtitlesFor(all, { language: 'en', label: null })).toBe(british);
  expect(subtitlesFor(all, { language: 'fr', label: null })).toBeNull();
  expect(subtitlesFor(all, { language: null, label: 'Commentary' })).toBe(commentary);
  expect(subtitlesFor(all, { language: null, label: 'Songs' })).toBeNull();
});

test('forced subtitles are named so, and are no replacement for all of them', () => {
  const forced = named('f', 'de', 'Forced');
  expect(subtitlesNames([forced, german])).toEqual(['Deutsch (Forced)', 'Deutsch']);
  expect(subtitlesFor([forced, german], { language: 'de', label: null })).toBe(german);
  expect(subtitlesFor([forced, german], { language: 'de', label: 'Forced' })).toBe(forced);
  expect(subtitlesFor([forced], { language: 'de', label: null })).toBe(forced);
});

test('the choice is stored on the device, ’off’ too, and an invalid stored value is no choice', () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  expect(rememberedChoice(storage).get()).toBeNull();
  rememberedChoice(storage).set({ language: 'de', label: null });
  expect(rememberedChoice(storage).get()).toEqual({ language: 'de', label: null });
  rememberedChoice(storage).set(null);
  expect(rememberedChoice(storage).get()).toBeNull();
  for (const broken of ['', '{', '7', '"de"', '{"language":7}', '{"language":null,"label":7}', '[]']) {
    expect(rememberedChoice({ ...storage, getItem: () => broken }).get(), broken).toBeNull();
  }
});

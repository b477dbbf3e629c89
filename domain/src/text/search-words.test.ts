import { expect, test } from 'vitest';
import { foundBy } from './search-words.ts';

test.each([
  ['zoe luc', 'Zoë Łuć'],
  ['bjoerk', 'Björk Guðmundsdóttir'],
  ['gudmunds', 'Björk Guðmundsdóttir'],
  ['oconnor', 'Sinéad O’Connor'],
  ["d'angelo", 'DAngelo'],
  ['kulthum ام', 'أم Kulthum'],
  ['رحمن', 'عبد الرحمن'],
  ['हिंदी', 'हिन्दी मंच'],
  ['अमित', 'अमित कुमार'],
  ['さくら', 'サクラ'],
  ['ﾀﾅｶ', 'たなか ゆい'],
  ['김', '김민준'],
  ['🎸', 'Noor 🎸'],
  ['ana maria', 'María-Ana'],
])('%j finds the person %j', (typed, name) => {
  expect(foundBy(typed)(name)).toBe(true);
});

test.each([
  ['अमत', 'अमित'],
  ['はな', 'ばな'],
  ['🎸', 'Noor 🎺'],
  ['ana clara', 'María-Ana'],
])('%j does not find the person %j', (typed, name) => {
  expect(foundBy(typed)(name)).toBe(false);
});

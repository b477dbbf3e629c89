import { describe, expect, test } from 'vitest';
import { uidOf } from '../../../testing/connection-fixtures.ts';
import { isNamed, mentionParts } from './ChatText.tsx';

const people = ['Mara Lindqvist', 'Ada', 'Ada Okafor', 'Mar', 'राज', 'मीरा देवी', 'محمد'].map((name) => ({
  uid: uidOf(name.replace(' ', '')),
  name,
}));

describe('names after an @', () => {
  test.each([
    ['@Mara the rain session next', ['@Mara', ' the rain session next']],
    ['yes @mara lindqvist, please', ['yes ', '@mara lindqvist', ', please']],
    ['@Ada Okafor and @Ada.', ['@Ada Okafor', ' and ', '@Ada', '.']],
    ['@Adam @Marathon mail@ada.example @nobody', ['@Adam @Marathon mail@ada.example @nobody']],
    ['@', ['@']],
    ['@राज, @मीरा!', ['@राज', ', ', '@मीरा', '!']],
    ['@राजू कि@राज', ['@राजू कि@राज']],
    ['أهلاً @محمد، نعم', ['أهلاً ', '@محمد', '، نعم']],
  ])('%s', (text, expected) => {
    const parts = mentionParts(text, people).map((part) => (typeof part === 'string' ? part : part.mention));
    expect(parts).toEqual(expected);
  });

  test('match full and first names of participants', () => {
    expect(isNamed('hello @Mara', people, uidOf('MaraLindqvist'))).toBe(true);
    expect(isNamed('hello @Mara', people, uidOf('Mar'))).toBe(false);
    expect(isNamed('hello Mara', people, uidOf('MaraLindqvist'))).toBe(false);
  });
});

import { limits } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { readShared } from './ShareScreen.tsx';

const share = (words: Record<string, string>) => readShared(`?${String(new URLSearchParams(words))}`);

describe('what other apps share', () => {
  test.each([
    ['a link of its own', { title: 'A song', url: 'https://youtu.be/dQw4w9WgXcQ' }, 'https://youtu.be/dQw4w9WgXcQ'],
    ['a link inside the text', { text: 'Hear this: https://youtu.be/dQw4w9WgXcQ now' }, 'https://youtu.be/dQw4w9WgXcQ'],
    ['words without a link', { title: 'Title', text: 'Slow   Satellite\nlive' }, 'Slow Satellite live'],
    ['a title alone', { title: 'Slow Satellite' }, 'Slow Satellite'],
    ['nothing', { other: 'x' }, ''],
    ['a script instead of a link', { url: 'javascript:alert(1)', text: '' }, ''],
    ['markup, which stays text', { text: '<img src=x onerror=alert(1)>' }, '<img src=x onerror=alert(1)>'],
    ['marks of direction and of control', { text: 'a\u{202E}b\u{200F}\u{0}c' }, 'a b c'],
  ])('%s', (_what, words, query) => {
    expect(share(words)).toEqual({ query, room: null });
  });

  test('a text is searched at most as long as a query may be, without half a character at its end', () => {
    const { query } = share({ text: `${'a'.repeat(limits.searchQueryLength - 1)}\u{1F3B5}tail` });
    expect(query).toBe('a'.repeat(limits.searchQueryLength - 1));
  });

  test('a link of a room is a way to its door; a code without a kind is none', () => {
    expect(share({ text: 'Come: https://tune.example/join-audio-room?code=7F3A9C' }).room).toEqual({
      kind: 'audio',
      code: '7F3A9C',
    });
    expect(share({ url: 'https://tune.example/?v=7F3A9C' }).room).toBeNull();
  });
});

test('a link is found at the end of an article, and is searched instead of its beginning', () => {
  const link = 'https://youtu.be/dQw4w9WgXcQ';
  expect(share({ text: `${'la '.repeat(3000)}${link}` }).query).toBe(link);
  expect(share({ text: `${'la '.repeat(3000)}https://tune.example/join?code=0A1B2C` }).room).toEqual({
    kind: 'video',
    code: '0A1B2C',
  });
  expect(share({ url: `https://example.org/${'x'.repeat(3000)}` }).query).toHaveLength(500);
});

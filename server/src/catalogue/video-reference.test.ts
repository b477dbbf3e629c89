import { expect, test } from 'vitest';
import { parseVideoReference } from './video-reference.ts';

const id = 'dQw4w9WgXcQ';

test.each([
  `https://www.youtube.com/watch?v=${id}`,
  `https://youtube.com/watch?list=PL1&v=${id}&t=42s`,
  `http://m.youtube.com/watch?v=${id}`,
  `https://music.youtube.com/watch?v=${id}&si=abc`,
  `https://youtu.be/${id}?si=xyz`,
  `youtu.be/${id}`,
  `www.youtube.com/watch?v=${id}`,
  `https://www.youtube.com/embed/${id}?autoplay=1`,
  `https://www.youtube-nocookie.com/embed/${id}`,
  `https://www.youtube.com/shorts/${id}`,
  `https://www.youtube.com/live/${id}/`,
  `  ${id}  `,
])('SEARCH-1 knows the video in %s', (text) => {
  expect(parseVideoReference(text)).toBe(id);
});

test.each([
  '',
  'never gonna give you up',
  'Radioactive',
  'radioactive',
  'summer-2019',
  'HELLO_WORLD',
  `https://example.org/watch?v=${id}`,
  `https://youtube.com.example.org/watch?v=${id}`,
  `https://notyoutube.com/watch?v=${id}`,
  'https://www.youtube.com/watch?v=short',
  'https://www.youtube.com/watch',
  'https://www.youtube.com/@somebody',
  `javascript://youtube.com/watch?v=${id}`,
  'https://youtu.be/',
  'AC/DC',
  'https://[',
  'lib_0123456789abcdef',
])('SEARCH-2 takes %j for words', (text) => {
  expect(parseVideoReference(text)).toBeNull();
});

test('SEARCH-1 only whole ids and hosts count', () => {
  const id = 'dQw4w9WgXcQ';
  expect(parseVideoReference(`https://www.youtube.com/watch/?v=${id}`)).toBe(id);
  for (const text of [`${id}${id}`, `https://youtube.www.com/watch?v=${id}`, `youtube.com/watch?v=${id} and more`]) {
    expect([text, parseVideoReference(text)]).toEqual([text, null]);
  }
});

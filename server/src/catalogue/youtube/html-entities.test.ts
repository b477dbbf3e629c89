import { expect, test } from 'vitest';
import { decodeEntities } from './youtube-source.ts';

test.each([
  ['Rock &amp; Roll', 'Rock & Roll'],
  ['It&#39;s', "It's"],
  ['&#x1F3B5; song', '🎵 song'],
  ['&amp;lt;', '&lt;'],
])('a title that arrives as %s is shown as %s', (escaped, shown) => {
  expect(decodeEntities(escaped)).toBe(shown);
});

test.each(['&hai;', '&#0;', '&#xD800;', '&#1114112;', 'Q&A;', 'AT&T'])('%s is no entity and stays as it is', (text) => {
  expect(decodeEntities(text)).toBe(text);
});

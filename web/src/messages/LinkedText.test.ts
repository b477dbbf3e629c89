import { describe, expect, test } from 'vitest';
import { textParts } from './LinkedText.tsx';

describe('addresses', () => {
  test('addresses of the web and of mail become links, and nothing else does', () => {
    const hrefs = (text: string) => textParts(text).flatMap((part) => (typeof part === 'string' ? [] : [part.href]));
    expect(hrefs('see https://a.example/x, b.com and c@d.com.')).toEqual([
      'https://a.example/x',
      'https://b.com/',
      'mailto:c@d.com',
    ]);
    expect(hrefs('javascript:alert(1) data:text/html,x ftp://a.example file:///etc vbscript:x')).toEqual([]);
    const words = textParts('a https://b.com c').map((part) => (typeof part === 'string' ? part : part.words));
    expect(words.join('')).toBe('a https://b.com c');
  });
});

/** What people write with stops in it, and which of it is an address. */
describe('linked text', () => {
  const hrefs = (text: string) => textParts(text).flatMap((part) => (typeof part === 'string' ? [] : [part.href]));

  test.each([
    'readme.md',
    'see src/main.rs.',
    'setup.sh, then main.py:12',
    'day.so and notes.ai',
    'backup.zip or film.mov',
    'README.md#L3 and main.py#top',
    'node.js',
    'package.json',
    'song.mp3',
    '1.5.km from here',
    'at 3.am',
    'v1.2.3 of 10.30',
    'Mr.Bean feat.Bob',
    'e.g. this, i.e. that',
    'no.wait',
    '192.168.0.1:3000',
  ])('%j holds no link', (text) => {
    expect(hrefs(text)).toEqual([]);
  });

  test.each([
    ['https://readme.md', 'https://readme.md/'],
    ['readme.md/x', 'https://readme.md/x'],
    ['www.setup.sh', 'https://www.setup.sh/'],
    ['youtu.be/dQw4w9WgXcQ', 'https://youtu.be/dQw4w9WgXcQ'],
    ['last.fm', 'https://last.fm/'],
    ['sub.example.co.uk.', 'https://sub.example.co.uk/'],
    ['write to ann@example.md', 'mailto:ann@example.md'],
    ['(https://a.example/x_(y))', 'https://a.example/x_(y)'],
    ['“https://a.example”', 'https://a.example/'],
    ['https://a.example。', 'https://a.example/'],
    ['https://a.example/?a=b&c=d!', 'https://a.example/?a=b&c=d'],
    ['http://localhost:3000', 'http://localhost:3000/'],
  ])('%j holds one link', (text, href) => {
    expect(hrefs(text)).toEqual([href]);
  });
});

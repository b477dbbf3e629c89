import { expect, test } from 'vitest';
import { parseVideoReferences } from './video-reference.ts';

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
])('knows the video in %s', (text) => {
  expect(parseVideoReferences(text)?.map(({ video }) => video)).toEqual([id]);
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
])('takes %j for words', (text) => {
  expect(parseVideoReferences(text)).toBeNull();
});

test('only whole ids and hosts count', () => {
  expect(parseVideoReferences(`https://www.youtube.com/watch/?v=${id}`)).toHaveLength(1);
  for (const text of [`${id}${id}`, `https://youtube.www.com/watch?v=${id}`, `youtube.com/watch?v=${id} and more`]) {
    expect([text, parseVideoReferences(text)]).toEqual([text, null]);
  }
});

test('several links, ten at most, are one reference each', () => {
  const links = (count: number) => Array.from({ length: count }, () => `youtu.be/${id}`).join('\n ');
  expect(parseVideoReferences(links(10))).toHaveLength(10);
  expect(parseVideoReferences(links(11))).toBeNull();
  expect(parseVideoReferences(`https://youtu.be/${id}https://youtu.be/${id}`)).toHaveLength(2);
});

test.each([
  ['https://www.youtube.com/playlist?list=PL0123456789abcdef', null, 'PL0123456789abcdef'],
  [`https://www.youtube.com/watch?v=${id}&list=PL0123456789abcdef&index=3`, id, 'PL0123456789abcdef'],
  [`https://music.youtube.com/watch?v=${id}&list=OLAK5uy_0123456789`, id, 'OLAK5uy_0123456789'],
  // A mix is made for each viewer.
  [`https://www.youtube.com/watch?v=${id}&list=RD${id}`, id, null],
  [`https://www.youtube.com/watch?v=${id}&list=WL`, id, null],
])('knows what %s names', (link, video, playlist) => {
  expect(parseVideoReferences(link)).toEqual([{ video, playlist }]);
});

test.each([
  ['t=90', 90],
  ['t=90s', 90],
  ['t=1m30s', 90],
  ['t=1h2m3s', 3723],
  ['t=2h', 7200],
  ['start=45', 45],
  ['si=abc&t=5', 5],
])('a link with %s begins at %d s', (said, startSeconds) => {
  const [reference] = parseVideoReferences(`https://youtu.be/${id}?${said}`) ?? [];
  expect(reference).toEqual({ video: id, playlist: null, startSeconds });
});

test('a time may stand behind a # too, and each link has its own', () => {
  const links = `https://www.youtube.com/watch?v=${id}#t=1m https://youtu.be/9bZkp7q19f0?t=7 youtu.be/${id}`;
  expect(parseVideoReferences(links)?.map(({ startSeconds }) => startSeconds)).toEqual([60, 7, undefined]);
});

test.each(['t=0', 't=', 't=abc', 't=1x', 't=-5', 't=1m2h', 't=99999999999', 't=1.5'])(
  'a link with %s begins at its beginning',
  (said) => {
    expect(parseVideoReferences(`https://youtu.be/${id}?${said}`)).toEqual([{ video: id, playlist: null }]);
  },
);

test('a private list without a video is no link', () => {
  expect(parseVideoReferences('https://www.youtube.com/playlist?list=WL')).toBeNull();
});

import { expect, test, vi } from 'vitest';
import { isLinkAlone, parseVideoReferences } from './video-reference.ts';

const id = 'dQw4w9WgXcQ';

test.each([
  `https://www.youtube.com/watch?v=${id}`,
  `https://youtube.com/watch?list=PL1&v=${id}&t=42s`,
  `http://m.youtube.com/watch?v=${id}`,
  `https://m.youtube.com/#/watch?v=${id}`,
  `https://m.youtube.com/?app=m#!/watch?v=${id}&feature=x`,
  `https://youtube.com/#/shorts/${id}`,
  `https://music.youtube.com/watch?v=${id}&si=abc`,
  `https://youtu.be/${id}?si=xyz`,
  `youtu.be/${id}`,
  `www.youtube.com/watch?v=${id}`,
  `https://www.youtube.com/embed/${id}?autoplay=1`,
  `https://www.youtube-nocookie.com/embed/${id}`,
  `https://www.youtube.com/shorts/${id}`,
  `https://www.youtube.com/live/${id}/`,
  `https://studio.youtube.com/video/${id}/edit`,
  `https://www.youtubekids.com/watch?v=${id}`,
  `https://www.youtube.com/source/${id}/shorts`,
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
  'https://www.youtube.com/embed/live_stream?channel=UCSJ4gkVC6NrvII8umztf0Ow',
  'https://www.youtube.com/embed/videoseries',
])('takes %j for words', (text) => {
  expect(parseVideoReferences(text)).toBeNull();
});

test('a text that is a link and nothing else is no words', () => {
  for (const link of [
    'https://www.youtube.com/clip/UgkxU2HSeGL_NvmDJ',
    ' https://www.youtube.com/@somebody/live\n',
    'youtube.com/channel/UCSJ4gkVC6NrvII8umztf0Ow/live',
    'HTTPS://open.spotify.com/track/123',
    '<https://soundcloud.com/a/b>',
  ]) {
    expect([link, isLinkAlone(link)]).toEqual([link, true]);
  }
  for (const words of ['Song https://soundcloud.com/a', 'AC/DC', 'P.S.', 'https', 'http://', 'youtube.com']) {
    expect([words, isLinkAlone(words)]).toEqual([words, false]);
  }
});

test('only whole ids and hosts count', () => {
  expect(parseVideoReferences(`https://www.youtube.com/watch/?v=${id}`)).toHaveLength(1);
  for (const text of [`${id}${id}`, `https://youtube.www.com/watch?v=${id}`, `${id} and more`]) {
    expect([text, parseVideoReferences(text)]).toEqual([text, null]);
  }
});

test.each([
  `https：//www.youtube.com/watch？v＝${id}＆t＝5`,
  `https://youtu.be/\u200b${id}`,
  `https://you\u00adtu\u2060.be/${id}`,
  `vnd.youtube:${id}`,
  `vnd.youtube://${id}?t=3`,
  `intent://www.youtube.com/watch?v=${id}#Intent;package=com.google.android.youtube;scheme=https;end`,
  `https://yewtu.be/watch?v=${id}`,
  `https://piped.video/watch?v=${id}`,
  `https://inv.nadeko.net/watch?v=${id}`,
  `Check this out: https://youtu.be/${id}?si=abc`,
  `Rick Astley - Never Gonna Give You Up https://www.youtube.com/watch?v=${id} via @YouTube`,
  `youtube.com/watch?v=${id} and more`,
  `https://youtu.be/${id}.`,
  `(https://youtu.be/${id})`,
  `<https://youtu.be/${id}>`,
  `[this one](https://youtu.be/${id})`,
  `"https://youtu.be/${id}"`,
  `«https://youtu.be/${id}»`,
  `• https://youtu.be/${id}`,
  `- youtu.be/${id}`,
  `1. youtu.be/${id}!`,
  `https://youtu.be/${id}…`,
  `これ、https://youtu.be/${id}。`,
  `https://www.google.com/url?sa=t&q=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D${id}&usg=x`,
  `https://www.google.com/url?q=https://www.youtube.com/watch?v=${id}&sa=D`,
  `https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3D${id}%26feature%3Dshare`,
  `https://consent.youtube.com/m?continue=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D${id}&gl=DE`,
  `https://l.facebook.com/l.php?u=https%3A%2F%2Fyoutu.be%2F${id}`,
  `https://www.youtube.com/redirect?q=https%3A%2F%2Fyoutu.be%2F${id}`,
  `https://www.youtube.com/e/${id}`,
  `https://gaming.youtube.com/watch?v=${id}`,
  `https://www.youtube.com//watch?v=${id}`,
  `https://www.youtube.com/watch?v=${id}%20`,
  `https://www.youtube.com/watch?app=desktop&amp;v=${id}&amp;t=3`,
  `https://www.youtube.com/?v=${id}`,
  `<iframe width="560" src="https://www.youtube.com/embed/${id}?si=x" allowfullscreen></iframe>`,
  `HTTPS://WWW.YOUTUBE.COM/watch?v=${id}`,
  `youtube.com./watch?v=${id}`,
  `https://youtu.be/${id}&feature=share`,
  `https://www.youtube.com/watch?v%3D${id}`,
  `https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D${id}`,
  `https://www.google.com/url?sa=t&rct=j&url=https://www.youtube.com/watch%3Fv%3D${id}&ved=2`,
  `https://accounts.google.com/ServiceLogin?continue=https%3A%2F%2Fwww.youtube.com%2Fsignin%3Fnext%3D%252Fwatch%253Fv%253D${id}`,
  `【MV】https://www.youtube.com/watch?v=${id}【公式】`,
  `Schau mal → youtu.be/${id}!`,
  `https://urldefense.com/v3/__https://youtu.be/${id}__;!!abc$`,
  `https://duckduckgo.com/l/?uddg=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D${id}&rut=x`,
  `https://t.umblr.com/redirect?z=https%3A%2F%2Fyoutu.be%2F${id}&t=x`,
  `https://vk.com/away.php?to=https%3A%2F%2Fyoutu.be%2F${id}`,
  `https://i.ytimg.com/vi/${id}/hqdefault.jpg`,
  `https://youtube.googleapis.com/v/${id}`,
  `youtube://${id}`,
])('finds the link in %s', (text) => {
  expect(parseVideoReferences(text)?.map(({ video }) => video)).toEqual([id]);
});

test('links with commas or other marks between them are one reference each', () => {
  const other = '9bZkp7q19f0';
  for (const between of [', ', ',', '; ', ' and ', ' | ', ' • ', ' — ']) {
    const text = `https://youtu.be/${id}${between}https://youtu.be/${other}`;
    expect([between, parseVideoReferences(text)?.map(({ video }) => video)]).toEqual([between, [id, other]]);
    const bare = `youtu.be/${id}${between}youtu.be/${other}`;
    expect([between, parseVideoReferences(bare)?.map(({ video }) => video)]).toEqual([between, [id, other]]);
  }
});

test('a playlist alone is found in a sentence', () => {
  const text = 'our list (https://www.youtube.com/playlist?list=PL0123456789abcdef), for tonight';
  expect(parseVideoReferences(text)).toEqual([{ video: null, playlist: 'PL0123456789abcdef' }]);
});

test('several links, ten at most, are one reference each', () => {
  const links = (count: number) => Array.from({ length: count }, () => `youtu.be/${id}`).join('\n ');
  expect(parseVideoReferences(links(10))).toHaveLength(10);
  expect(parseVideoReferences(links(11))).toHaveLength(10);
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
  ['t=1:30', 90],
  ['t=1:02:03', 3723],
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

test('links that carry each other, escaped as often, take no more work the more there are', () => {
  const unescape = vi.spyOn(globalThis, 'decodeURIComponent');
  const unescapedIn = (links: number): number => {
    unescape.mockClear();
    expect(parseVideoReferences(`${'a/?q='.repeat(links)}b%${'25'.repeat(links)}41`)).toBeNull();
    return unescape.mock.calls.length;
  };
  const few = unescapedIn(7);
  expect(few).toBeGreaterThan(10);
  expect(unescapedIn(14)).toBeLessThan(3 * few);
  unescape.mockRestore();
});

test('a link is found in links that carry each other', () => {
  const carried = Array.from({ length: 5 }).reduce<string>(
    (link) => `https://example.org/?url=${encodeURIComponent(link)}`,
    `https://youtu.be/${id}`,
  );
  expect(parseVideoReferences(carried)?.map(({ video }) => video)).toEqual([id]);
});

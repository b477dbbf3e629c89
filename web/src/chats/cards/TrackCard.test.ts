/** Which messages have a card, and of which track. */
import { expect, test } from 'vitest';
import { trackLinkIn } from '../ConversationEntry.tsx';
import { trackOfLink } from './TrackCard.tsx';

const origin = 'https://music.example.org';
const kitchen = 'lib_0123456789abcdef';
const song = 'dQw4w9WgXcQ';

function trackNamedIn(text: string) {
  const link = trackLinkIn(text, origin);
  const videoId = link && trackOfLink(link.href, origin);
  return link && videoId && { videoId, text: link.text };
}

test.each([
  [`${origin}/library/${kitchen}`, kitchen, ''],
  [`This one, before you sleep ${origin}/library/${kitchen}`, kitchen, 'This one, before you sleep'],
  [`music.example.org/library/${kitchen}/ and last.fm`, kitchen, 'and last.fm'],
  [`https://youtu.be/${song}?t=90`, song, `https://youtu.be/${song}?t=90`],
  [`listen: www.youtube.com/watch?v=${song}&list=PLx.`, song, `listen: www.youtube.com/watch?v=${song}&list=PLx.`],
  [`https://a.example then https://m.youtube.com/shorts/${song}`, song, undefined],
])('%j names a track', (text, videoId, shown) => {
  expect(trackNamedIn(text)).toEqual({ videoId, text: shown ?? text });
});

test.each([
  'no link at all',
  song,
  kitchen,
  'https://youtube.com/@somebody',
  'https://www.youtube.com/playlist?list=PLxxxxxxxxxxxx',
  `https://elsewhere.example/library/${kitchen}`,
  `https://music.example.org.evil.example/library/${kitchen}`,
  `http://music.example.org/library/${kitchen}`,
  `${origin}/library/lib_0123456789ABCDEF`,
  `${origin}/library/${kitchen}/../../account`,
  `${origin}/library/${kitchen}0`,
  `${origin}/media/${kitchen}`,
  `https://notyoutube.com/watch?v=${song}`,
  `https://youtube.com.evil.example/watch?v=${song}`,
  `https://evil.example/?url=https%3A%2F%2Fyoutu.be%2F${song}`,
  `https://youtube.com@evil.example/watch?v=${song}`,
  `javascript:alert("youtu.be/x")`,
])('%j names none', (text) => {
  expect(trackNamedIn(text)).toBeNull();
});

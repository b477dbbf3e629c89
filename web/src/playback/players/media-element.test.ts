/** What a browser leaves out of a film, by what the element and the server say. */
import { describe, expect, test } from 'vitest';
import { filmOf, lackOf } from './media-element.ts';

const film = { picture: 'video/mp4; codecs="hvc1.1.6.L93.B0"', sound: 'audio/mp4; codecs="ac-3"' };
const element = { readyState: 4, currentTime: 0, videoWidth: 640, canPlayType: () => 'probably' as const };

describe('what a browser leaves out of a film', () => {
  test.each([
    ['nothing of a film that it decodes', {}, film, null],
    ['the picture where there is none once the file is known', { videoWidth: 0 }, film, 'picture'],
    ['nothing as long as the file is not known', { videoWidth: 0, readyState: 0 }, film, null],
    ['the sound that it says it has no decoder for', { canPlayType: () => '' as const }, film, 'sound'],
    [
      'the sound of which it has decoded nothing by now',
      { currentTime: 3, webkitAudioDecodedByteCount: 0 },
      film,
      'sound',
    ],
    ['nothing shortly after the start', { currentTime: 1, webkitAudioDecodedByteCount: 0 }, film, null],
    ['the sound where it finds none in the file', { mozHasAudio: false }, film, 'sound'],
    ['nothing of a film that is mute, which is said', { mozHasAudio: false }, { ...film, sound: null }, 'mute'],
    ['nothing of a file of which nothing is known', { videoWidth: 0 }, null, null],
  ] as const)('is %s', (_title, more, of, lack) => {
    expect(lackOf({ ...element, ...more }, of)).toBe(lack);
  });

  test('is no picture where an element for sound alone plays a film', () => {
    const { videoWidth: _none, ...forSound } = element;
    expect(lackOf(forSound, film)).toBeNull();
  });

  test('the server names both streams, one, or says nothing of a track', () => {
    const headers = (picture?: string, sound?: string) =>
      new Headers({ ...(picture && { 'x-film-picture': picture }), ...(sound && { 'x-film-sound': sound }) });
    expect(filmOf(headers(film.picture, film.sound))).toEqual(film);
    expect(filmOf(headers(film.picture, 'none'))).toEqual({ ...film, sound: null });
    expect(filmOf(headers())).toBeNull();
  });
});

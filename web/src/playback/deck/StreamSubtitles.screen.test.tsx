/** Subtitles inside of a stream, made by ffmpeg, over a real media element; and as a browser lists them that plays streams itself. */
import type { VideoId } from '@tunemate/protocol';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { button, gone, shown } from '../../../testing/screens/find.ts';
import { deviceClock } from '../../store/clock.ts';
import { subtitlesIn } from '../players/current-stream.ts';
import { MediaPlayer } from '../players/media-player.ts';
import { subtitlesOfElement } from '../players/stream-subtitles.ts';
import { FilmSubtitles } from './SubtitlesButton.tsx';

const linkTo = (file: string) => `link:${location.origin}/media/hls/${file}` as VideoId;

function open(file: string) {
  const picture = document.createElement('main');
  const video = document.createElement('video');
  const buttons = document.createElement('div');
  picture.style.position = 'relative';
  picture.append(video);
  document.body.append(picture, buttons);
  const root = createRoot(buttons);
  const player = new MediaPlayer(video, { schedule: deviceClock.schedule });
  player.setLoudness({ volume: 1, isMuted: true });
  const ask = () => Promise.reject(new Error('the server knows nothing of a stream'));
  const show = (film: VideoId): void => {
    player.load(film, 0);
    root.render(<FilmSubtitles film={film} ask={ask} picture={picture} />);
  };
  show(linkTo(file));
  onTestFinished(() => {
    root.unmount();
    player.dispose();
    picture.remove();
    buttons.remove();
  });
  return { video, player, show };
}
const fetched = () => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.vtt')).length;
const over = () => document.querySelector('[data-subtitles]');
const said = () => over()?.textContent;
const row = (name: string) => page.getByRole('radio', { name });
const drawn = (video: HTMLVideoElement) => Array.from(video.textTracks).filter(({ mode }) => mode === 'showing');

test('none is shown or fetched until one is chosen; each shows its own words, and off shows none', async () => {
  performance.clearResourceTimings();
  const { video, player } = open('worded.m3u8');
  await button('Subtitles').click();
  await expect.element(row('Off')).toBeChecked();
  for (const name of ['Deutsch', 'English', 'Songs']) await shown(row(name));
  await expectAccessible('all');
  await expect.poll(() => player.snapshot().phase).toBe('paused');
  expect(fetched()).toBe(0);
  await row('Deutsch').click();
  await expect.poll(said).toBe('Guten Abend');
  expect(over()?.getAttribute('lang')).toBe('de');
  expect(over()?.querySelector('i')?.textContent).toBe('Abend');
  player.seek(4);
  await expect.poll(said).toBe('Ich lasse das Fenster offen');
  await row('English').click();
  await expect.poll(said).toBe('Good evening');
  await row('Deutsch').click();
  await expect.poll(said).toBe('Ich lasse das Fenster offen');
  expect(drawn(video)).toEqual([]);
  await row('Off').click();
  await expect.poll(said).toBeUndefined();
});

test('the choice holds for the next stream, and a stream or a film without subtitles has no button', async () => {
  const { show } = open('worded.m3u8');
  await button('Subtitles').click();
  await row('English').click();
  await expect.poll(said).toBe('Good evening');
  show(linkTo('film.m3u8'));
  await gone(button('Subtitles'));
  await expect.poll(said).toBeUndefined();
  show(linkTo('worded.m3u8'));
  await expect.poll(said).toBe('Good evening');
  await button('Subtitles').click();
  await row('Off').click();
  await expect.poll(said).toBeUndefined();
});

test('of a hostile stream few lists are offered, and few of its words drawn, as text', async () => {
  const { player } = open('hostile.m3u8');
  await button('Subtitles').click();
  await shown(row('First'));
  const rows = Array.from(document.querySelectorAll<HTMLElement>('[role="radio"], input[type="radio"]'));
  expect(rows.length).toBeLessThanOrEqual(51);
  await row('First').click();
  await expect.poll(said).toContain('bold & words');
  expect(over()?.querySelectorAll('img, script, [onclick], [onerror]')).toHaveLength(0);
  expect(over()?.querySelectorAll('p').length).toBeLessThanOrEqual(20);
  expect(globalThis).not.toHaveProperty('harmed');
  await row('Endless').click();
  await row('Gone').click();
  await expect.poll(said).toBe('');
  expect(player.snapshot().phase).toBe('paused');
});

test('where the browser plays the stream, the subtitles that it lists are chosen from, and it draws none', async () => {
  const video = document.createElement('video');
  const ending = new AbortController();
  const stream = subtitlesOfElement(video, ending.signal);
  expect(stream.all.get()).toEqual([]);
  const [german, songs] = [video.addTextTrack('subtitles', 'Deutsch', 'de'), video.addTextTrack('captions', 'Songs')];
  video.addTextTrack('chapters', 'Chapters');
  // As of one that the stream calls its usual one.
  german.mode = 'showing';
  await expect
    .poll(() => stream.all.get().map(({ language, label }) => [language, label]))
    .toEqual([
      ['de', null],
      [null, 'Songs'],
    ]);
  expect([german.mode, songs.mode]).toEqual(['disabled', 'disabled']);
  expect(stream.choose('1')).toBe(songs);
  expect([german.mode, songs.mode]).toEqual(['disabled', 'hidden']);
  expect(stream.choose('7')).toBeNull();
  expect(stream.choose(null)).toBeNull();
  expect([german.mode, songs.mode]).toEqual(['disabled', 'disabled']);
  ending.abort();
  songs.mode = 'hidden';
  stream.choose(null);
  expect(songs.mode).toBe('hidden');
});

test('an element has the subtitles of the stream in it, and none after its end', async () => {
  const { video, player } = open('worded.m3u8');
  await expect.poll(() => subtitlesIn(video).get()?.all.get().length).toBe(3);
  player.unload();
  expect(subtitlesIn(video).get()).toBeNull();
});

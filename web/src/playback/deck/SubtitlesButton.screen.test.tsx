import type { VideoId } from '@tunemate/protocol';
import { createRoot } from 'react-dom/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { button, gone, shown, focused, words } from '../../../testing/screens/find.ts';
import { deviceClock } from '../../store/clock.ts';
import { subtitlesIn } from '../players/current-stream.ts';
import { MediaPlayer } from '../players/media-player.ts';
import { subtitlesOfElement } from '../players/stream-subtitles.ts';
import { FilmSubtitles } from './SubtitlesButton.tsx';
import { ok, refused } from '../../../testing/screens/fake-server.ts';
import { aTrack, openRoom, type RoomVisit } from '../../../testing/screens/rooms.ts';

/** Subtitles inside of a stream, made by ffmpeg, over a real media element; and as a browser lists them that plays streams itself. */
describe('stream subtitles', () => {
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
});

describe('subtitles', () => {
  const film = { tracks: [aTrack('f')], isPlaying: true, controller: 'another tab' } as const;
  const files = [
    { id: 'a'.repeat(16), language: 'de', label: null },
    { id: 'b'.repeat(16), language: 'pt-BR', label: null },
    { id: 'c'.repeat(16), language: null, label: 'Commentary' },
  ];
  const withFiles: RoomVisit = {
    isHost: false,
    playing: film,
    prepare: (server) => server.on('library/subtitles', () => ok({ subtitles: files })),
  };
  const row = (name: string) => page.getByRole('radio', { name });
  const sentence = () => words(/I kept the window open/);

  test('the menu shows Off and each file by its language; subtitles appear over the picture and disappear', async () => {
    await openRoom('video', withFiles);
    await button('Subtitles').click();
    await focused(row('Off'));
    await expect.element(row('Off')).toBeChecked();
    await shown(row('Deutsch'));
    await shown(row('Commentary'));
    await expectAccessible('all');
    await row('Português (Brasil)').click();
    await shown(sentence());
    expect(sentence().element().closest('[lang]')?.getAttribute('lang')).toBe('pt-BR');
    expect(getComputedStyle(sentence().element()).textAlign).toBe('center');
    await row('Off').click();
    await gone(sentence());
  });

  test('the choice is kept for the next visit, and the menu closes by Escape and by a press elsewhere', async () => {
    await openRoom('video', withFiles);
    await button('Subtitles').click();
    await row('Deutsch').click();
    await userEvent.keyboard('{Escape}');
    await gone(row('Deutsch'));
    await focused(button('Subtitles'));
    expect(localStorage.getItem('tunemate/subtitles')).toContain('de');
    await button('Subtitles').click();
    await shown(row('Deutsch'));
    (button('Mute').element() as HTMLElement).focus();
    await gone(row('Deutsch'));
    await button('Subtitles').click();
    await row('Off').click();
    await gone(sentence());
  });

  test('a film without subtitles, a song, and a film whose subtitles are not known have no button', async () => {
    const room = await openRoom('video', { ...withFiles, prepare: () => undefined });
    const askedOf = () => room.server.asked('library/subtitles').map(({ videoId }) => videoId);
    await expect.poll(askedOf).toContain(aTrack('f').videoId);
    await shown(button('Full screen'));
    await gone(button('Subtitles'));
    room.server.on('library/subtitles', () => refused('server/unavailable'));
    const other = `lib_f${'0'.repeat(15)}` as VideoId;
    room.replace(aTrack('f', { videoId: other }));
    await expect.poll(askedOf).toContain(other);
    await gone(button('Subtitles'));
  });
});

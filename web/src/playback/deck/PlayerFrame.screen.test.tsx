import { fetchRetriesMs } from '@tunemate/playback';
import { afterEach, expect, test } from 'vitest';
import { commands } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { button, gone, shown, words } from '../../../testing/screens/find.ts';
import { aTrack, mediaElement, openRoom } from '../../../testing/screens/rooms.ts';

const song = aTrack('a', { title: 'Walking Home' });
const guest = { isHost: false, playing: { tracks: [song], isPlaying: true, controller: 'another tab' } } as const;
const notFetched = words('This track could not be fetched. Trying again…');
const sounds = (): boolean => {
  const element = mediaElement();
  return !element.paused && element.currentTime > 0;
};

afterEach(() => commands.cutMedia(false));

test('a track that could not be fetched shows that, and plays by itself once it can', async () => {
  await commands.cutMedia(true);
  await openRoom('audio', guest);
  await shown(notFetched);
  await expectAccessible();
  await commands.cutMedia(false);
  // On a slow machine the next attempt may come only after the longest pause.
  await expect.poll(sounds, { timeout: 2 * Math.max(...fetchRetriesMs) }).toBe(true);
  await gone(notFetched);
}, 120_000);

test("the host reads it too, nothing is skipped, and 'Resync' fetches it", async () => {
  await commands.cutMedia(true);
  const room = await openRoom('video', { playing: { tracks: [song, aTrack('b')], isPlaying: true } });
  await shown(notFetched);
  await commands.cutMedia(false);
  await button('Sound and sync').click();
  await button('Resync').click();
  await expect.poll(sounds).toBe(true);
  await gone(notFetched);
  expect(room.intents().filter(({ type }) => type !== 'republish')).toEqual([]);
});

test('a film with a damaged place says so and goes on behind it, and the host does not skip it', async () => {
  const room = await openRoom('video', { playing: { tracks: [aTrack('3'), aTrack('b')], isPlaying: true } });
  const damaged = words('This track is damaged here. Trying again…');
  await shown(damaged);
  await gone(damaged);
  await expect.poll(() => sounds() && mediaElement().currentTime).toBeGreaterThan(5);
  expect(room.intents().filter(({ type }) => type !== 'republish')).toEqual([]);
});

test.each([
  [
    '1',
    'This browser cannot show the picture of this film, only play its sound. A copy in H.264 shows in every browser.',
  ],
  ['2', 'This browser cannot play the sound of this film. A copy with AAC sound plays in every browser.'],
])('a film of which this browser lacks a decoder says so, and another track does not', async (letter, sentence) => {
  const half = { tracks: [aTrack(letter), song], isPlaying: true, controller: 'another tab' } as const;
  const room = await openRoom('video', { isHost: false, playing: half });
  await shown(words(sentence));
  await expect.poll(sounds).toBe(true);
  await expectAccessible();
  room.replace(song);
  await gone(words(sentence));
});

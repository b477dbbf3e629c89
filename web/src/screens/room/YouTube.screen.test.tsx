import type { VideoId } from '@tunemate/protocol';
import { beforeEach, expect, test } from 'vitest';
import { commands, page } from 'vitest/browser';
import { expectAccessible } from '../../screen-tests/accessible.ts';
import { button, shown, words } from '../../screen-tests/find.ts';
import { aTrack, openRoom } from '../../screen-tests/rooms.ts';

const video = aTrack('a', { videoId: 'dQw4w9WgXcQ' as VideoId, title: 'Velvet Hour' });
const notEmbeddable = aTrack('a', { videoId: 'notEmbedded' as VideoId, title: 'Kept at Home' });

beforeEach(() => commands.serveYouTube({ notEmbedded: 150 }));

const frame = () => page.getByTestId('player-frame').element().getBoundingClientRect();
/** How much of what lies above the player can be seen through. */
const opacity = (): string =>
  getComputedStyle(page.getByTestId('player-frame').element().parentElement?.parentElement ?? document.body).opacity;

test("a video of YouTube's takes the place of the sleeve", async () => {
  await openRoom('video', { playing: { tracks: [video], isPlaying: true } });
  await expect.poll(opacity).toBe('1');
  expect(frame().width / frame().height).toBeCloseTo(16 / 9, 1);
  await expect.poll(() => window.fakeYouTube?.videoId()).toBe('dQw4w9WgXcQ');
  await expectAccessible('all');
});

test.each([
  [false, '0'],
  [true, '1'],
])('audio only keeps its player in sight when the operator asks for that (%s)', async (youtubeVisiblePlayer, seen) => {
  await openRoom('video', { playing: { tracks: [video] }, config: { youtubeVisiblePlayer } });
  await button('Audio only view').click();
  await expect.poll(opacity).toBe(seen);
  if (youtubeVisiblePlayer) await expect.poll(() => Math.round(frame().width)).toBe(200);
  await expectAccessible();
});

test.each([false, true])(
  'an audio room keeps it in sight when the operator asks for that (%s)',
  async (youtubeVisiblePlayer) => {
    await openRoom('audio', { playing: { tracks: [video] }, config: { youtubeVisiblePlayer } });
    await shown(page.getByRole('region', { name: 'Player' }).getByText('Velvet Hour'));
    await expect.poll(opacity).toBe(youtubeVisiblePlayer ? '1' : '0');
    if (youtubeVisiblePlayer) expect(frame().width).toBeGreaterThanOrEqual(200);
  },
);

test('a video that may not be shown here says so to the host', async () => {
  await openRoom('video', { playing: { tracks: [notEmbeddable], isPlaying: true } });
  await shown(words('Kept at Home cannot be played. Its owner does not allow it outside YouTube.'));
  await expectAccessible();
});

test('and to a guest that it cannot be played on this device', async () => {
  await openRoom('video', {
    isHost: false,
    playing: { tracks: [notEmbeddable], isPlaying: true, controller: 'another tab' },
  });
  await shown(words('This track cannot be played on this device.'));
});

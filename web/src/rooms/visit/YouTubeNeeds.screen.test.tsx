/** How a room handles what YouTube shows before or instead of the video. */
import { type VideoId, roomKinds } from '@tunemate/protocol';
import { beforeEach, expect, test } from 'vitest';
import { commands, page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { aTrack, openRoom, type RoomOnPage } from '../../../testing/screens/rooms.ts';

const video = (videoId: string, title: string) => aTrack('a', { videoId: videoId as VideoId, title });
const asking = video('asksFirst01', 'Velvet Hour');
const advertised = video('hasAnAdvert', 'Harbour Radio');

beforeEach(() =>
  commands.serveYouTube({
    asks: ['asksFirst01'],
    adverts: { hasAnAdvert: { seconds: 60, reported: 1 } },
  }),
);

const frame = () => page.getByTestId('player-frame').element();
const isInSight = (): boolean => frame().checkVisibility({ opacityProperty: true }) && frame().clientWidth >= 200;
const heard = (): number | null => window.fakeYouTube?.position() ?? null;
const held = (room: RoomOnPage) => room.server.asked('playback/write').filter(({ intent }) => intent.type === 'hold');

test.each(roomKinds)(
  'a check of YouTube’s in a %s room comes into sight, can be answered there, and goes',
  async (kind) => {
    await openRoom(kind, { playing: { tracks: [asking], isPlaying: true } });
    await expect.poll(isInSight).toBe(true);
    await expectAccessible('all');
    await page.getByRole('button', { name: "Confirm you're not a bot" }).click();
    await expect.poll(heard).not.toBeNull();
    await expect.poll(isInSight).toBe(kind === 'video');
  },
);

test('an advert of a host in an audio room holds the room, can be skipped, and ends out of sight', async () => {
  const room = await openRoom('audio', { playing: { tracks: [advertised], isPlaying: true } });
  await expect.poll(() => held(room).length).toBeGreaterThan(0);
  await expect.poll(isInSight).toBe(true);
  expect(heard()).toBeNull();
  await page.getByRole('button', { name: 'Skip' }).click();
  await expect.poll(heard).not.toBeNull();
  await expect.poll(isInSight).toBe(false);
});

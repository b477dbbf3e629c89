import type { VideoId } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { ok } from '../../../testing/screens/fake-server.ts';
import { aTrack, openRoom } from '../../../testing/screens/rooms.ts';

test('the bars of a whole track stand behind a window of forty, which is as wide as the seek bar', async () => {
  await openRoom('audio', {
    prepare: (server) => server.on('library/loudness', () => ok({ track: null, peaks: '0z'.repeat(100), album: null })),
    playing: { tracks: [aTrack('a', { videoId: 'lib_0123456789abcdef' as VideoId })] },
  });
  const player = page.getByRole('region', { name: 'Player' });
  const bars = () => [...player.element().querySelectorAll('[class*="level"] i')];
  await expect.poll(() => bars().length).toBe(240);
  const widthOf = (element: Element | null | undefined) => element?.getBoundingClientRect().width;
  expect(widthOf(bars()[0]?.closest('[class*="level"]'))).toBe(
    widthOf(player.getByRole('slider', { name: 'Seek' }).element()),
  );
});

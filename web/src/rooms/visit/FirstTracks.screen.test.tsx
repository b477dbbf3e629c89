/** A room in which nothing was chosen yet: six tracks to begin with, and the first at once after 'Try it now'. */
import type { VideoId } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { type FakeServer, ok, refused } from '../../../testing/screens/fake-server.ts';
import { button, gone, heading, shown } from '../../../testing/screens/find.ts';
import { aTrack, openRoom } from '../../../testing/screens/rooms.ts';
import { triedState } from '../../store/first-track.ts';

const title = 'Press a track to start';
const trackAt = (at: number) => ({
  ...aTrack('a'),
  videoId: `lib_${String(at).padStart(16, '0')}` as VideoId,
  title: `Song ${String(at)} – Mara`,
  name: `Song ${String(at)}`,
  artist: 'Mara',
  album: null,
  server: null,
});
const answerTracks = (count: number) => (server: FakeServer) =>
  server.on('library/tracks', () =>
    ok({ total: count, tracks: Array.from({ length: count }, (_, at) => trackAt(at)) }),
  );
const cards = () => page.getByRole('button', { name: /^Play Song .* for everybody$/ });

test.each(['audio', 'video'] as const)('the host of an empty %s room begins with a press', async (kind) => {
  const room = await openRoom(kind, { prepare: answerTracks(9) });
  await shown(heading(title));
  await expect.poll(() => cards().elements().length).toBe(6);
  await expectAccessible('all');
  expect(room.intents()).toEqual([]);
  await cards().nth(1).click();
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'choose', track: { title: 'Song 1 – Mara' } });
});

test.each([
  ['is empty', answerTracks(0)],
  ['can’t be read', (server: FakeServer) => server.on('library/tracks', () => refused('server/busy'))],
])('a library that %s shows no empty board', async (_what, prepare) => {
  const room = await openRoom('audio', { prepare });
  await expect.poll(() => room.server.asked('library/tracks').length).toBe(1);
  await gone(heading(title));
});

test('nothing is offered beside a track', async () => {
  const room = await openRoom('audio', { prepare: answerTracks(9), playing: { tracks: [aTrack('a')] } });
  await shown(button('Play'));
  expect(room.server.asked('library/tracks')).toEqual([]);
});

test("after 'Try it now' the newest track plays, once", async () => {
  const room = await openRoom('audio', {
    prepare: (server) => {
      server.on('library/tracks', () => {
        history.replaceState(triedState, '');
        return ok({ total: 2, tracks: [trackAt(0), trackAt(1)] });
      });
    },
  });
  await expect.poll(() => room.intents()).toMatchObject([{ type: 'choose', track: { title: 'Song 0 – Mara' } }]);
  expect(history.state).not.toBe(triedState);
});

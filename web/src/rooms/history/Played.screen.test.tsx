/** What a room has played, below its queue: added again, all at once, proposed by guests, copied. */
import type { PlayedTrack } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../../testing/screens/browser.ts';
import { ok, refused } from '../../../testing/screens/fake-server.ts';
import { button, gone, shown } from '../../../testing/screens/find.ts';
import { ivoUid } from '../../../testing/screens/people.ts';
import { aTrack, openRoom } from '../../../testing/screens/rooms.ts';

const at = new Date(2026, 10, 26, 20, 10).getTime();
const played = (number: number, more: Partial<PlayedTrack> = {}): PlayedTrack => ({
  ...aTrack('0123456789abcdef'[number % 16] ?? '0', { title: `Song ${String(number)}` }),
  number,
  at: at + number * 60_000,
  by: null,
  ...more,
});
const list = () => page.getByRole('region', { name: 'What we played' });
const latestFirst = (count: number) => Array.from({ length: count }, (_, n) => played(count - n));

test('the host adds a played track again, or all of them once each', async () => {
  const tracks = [
    played(3, { by: { uid: ivoUid, name: 'Ivo' } }),
    played(2),
    played(1, { videoId: played(2).videoId }),
  ];
  // The first answer is lost with the line.
  const answers = [refused('server/unavailable')];
  const room = await openRoom('video', {
    playing: { tracks: [aTrack('a')] },
    prepare: (server) => server.on('rooms/played', () => answers.shift() ?? ok({ tracks, total: 3, from: at })),
  });
  await shown(list().getByText('Song 3'));
  await shown(list().getByText(/proposed by Ivo/));
  await shown(list().getByText(/^3 tracks since/));
  await button('Queue Song 2 again').click();
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'enqueue', track: { title: 'Song 2' } });
  await list().getByRole('button', { name: 'Queue all again' }).click();
  await expect
    .poll(() => room.intents().at(-1))
    .toMatchObject({ type: 'enqueueAll', items: [{ title: 'Song 2' }, { title: 'Song 3' }] });
  await expectAccessible('all');
});

test('a played track that the room refuses has no tick, and one that it takes has', async () => {
  const answers = [refused('limit/too-many')];
  await openRoom('audio', {
    isHost: false,
    playing: { controller: 'another tab' },
    prepare: (server) => {
      server.on('rooms/played', () => ok({ tracks: [played(1)], total: 1, from: at }));
      server.on('rooms/propose', () => answers.shift() ?? ok({ outcome: 'proposed' }));
    },
  });
  const again = button('Propose Song 1 again');
  const icon = () => again.element().innerHTML;
  await shown(again);
  const plus = icon();
  await again.click();
  await page.getByRole('button', { name: 'OK' }).click();
  expect(icon()).toBe(plus);
  await again.click();
  await expect.poll(icon).not.toBe(plus);
});

test('a guest proposes a played track, and can’t add all', async () => {
  const room = await openRoom('audio', {
    isHost: false,
    playing: { controller: 'another tab' },
    prepare: (server) => {
      server.on('rooms/played', () => ok({ tracks: [played(1)], total: 1, from: at }));
      server.on('rooms/propose', () => ok({ outcome: 'proposed' }));
    },
  });
  await button('Propose Song 1 again').click();
  await expect.poll(() => room.server.asked('rooms/propose')).toMatchObject([{ track: { title: 'Song 1' } }]);
  await gone(list().getByRole('button', { name: 'Queue all again' }));
  await lookOnPhone();
  await expectAccessible('this');
});

test('shows a few, and all after a press, page by page', async () => {
  const all = latestFirst(130);
  const { server } = await openRoom('video', {
    playing: { tracks: [aTrack('a')] },
    prepare: (fake) =>
      fake.on('rooms/played', ({ before = Infinity }) =>
        ok({ tracks: all.filter(({ number }) => number < before).slice(0, 100), total: 130, from: at }),
      ),
  });
  await shown(list().getByText('Song 130', { exact: true }));
  await gone(list().getByText('Song 1', { exact: true }));
  await list().getByRole('button', { name: 'Show all 130' }).click();
  await shown(list().getByText('Song 1', { exact: true }));
  expect(server.asked('rooms/played').map(({ before }) => before)).toEqual([undefined, 31]);
});

test('is read anew when another track starts, without the one that plays now, and names it as the room does', async () => {
  let tracks: PlayedTrack[] = [];
  const [a, b] = [aTrack('a'), aTrack('b', { title: 'Named since' })];
  const room = await openRoom('video', {
    playing: { tracks: [a, b] },
    prepare: (server) =>
      server.on('rooms/played', () => ok({ tracks, total: tracks.length, from: tracks.at(-1)?.at ?? null })),
  });
  const move = (revision: number, isPlaying: boolean, currentIndex: number) =>
    room.tell({ type: 'playback/moved', revision, isPlaying, currentTime: 0, updatedAt: Date.now(), currentIndex });
  await shown(page.getByRole('region', { name: 'Queue' }));
  await gone(list());
  tracks = [played(2, { videoId: a.videoId }), played(1)];
  move(2, true, 0);
  await shown(list().getByText('Song 1'));
  await shown(list().getByText(/^1 track since/));
  await gone(list().getByText('Song 2'));
  tracks = [played(3, { videoId: b.videoId, title: 'x' }), ...tracks];
  const answer = Promise.withResolvers<void>();
  room.server.on('rooms/played', async () => {
    await answer.promise;
    return ok({ tracks, total: tracks.length, from: at });
  });
  move(3, true, 1);
  await shown(list().getByText('Song 2'));
  await shown(list().getByText(/^2 tracks since/));
  await gone(list().getByText('Named since'));
  // It is paused before the answer comes.
  move(4, false, 1);
  answer.resolve();
  await shown(list().getByText('Named since'));
  await shown(list().getByText(/^3 tracks since/));
});

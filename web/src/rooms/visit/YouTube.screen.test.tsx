import { type VideoId, roomKinds } from '@tunemate/protocol';
import { beforeEach, expect, test } from 'vitest';
import { commands, page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { button, gone, shown, words } from '../../../testing/screens/find.ts';
import { aTrack, openRoom, type RoomOnPage } from '../../../testing/screens/rooms.ts';

const video = aTrack('a', { videoId: 'dQw4w9WgXcQ' as VideoId, title: 'Velvet Hour' });
const notEmbeddable = aTrack('a', { videoId: 'notEmbedded' as VideoId, title: 'Kept at Home' });

const unnamed = aTrack('a', { ...video, title: 'dQw4w9WgXcQ', durationSeconds: 240 });
const live = aTrack('a', { videoId: 'liveStream1' as VideoId, title: 'Harbour Radio', durationSeconds: null });
const silent = aTrack('a', { videoId: 'neverHeard1' as VideoId, title: 'Blocked Here' });

beforeEach(() => commands.serveYouTube({ broken: { notEmbedded: 150, neverHeard1: 0 }, live: ['liveStream1'] }));

const player = () => page.getByRole('region', { name: 'Player' });
const saidByPlayer = (room: RoomOnPage, said: string) =>
  room.server.asked('playback/write').flatMap(({ intent }) => (intent.type === said ? [intent] : []));

const writes = (room: RoomOnPage) => room.server.asked('playback/write').map(({ intent }) => intent.type);

const frame = () => page.getByTestId('player-frame').element().getBoundingClientRect();
/** The opacity of the elements over the player. */
const opacity = (): string =>
  getComputedStyle(page.getByTestId('player-frame').element().parentElement?.parentElement ?? document.body).opacity;

test('a YouTube video replaces the cover', async () => {
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

test('a video that YouTube does not allow here shows that to the host', async () => {
  await openRoom('video', { playing: { tracks: [notEmbeddable], isPlaying: true } });
  await shown(words('Kept at Home cannot be played. Its owner does not allow it outside YouTube.'));
  await expectAccessible();
});

test.each([
  ['stop', [notEmbeddable], 'pause'],
  ['stop', [notEmbeddable, video], 'next'],
  ['suggested', [notEmbeddable], 'ended'],
  ['suggested', [notEmbeddable, video], 'next'],
] as const)(
  'after a video that cannot be played an audio room that would %s goes on as after its end',
  async (...row) => {
    const [afterTrack, tracks, wanted] = row;
    const room = await openRoom('audio', { playing: { tracks, isPlaying: true, afterTrack } });
    await expect.poll(() => writes(room).at(-1)).toBe(wanted);
  },
);

test.each([
  ['suggested', 'ended'],
  ['queue', 'next'],
] as const)('after five failures in a row a room that goes on with %s pauses', async (afterTrack, goesOn) => {
  const broken = Array.from({ length: 6 }, (_, index) => `broken0000${String(index)}` as VideoId);
  await commands.serveYouTube({ broken: Object.fromEntries(broken.map((videoId) => [videoId, 150])) });
  const tracks = broken.map((videoId) => aTrack('a', { videoId, title: videoId }));
  const queue = afterTrack === 'queue' ? tracks : tracks.slice(0, 1);
  const room = await openRoom('audio', { playing: { tracks: queue, isPlaying: true, afterTrack } });
  const start = { isPlaying: true, currentTime: 0, updatedAt: Date.now() };
  for (const [index, track] of tracks.slice(1).entries()) {
    await expect.poll(() => writes(room).filter((type) => type === goesOn).length).toBe(index + 1);
    if (afterTrack === 'suggested') room.edit({ type: 'replaced', track });
    else room.tell({ type: 'playback/moved', revision: index + 2, currentIndex: index + 1, ...start });
  }
  await expect.poll(() => writes(room)).toEqual([...tracks.slice(1).map(() => goesOn), 'pause']);
});

test('a video that YouTube does not allow here shows a guest that this device cannot play it', async () => {
  await openRoom('video', {
    isHost: false,
    playing: { tracks: [notEmbeddable], isPlaying: true, controller: 'another tab' },
  });
  await shown(words('This track cannot be played on this device.'));
});

test("a YouTube frame that never answers shows that the track failed, instead of 'Loading' for ever", async () => {
  const room = await openRoom('video', { playing: { tracks: [silent, video], isPlaying: true } });
  await shown(words('This track could not be fetched. Trying again…'));
  await expectAccessible('this');
  expect(room.intents()).toEqual([]);
});

test.each(roomKinds)(
  'a %s that was pasted without its name is called by what its player knows, by everybody',
  async (kind) => {
    const room = await openRoom(kind, { playing: { tracks: [unnamed] } });
    const title = 'Title of dQw4w9WgXcQ – Some Channel';
    await expect.poll(() => saidByPlayer(room, 'named')).toEqual([{ type: 'named', revision: 1, title }]);
    room.name(title);
    await shown(player().getByText(title));
    await gone(page.getByText('dQw4w9WgXcQ', { exact: true }));
    expect(saidByPlayer(room, 'named')).toHaveLength(1);
  },
);

test('a guest’s page sets no title, and a track with a title keeps it', async () => {
  const guest = await openRoom('video', { isHost: false, playing: { tracks: [unnamed], controller: 'another tab' } });
  await expect.poll(() => window.fakeYouTube?.videoId()).toBe('dQw4w9WgXcQ');
  guest.name('Velvet Hour – Nadia');
  await shown(player().getByText('Velvet Hour – Nadia'));
  expect(saidByPlayer(guest, 'named')).toEqual([]);
});

test.each(roomKinds)(
  'a live stream in a %s room says LIVE, plays from now, and writes its growing length nowhere',
  async (kind) => {
    const room = await openRoom(kind, { playing: { tracks: [live], isPlaying: true } });
    await shown(player().getByText('LIVE', { exact: true }));
    await gone(page.getByRole('slider', { name: 'Seek' }));
    await expect.poll(() => saidByPlayer(room, 'reanchor').length).toBe(1);
    const [placed] = saidByPlayer(room, 'reanchor');
    expect(placed?.type === 'reanchor' && placed.currentTime).toBeGreaterThan(4900);
    await expectAccessible();
    expect(saidByPlayer(room, 'measured')).toEqual([]);
    expect(room.intents()).toEqual([]);
  },
);

test('a guest who joins a live stream late plays it at the room’s position', async () => {
  await openRoom('video', {
    isHost: false,
    playing: { tracks: [live], isPlaying: true, atSeconds: 4900, controller: 'another tab' },
  });
  await shown(player().getByText('LIVE', { exact: true }));
  await expect.poll(() => Math.abs((window.fakeYouTube?.position() ?? 0) - 4905)).toBeLessThan(30);
});

/** Pauses inside the frame, repeatedly: a start by the page that is not finished may undo it. */
function pauseInFrame(): void {
  if (window.fakeYouTube?.state() === 1) window.fakeYouTube.touch('pause');
}

test('pause, play and seek by the host inside the frame apply to the room', async () => {
  const room = await openRoom('video', { playing: { tracks: [video], isPlaying: true } });
  await expect
    .poll(() => {
      pauseInFrame();
      return room.intents();
    })
    .toEqual([{ type: 'pause' }]);
  room.move({ isPlaying: false, atSeconds: 5 });
  // A start by the page may not be finished before.
  await expect
    .poll(() => {
      if (window.fakeYouTube?.state() === 2) window.fakeYouTube.touch('play');
      return room.intents().at(-1);
    })
    .toEqual({ type: 'play' });
  room.move({ isPlaying: true, atSeconds: 5 });
  await expect
    .poll(
      () => {
        if (window.fakeYouTube?.state() === 1) window.fakeYouTube.touch(120);
        return room.intents().at(-1)?.type;
      },
      // The page undoes a seek right after its own command, before the next attempt.
      { interval: 4000 },
    )
    .toBe('seek');
  const last = room.intents().at(-1);
  expect(last?.type === 'seek' && Math.abs(last.currentTime - 120)).toBeLessThan(2);
});

test('a guest’s pause in the frame pauses only this device, and Back to live is in sync again', async () => {
  const room = await openRoom('video', {
    isHost: false,
    playing: { tracks: [video], isPlaying: true, controller: 'another tab' },
  });
  await expect
    .poll(() => {
      pauseInFrame();
      return words('Paused on this device').query();
    })
    .not.toBeNull();
  expect(window.fakeYouTube?.state()).toBe(2);
  await button('Back to live').click();
  await gone(words('Paused on this device'));
  await expect.poll(() => window.fakeYouTube?.state()).toBe(1);
  expect(room.intents()).toEqual([]);
  expect(getComputedStyle(page.getByTestId('player-frame').element()).pointerEvents).toBe('auto');
});

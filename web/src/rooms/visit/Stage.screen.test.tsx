import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent, type Locator, commands } from 'vitest/browser';
import { type VideoId, roomKinds } from '@tunemate/protocol';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { letThingsMove, lookOnPhone } from '../../../testing/screens/browser.ts';
import { ok } from '../../../testing/screens/fake-server.ts';
import { button, field, gone, shown, words } from '../../../testing/screens/find.ts';
import { aTrack, openRoom, type RoomVisit, type RoomOnPage } from '../../../testing/screens/rooms.ts';

describe('audio room', () => {
  const song = aTrack('a', { title: 'Walking Home', durationSeconds: 125 });
  const item = (letter: string) => ({ ...aTrack(letter), source: 'library' as const });
  const openAudio = (visit: RoomVisit = {}) => openRoom('audio', { playing: { tracks: [song] }, ...visit });
  const player = (): Locator => page.getByRole('region', { name: 'Player' });
  const results = (): Locator => page.getByRole('region', { name: 'Search Results' });
  const status = (): string => document.querySelector('[data-notice-slot]')?.textContent ?? '';
  const levelBar = (): Element | null => player().element().querySelector('[class*="level"]');

  test("before the first track it says 'Paused' with no time, and has no keys", async () => {
    await openAudio({ playing: {} });
    await shown(player().getByText('No music selected'));
    await shown(player().getByText('Paused'));
    await expect.element(player()).toMatchTextContent(/00:00 \/ 00:00/);
    await gone(button('Play'));
    await gone(page.getByRole('slider', { name: 'Position' }));
    await expectAccessible();
  });

  test("has a status line 'Playing' or 'Paused' with elapsed / total time as mm:ss, and a level bar that moves with it", async () => {
    const room = await openAudio({ playing: { tracks: [song], atSeconds: 65 } });
    await expect.poll(status).toMatch(/Paused 01:05 \/ 02:05/);
    expect(levelBar()?.className).toMatch(/paused/);
    expect(levelBar()?.querySelectorAll('i')).toHaveLength(40);
    room.move({ isPlaying: true, atSeconds: 65 });
    await expect.poll(status).toMatch(/Playing 01:0\d \/ 02:05/);
    expect(levelBar()?.className).not.toMatch(/paused/);
    await shown(button('Pause'));
    await expectAccessible();
  });

  test('a page that plays moves its bars and its record without waking the main thread', async () => {
    await letThingsMove();
    await openAudio({ playing: { tracks: [song], isPlaying: true, atSeconds: 10 } });
    await expect.poll(status).toMatch(/Playing/);
    const endless = () => document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations === Infinity);
    const ofBars = () => endless().filter(({ effect }) => levelBar()?.contains((effect as KeyframeEffect).target));
    await expect.poll(() => ofBars().length).toBe(5);
    const rounds = endless()
      .filter((each) => each instanceof CSSAnimation)
      .map(({ effect }) => effect?.getTiming());
    // React hears of each round.
    expect(rounds.map((timing) => Number(timing?.duration) >= 30_000)).toEqual([true]);
  });

  test('the time goes on while it plays', async () => {
    await openAudio({ playing: { tracks: [song], isPlaying: true, atSeconds: 10 } });
    await expect.poll(status).toMatch(/Playing 00:1[2-9] \/ 02:05/);
  });

  test('the host plays, pauses and seeks; a guest can do neither by keyboard nor pointer', async () => {
    const room = await openAudio({ playing: { tracks: [song], atSeconds: 30 } });
    await button('Play').click();
    await expect.poll(room.intents).toEqual([{ type: 'play' }]);
    (page.getByRole('slider', { name: 'Seek' }).element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowLeft}');
    await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'seek' });
  });

  test('a drag of the pointer seeks once, when it is let go', async () => {
    const room = await openAudio({ playing: { tracks: [song] } });
    const seek = page.getByRole('slider', { name: 'Seek' });
    await expect.element(seek).toBeEnabled();
    await userEvent.pointer([
      { target: seek, coords: { x: 4, y: 4 }, keys: '[MouseLeft>]' },
      { target: seek, coords: { x: 60, y: 4 } },
      { target: seek, coords: { x: 120, y: 4 } },
      '[/MouseLeft]',
    ]);
    await expect.poll(() => room.intents().filter(({ type }) => type === 'seek').length).toBe(1);
  });

  test('a drag of the pointer that returns to where it began leaves the bar to the music', async () => {
    const room = await openAudio({ playing: { tracks: [song] } });
    const seek = page.getByRole('slider', { name: 'Seek' });
    await expect.element(seek).toBeEnabled();
    await userEvent.pointer([
      { target: seek, coords: { x: 0, y: 4 }, keys: '[MouseLeft>]' },
      { target: seek, coords: { x: 120, y: 4 } },
      { target: seek, coords: { x: 0, y: 4 } },
      '[/MouseLeft]',
    ]);
    room.move({ isPlaying: false, atSeconds: 60 });
    await expect.poll(status).toMatch(/01:00 \/ 02:05/);
    await expect.element(seek).toHaveValue('60');
  });

  test('what was begun on the seek bar of one track goes nowhere in the next one', async () => {
    const next = aTrack('b');
    const room = await openAudio({ playing: { tracks: [song, next], atSeconds: 100 } });
    const seek = page.getByRole('slider', { name: 'Seek' });
    await expect.element(seek).toBeEnabled();
    const seeks = () => room.intents().flatMap((intent) => (intent.type === 'seek' ? [intent] : []));
    const turn = { type: 'playback/moved', isPlaying: false, currentTime: 0, updatedAt: 1 } as const;
    (seek.element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowRight}');
    await expect.poll(seeks).toMatchObject([{ videoId: song.videoId, currentTime: 105 }]);
    room.tell({ ...turn, revision: 2, currentIndex: 1 });
    await expect.poll(status).toMatch(/00:00 \/ 02:00/);
    await userEvent.keyboard('{ArrowRight}');
    await expect.poll(() => seeks().at(-1)).toMatchObject({ videoId: next.videoId, currentTime: 5 });
    const before = seeks().length;
    // In the middle of a drag.
    seek
      .element()
      .addEventListener('input', () => room.tell({ ...turn, revision: 3, currentIndex: 0 }), { once: true });
    await userEvent.pointer([
      { target: seek, coords: { x: 4, y: 4 }, keys: '[MouseLeft>]' },
      { target: seek, coords: { x: 16, y: 4 } },
      { target: seek, coords: { x: 30, y: 4 } },
      '[/MouseLeft]',
    ]);
    await expect.poll(status).toMatch(/00:00 \/ 02:05/);
    expect(seeks().slice(before)).toEqual([]);
  });

  test("searching shows 'Search Results' with a Cancel, and after a failure two marked samples", async () => {
    await openAudio({
      prepare: (server) =>
        server.on('catalogue/search', () => ok({ status: 'samples', items: [item('c'), item('d')] })),
    });
    await field('Search tracks').fill('tea');
    await userEvent.keyboard('{Enter}');
    await shown(results().getByText('The search did not answer. Two tracks of the library instead:'));
    expect(results().getByRole('listitem').length).toBe(2);
    await expectAccessible();
    await results().getByRole('button', { name: 'Cancel' }).click();
    await gone(results());
  });

  test('the search bar disappears while the chat is open, and on a phone the player becomes a strip', async () => {
    await lookOnPhone();
    await openAudio();
    await shown(field('Search tracks'));
    await button('Click here to Start Chat').click();
    await gone(field('Search tracks'));
    await expect.poll(() => player().element().className).toMatch(/besideChat/);
    await expectAccessible();
  });

  test.each([1280, 390])('has mute and the sheet of the sound beside the keys at %i px', async (width) => {
    await page.viewport(width, 844);
    await openAudio();
    await shown(button('Play'));
    const boxOf = (name: string): DOMRect => button(name).element().getBoundingClientRect();
    const middleOf = ({ top, bottom }: DOMRect): number => (top + bottom) / 2;
    for (const name of ['Mute', 'Sound and sync']) {
      expect(middleOf(boxOf(name))).toBeCloseTo(middleOf(boxOf('Play')), 0);
      expect(boxOf(name).left).toBeGreaterThan(boxOf('Play').right);
    }
  });

  test('shows the picture of the track, and the cover of the room when the picture fails to load', async () => {
    const pictured = { ...song, thumbnail: '/icon-192.png' };
    const room = await openAudio({ playing: { tracks: [pictured] } });
    await expect.poll(() => player().element().querySelector('img')?.naturalWidth).toBe(192);
    room.replace({ ...song, thumbnail: 'data:image/png;base64,AAAA' });
    await expect.poll(() => player().element().querySelector('img')).toBeNull();
  });

  test('a title longer than its place scrolls', async () => {
    await letThingsMove();
    const title = 'A title that is far longer than the place it has '.repeat(4).trim();
    await openAudio({ playing: { tracks: [{ ...song, title }] } });
    await expect
      .poll(() => player().getByText(title).first().element().closest('[class*="marquee"]')?.className)
      .toMatch(/overflows/);
    // A second one would have the region announced again, whenever the place becomes too narrow.
    expect(player().getByText(title).elements()).toHaveLength(1);
    const line = player().getByText(title).element().parentElement;
    expect(line && getComputedStyle(line, '::after').content).toContain(title);
    await expectAccessible();
  });

  test('the badge shows how many milliseconds this player is off', async () => {
    await openAudio({ isHost: false, playing: { tracks: [song], isPlaying: true, controller: 'another tab' } });
    await expect.element(page.getByTestId('sync-badge')).toMatchTextContent(/^±[\d.]+ (?:ms|s)$/);
  });

  test("the badge shows 'about' for a track in a format that browsers seek inexactly", async () => {
    await lookOnPhone();
    const inMp3 = aTrack('e', { title: 'Walking Home' });
    await openAudio({ isHost: false, playing: { tracks: [inMp3], isPlaying: true, controller: 'another tab' } });
    await expect.element(page.getByTestId('sync-badge')).toMatchTextContent(/^about ±[\d.]+ (?:ms|s)$/);
    await expectAccessible();
  });
});

describe('videos of YouTube', () => {
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
  ])(
    'audio only keeps its player in sight when the operator asks for that (%s)',
    async (youtubeVisiblePlayer, seen) => {
      await openRoom('video', { playing: { tracks: [video] }, config: { youtubeVisiblePlayer } });
      await button('Audio only view').click();
      await expect.poll(opacity).toBe(seen);
      if (youtubeVisiblePlayer) await expect.poll(() => Math.round(frame().width)).toBe(200);
      await expectAccessible();
    },
  );

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
    'a %s that was pasted without its name is called by all pages what its player knows',
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
      await shown(page.getByText('LIVE', { exact: true }));
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
});

/** How a room handles what YouTube shows before or instead of the video. */
describe('what YouTube needs', () => {
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
});

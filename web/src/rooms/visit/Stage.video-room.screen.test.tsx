import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { letThingsMove, lookOnPhone } from '../../../testing/screens/browser.ts';
import { ok, refused, silence } from '../../../testing/screens/fake-server.ts';
import { button, field, focused, gone, shown, words } from '../../../testing/screens/find.ts';
import { aTrack, testRoomCode, openRoom, type RoomVisit } from '../../../testing/screens/rooms.ts';

const tracks = [
  aTrack('f', { title: 'Poppy Season' }),
  aTrack('a', { title: 'Two Reels', durationSeconds: 3725 }),
  aTrack('b', { durationSeconds: null }),
];
const item = (letter: string) => ({ ...aTrack(letter), source: 'library' as const });
const openVideo = (visit: RoomVisit = {}) => openRoom('video', { playing: { tracks }, ...visit });
const player = (): Locator => page.getByRole('region', { name: 'Player' });
const queue = (): Locator => page.getByRole('region', { name: 'Queue' });
const isSeen = (locator: Locator): boolean => locator.elements().some((element) => element.checkVisibility());
const results = (): Locator => page.getByRole('region', { name: 'Search Results' });

test('the next track loads while the current one plays, and starts when that one ends', async () => {
  const letters = ['a', 'b', 'c', 'd', 'e', 'f'];
  const songs = letters.map((letter) => aTrack(letter, { durationSeconds: 60 }));
  const room = await openVideo({
    isHost: false,
    playing: { tracks: songs, isPlaying: true, controller: 'another tab' },
  });
  await shown(player().getByText('Track a'));
  const element = (id: string) => page.getByTestId(id).element() as HTMLVideoElement;
  let revision = 1;
  const move = (currentIndex: number, currentTime: number, updatedAt: number): void =>
    room.tell({
      type: 'playback/moved',
      revision: (revision += 1),
      isPlaying: true,
      currentTime,
      currentIndex,
      updatedAt,
    });
  const ways: string[] = [];
  for (let index = 0; !ways.includes('in time') && index < letters.length - 1; index += 1) {
    move(index, 45, Date.now());
    const [ending, next] = [element('player-media'), element('player-media-next')];
    await expect.poll(() => !ending.paused && !ending.muted && ending.currentTime > 45).toBe(true);
    await expect.poll(() => next.src).toContain(`/media/lib_${String(letters[index + 1]).repeat(4)}`);
    const startMs = Date.now() + 900;
    const order: string[] = [];
    let isLate = false;
    ending.addEventListener(
      'emptied',
      () => (isLate = order.push('the one before is over') === 1 && Date.now() > startMs),
    );
    next.addEventListener('playing', () => next.muted || order.push('the next one plays'));
    move(index + 1, 0, startMs);
    await expect.poll(() => order.length).toBe(2);
    // A page that a busy machine delays beyond the moment of the change starts the next track late.
    ways.push(isLate ? 'late' : 'in time');
    if (!isLate) expect(order).toEqual(['the next one plays', 'the one before is over']);
    expect([ending.hidden, next.hidden, element('player-media') === next]).toEqual([true, false, true]);
  }
  expect(ways).toContain('in time');
});

test("before the first track it says 'No music selected', and has no keys", async () => {
  await openVideo({ playing: {} });
  await shown(player().getByText('No music selected'));
  for (const name of ['Play', 'Previous', 'Next']) await gone(button(name));
  await gone(page.getByRole('slider', { name: 'Position' }));
  await expectAccessible();
});

test('shows title and time as HH:MM:SS', async () => {
  await openVideo({ playing: { tracks, index: 1, atSeconds: 3671 } });
  await shown(player().getByText('Two Reels'));
  await shown(player().getByText('01:01:11'));
  await shown(player().getByText('01:02:05'));
  await expect
    .element(page.getByRole('slider', { name: 'Seek' }))
    .toHaveAttribute('aria-valuetext', '01:01:11 of 01:02:05');
});

test('the host plays, pauses, and goes to the previous and the next', async () => {
  const room = await openVideo();
  await button('Play').click();
  await expect.poll(room.intents).toEqual([{ type: 'play' }]);
  room.move({ isPlaying: true });
  await button('Pause').click();
  await expect.poll(() => room.intents().at(-1)).toEqual({ type: 'pause' });
  await button('Next').click();
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'next' });
  await button('Previous').click();
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'previous' });
});

test('the host seeks by the keyboard', async () => {
  const room = await openVideo({ playing: { tracks, atSeconds: 30 } });
  const seek = page.getByRole('slider', { name: 'Seek' });
  await shown(seek);
  (seek.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'seek', currentTime: 35 });
  await userEvent.keyboard('{End}');
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'seek', currentTime: 120 });
});

test('host and guests can hide the picture, and show it again', async () => {
  await openVideo({ isHost: false, playing: { tracks, isPlaying: true, controller: 'another tab' } });
  const picture = page.getByTestId('player-media');
  await expect
    .poll(() => getComputedStyle(picture.element().parentElement?.parentElement ?? document.body).opacity)
    .toBe('1');
  await expectAccessible();
  await button('Audio only view').click();
  await expect.element(button('Audio only view')).toHaveAttribute('aria-pressed', 'true');
  await expect
    .poll(() => getComputedStyle(picture.element().parentElement?.parentElement ?? document.body).opacity)
    .toBe('0');
  await expectAccessible();
  await button('Video view').click();
  await expect
    .poll(() => getComputedStyle(picture.element().parentElement?.parentElement ?? document.body).opacity)
    .toBe('1');
});

test('the queue marks what plays, and the host jumps, moves and removes', async () => {
  const room = await openVideo();
  const rows = queue().getByRole('listitem');
  await shown(rows.first().getByRole('button', { name: /^Now playing: Poppy Season ?02:00$/ }));
  await expect.element(rows.last()).toMatchTextContent(/^3Track b$/);
  await queue()
    .getByRole('button', { name: /^2.*Two Reels/ })
    .click();
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'jump', currentIndex: 1 });
  await button('Edit').click();
  await expect.element(button('Move Poppy Season up')).toBeDisabled();
  await expect.element(button('Move Track b down')).toBeDisabled();
  await expectAccessible('this');
  await button('Move Two Reels up').click();
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'move', from: 1, to: 0 });
  await button('Move Poppy Season down').click();
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'move', from: 0, to: 1 });
  await button('Remove Track b').click();
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'remove', index: 2 });
  await button('Done').click();
  await gone(button(/^Move /));
});

test('a queue of two hundred long titles is readable', async () => {
  const many = Array.from({ length: 200 }, (_, index) =>
    aTrack('a', { title: `${'Long title '.repeat(16)}${String(index)}` }),
  );
  await openVideo({ playing: { tracks: many } });
  await expect.poll(() => queue().getByRole('listitem').length).toBe(200);
  await shown(queue().getByText('200', { exact: true }).first());
});

test('a link that names no video says so, and what to paste instead', async () => {
  await openVideo({ prepare: (server) => server.on('catalogue/search', () => ok({ status: 'ok', items: [] })) });
  await field('Search videos').fill('https://www.youtube.com/clip/UgkxU2HSeGL_NvmDJ');
  await userEvent.keyboard('{Enter}');
  await shown(results().getByText('No results found'));
  const hint = results().getByText(/^This link names no video that can be played here\. Paste the link of one video/);
  await shown(hint);
  await field('Search videos').fill('tea');
  await userEvent.keyboard('{Enter}');
  await gone(hint);
  await shown(results().getByText('No results found'));
});

test("searching shows 'Searching...', then 'Search Results'; choosing one plays it", async () => {
  const answer = Promise.withResolvers<void>();
  const room = await openVideo({
    prepare: (server) =>
      server.on('catalogue/search', async () => {
        await answer.promise;
        return ok({ status: 'ok', items: [item('c'), item('d')] });
      }),
  });
  await shown(page.getByPlaceholder('Search or link'));
  await field('Search videos').fill('  ');
  await userEvent.keyboard('{Enter}');
  expect(room.server.asked('catalogue/search')).toEqual([]);
  await field('Search videos').fill('tea');
  await userEvent.keyboard('{Enter}');
  await shown(results().getByText('Searching...'));
  await expectAccessible();
  answer.resolve();
  await shown(results().getByText('Track c'));
  await expectAccessible('all');
  await button('Add Track d to the queue').click();
  await expect
    .poll(() => room.intents().at(-1))
    .toMatchObject({ type: 'enqueue', track: { videoId: aTrack('d').videoId, title: 'Track d' } });
  await shown(words('In the queue'));
  await results()
    .getByRole('button', { name: /^Track c/ })
    .click();
  await expect
    .poll(() => room.intents().at(-1))
    .toMatchObject({ type: 'choose', track: { videoId: aTrack('c').videoId, title: 'Track c' } });
  await gone(results());
  await expect.element(field('Search videos')).toHaveValue('');
  expect(room.server.asked('catalogue/search')).toEqual([{ kind: 'video', code: testRoomCode, query: 'tea' }]);
});

test('other words are searched for while an answer is on its way, the same ones not again', async () => {
  const never = new Promise<never>(() => undefined);
  const room = await openVideo({ prepare: (server) => server.on('catalogue/search', () => never) });
  const asked = () => room.server.asked('catalogue/search').map(({ query }) => query);
  await field('Search videos').fill('tea');
  await userEvent.keyboard('{Enter}');
  await shown(words('Searching...'));
  await userEvent.keyboard('{Enter}');
  await field('Search videos').fill('coffee');
  await userEvent.keyboard('{Enter}');
  await expect.poll(asked).toEqual(['tea', 'coffee']);
});

test('a link with a start time is shown, chosen and queued with it', async () => {
  const link = { ...item('c'), durationSeconds: null, startSeconds: 90 };
  const room = await openVideo({
    prepare: (server) => server.on('catalogue/search', () => ok({ status: 'library-only', items: [link] })),
  });
  await field('Search videos').fill('youtu.be/dQw4w9WgXcQ?t=90');
  await userEvent.keyboard('{Enter}');
  await shown(results().getByText('from 00:01:30'));
  await button('Add Track c to the queue').click();
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'enqueue', track: { startSeconds: 90 } });
  await results()
    .getByRole('button', { name: /^Track c/ })
    .click();
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'choose', track: { startSeconds: 90 } });
});

test('several pasted links are added with one press, in sequence and at the rate that the server allows', async () => {
  let isRefused = false;
  const room = await openVideo({
    prepare: (server) => {
      server.on('catalogue/search', () => ok({ status: 'library-only', items: [item('c'), item('d'), item('e')] }));
      server.on('playback/write', ({ intent }) => {
        if (intent.type !== 'enqueueAll' || isRefused) return ok({ revision: 1, added: 3 });
        isRefused = true;
        return refused('limit/too-many', { retryAfterMs: 20 });
      });
    },
  });
  await field('Search videos').fill('two words');
  await userEvent.keyboard('{Enter}');
  await shown(results().getByText('Track c'));
  await gone(button('Add all'));
  await field('Search videos').fill('youtu.be/aaaaaaaaaaa youtu.be/bbbbbbbbbbb');
  await userEvent.keyboard('{Enter}');
  await shown(button('Add all'));
  await expectAccessible();
  await button('Add all').click();
  await shown(page.getByText('3 tracks added to the queue'));
  await gone(results().getByText('Track c'));
  await focused(button('Undo'));
  await expectAccessible('all');
  const lists = room.intents().filter((intent) => intent.type === 'enqueueAll');
  const titles = ['Track c', 'Track d', 'Track e'];
  expect(lists.map(({ items }) => items.map(({ title }) => title))).toEqual([titles, titles]);
});

test('Undo removes what one press added, and the links can be searched again', async () => {
  const added = [aTrack('c'), aTrack('d')];
  const room = await openVideo({
    playing: { tracks: [aTrack('a'), ...added], controller: 'this tab' },
    prepare: (server) =>
      server.on('catalogue/search', () => ok({ status: 'library-only', items: [item('c'), item('d')] })),
  });
  await field('Search videos').fill('youtu.be/aaaaaaaaaaa youtu.be/bbbbbbbbbbb');
  await userEvent.keyboard('{Enter}');
  await button('Add all').click();
  await focused(button('Undo'));
  await userEvent.keyboard('{Enter}');
  await expect
    .poll(() => room.intents().filter(({ type }) => type === 'remove'))
    .toEqual([
      { type: 'remove', index: 2, videoId: added[1]?.videoId },
      { type: 'remove', index: 1, videoId: added[0]?.videoId },
    ]);
  await gone(button('Undo'));
  await shown(button('Add all'));
  await shown(results().getByText('Track c'));
});

test('a queue that becomes full keeps the results and shows how many tracks were added', async () => {
  await openVideo({
    prepare: (server) => {
      server.on('catalogue/search', () => ok({ status: 'library-only', items: [item('c'), item('d'), item('e')] }));
      server.on('playback/write', () => ok({ revision: 1, added: 1 }));
    },
  });
  await field('Search videos').fill('youtube.com/playlist?list=PLabcdef');
  await userEvent.keyboard('{Enter}');
  await button('Add all').click();
  await shown(page.getByText('1 track added to the queue, 2 left out'));
  await shown(page.getByText('The queue is full (200).'));
  await shown(results().getByText('Track c'));
});

test('a host whose queue is full reads that, instead of an error', async () => {
  await openVideo({
    prepare: (server) => {
      server.on('catalogue/search', () => ok({ status: 'ok', items: [item('c')] }));
      server.on('playback/write', () => refused('playback/queue-full'));
    },
  });
  await field('Search videos').fill('tea');
  await userEvent.keyboard('{Enter}');
  await button('Add Track c to the queue').click();
  await shown(words('The queue is full (200).'));
  await gone(words('In the queue'));
});

test('on a phone the notice that playback is blocked is shown beside results too', async () => {
  await lookOnPhone();
  await openVideo({
    prepare: (server) => {
      server.on('catalogue/search', () => ok({ status: 'ok', items: [item('c')] }));
      server.on('playback/write', () => refused('playback/queue-full'));
    },
  });
  await field('Search videos').fill('tea');
  await userEvent.keyboard('{Enter}');
  await button('Add Track c to the queue').click();
  await expect.element(words('The queue is full (200).')).toBeVisible();
  await expect.poll(() => isSeen(page.getByRole('group', { name: 'Playback' }))).toBe(false);
  await expectAccessible('this');
});

test('on a phone the notice that playback is blocked is shown beside an open chat too', async () => {
  await lookOnPhone();
  const room = await openVideo({ isHost: false, hostAwaySince: Date.now() - 60_000 });
  await button('Click here to Start Chat').click();
  await expect.element(words('Host is reconnecting…')).toBeVisible();
  expect(isSeen(page.getByRole('slider', { name: 'Position' }))).toBe(false);
  await expectAccessible('this');
  room.tell({ type: 'rooms/hostAway', hostAwaySince: null });
  await gone(words('Host is reconnecting…'));
  const lineBottom = () => document.querySelector('[data-notice-slot]')?.getBoundingClientRect().bottom ?? 0;
  const people = page.getByText('2 here');
  await expect.poll(() => people.element().getBoundingClientRect().top - lineBottom()).toBeLessThan(30);
});

test("'No results found' for nothing, and Cancel puts the panel away", async () => {
  await openVideo({
    config: { youtubeSearch: true },
    prepare: (server) => server.on('catalogue/search', () => ok({ status: 'ok', items: [] })),
  });
  await shown(page.getByPlaceholder('Search YouTube'));
  await field('Search videos').fill('tea');
  await userEvent.keyboard('{Enter}');
  await shown(results().getByText('No results found'));
  await expectAccessible();
  await button('Cancel').click();
  await gone(results());
});

test.each([
  ['minute-used-up', 'YouTube asks for a short pause. Try again in a minute. The library and pasted links still work.'],
  ['hour-used-up', 'No more YouTube searches this hour. The library and pasted links still work.'],
  ['day-used-up', 'No more YouTube searches today. The library and pasted links still work.'],
] as const)('a search that YouTube was not asked says what is used up: %s', async (status, sentence) => {
  const { server } = await openVideo({
    prepare: (stand) => stand.on('catalogue/search', () => ok({ status, items: [item('c')] })),
  });
  await field('Search videos').fill('tea');
  await userEvent.keyboard('{Enter}');
  await shown(results().getByText(sentence));
  await shown(results().getByText('Track c'));
  server.on('catalogue/search', () => ok({ status, items: [] }));
  await field('Search videos').fill('coffee');
  await userEvent.keyboard('{Enter}');
  await gone(results().getByText('Track c'));
  await shown(results().getByText(sentence));
  await gone(results().getByText('No results found'));
});

test.each([
  [refused('limit/too-many', { retryAfterMs: 20_000 }), 'Too many requests. Try again in 20 seconds.'],
  [refused('server/unavailable'), "Can't reach the server. Check your connection and try again."],
  [refused('server/failed'), 'No results found'],
])('a search that was not made says why, one that failed found nothing: %o', async (answer, sentence) => {
  await openVideo({ prepare: (server) => server.on('catalogue/search', () => answer) });
  await field('Search videos').fill('tea');
  await userEvent.keyboard('{Enter}');
  await shown(results().getByText(sentence));
});

test('a title longer than its place scrolls, and can be read by the keyboard', async () => {
  await letThingsMove();
  const title = 'A title that is far longer than the place it has '.repeat(4).trim();
  await openVideo({ playing: { tracks: [aTrack('a', { title })] } });
  const belt = player().getByText(title).first();
  await expect.poll(() => belt.element().closest<HTMLElement>('[class*="marquee"]')?.tabIndex).toBe(0);
  await expectAccessible();
});

test('a track that the browser does not start without a tap waits for one', async () => {
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException('a tap is needed', 'NotAllowedError'));
  try {
    await openVideo({ isHost: false, playing: { tracks: [aTrack('a')], isPlaying: true, controller: 'another tab' } });
    await shown(button('Tap to listen'));
    await shown(words('Silent'));
    await expectAccessible();
  } finally {
    HTMLMediaElement.prototype.play = play;
  }
  await button('Tap to listen').click();
  await gone(button('Tap to listen'));
});

test('a pending search is not sent twice', async () => {
  const room = await openVideo({ prepare: (server) => server.on('catalogue/search', silence) });
  await field('Search videos').fill('tea');
  await userEvent.keyboard('{Enter}');
  await shown(words('Searching...'));
  await userEvent.keyboard('{Enter}');
  expect(room.server.asked('catalogue/search')).toHaveLength(1);
});

test('a press of the host shows at once, and is undone when the server refuses it', async () => {
  const answer = Promise.withResolvers<void>();
  await openVideo({
    prepare: (server) =>
      server.on('playback/write', async () => {
        await answer.promise;
        return refused('server/unavailable');
      }),
  });
  await button('Play').click();
  await shown(button('Pause'));
  answer.resolve();
  await shown(button('Play'));
});

/** Writes of a host that name tracks: a seek is for one track alone, and a list is added in one write. */
import { limits, type PlaybackIntent, type StreamId } from '@tunemate/protocol';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import {
  openSocketWorld,
  playbackSent,
  type Room,
  type SocketWorld,
  type Tab,
} from '@tunemate/testkit/worlds/socket-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

describeEachDialect('writes of the host', (makeDatabaseUrl) => {
  let w: SocketWorld;
  let host: Tab;
  let guest: Tab;
  let room: Room;
  let stream: StreamId;

  beforeAll(async () => {
    w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
  });
  afterAll(() => w.close());
  beforeEach(async () => {
    [host, guest] = [await w.arrive('Mara'), await w.arrive('Ivo')];
    ({ room, stream } = await w.roomWith(host, 'video', guest));
    valueOf(await host.ask('playback/takeControl', { ...room, tabId: host.tabId }));
  });

  const write = (intent: PlaybackIntent, clientId = newClientId()) =>
    host.ask('playback/write', { ...room, tabId: host.tabId, clientId, intent });
  const seek = (n: number, currentTime: number) => write({ type: 'seek', videoId: trackOf(n).videoId, currentTime });
  const received = () => playbackSent(guest, stream);
  const titles = async () => {
    const { playback } = valueOf(await guest.ask('rooms/enter', room));
    return (playback.kind === 'video' ? playback.videoQueue : playback.audioQueue).map(({ title }) => title);
  };

  test('a seek that arrives after the track has changed does not move the new track', async () => {
    valueOf(await write({ type: 'choose', track: trackOf(1, 300) }));
    valueOf(await write({ type: 'enqueue', track: trackOf(2, 300) }));
    valueOf(await seek(1, 200));
    const { revision } = valueOf(await write({ type: 'next' }));
    expect(valueOf(await seek(1, 220)).revision).toBe(revision);
    const paused = valueOf(await write({ type: 'pause' })).revision;
    await expect.poll(() => received().at(-1)?.revision).toBe(paused);
    expect(received().at(-1)).toMatchObject({ revision: revision + 1, currentIndex: 1, currentTime: 0 });
    valueOf(await seek(2, 30));
    await expect.poll(() => received().at(-1)?.currentTime).toBe(30);
  });

  test('a track starts at once after the clock was a day ahead and is set right', async () => {
    const dayMs = 24 * 60 * 60 * 1000;
    // As the writes of that day have left them.
    await w.db
      .updateTable('streams')
      .set({ at_ms: w.clock.now() + dayMs })
      .execute();
    const { revision } = valueOf(await write({ type: 'choose', track: trackOf(1, 300) }));
    await expect.poll(() => received().at(-1)?.revision).toBe(revision);
    expect((received().at(-1)?.updatedAt ?? Infinity) - w.clock.now()).toBeLessThan(10_000);
    const paused = valueOf(await write({ type: 'pause' })).revision;
    await expect.poll(() => received().at(-1)?.revision).toBe(paused);
    expect((received().at(-1)?.updatedAt ?? Infinity) - w.clock.now()).toBeLessThan(10_000);
  });

  test('many seeks at once are applied or refused by the limit, and the last applied one is stored', async () => {
    valueOf(await write({ type: 'choose', track: trackOf(1, 300) }));
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => seek(1, n + 1)));
    expect(answers.map(codeOf)).toEqual(answers.map(() => 'ok'));
    const revisions = answers.map((answer) => valueOf(answer).revision);
    await expect.poll(() => received().at(-1)?.revision).toBe(Math.max(...revisions));
    expect(guest.gaps).toEqual([]);
    const { playback } = valueOf(await guest.ask('rooms/enter', room));
    expect(playback.currentTime).toBe(received().at(-1)?.currentTime);
  });

  test('a list is added in one change, in its order, and once only for one client id', async () => {
    const { revision } = valueOf(await write({ type: 'choose', track: trackOf(1) }));
    await expect.poll(() => received().at(-1)?.revision).toBe(revision);
    const before = received().length;
    const clientId = newClientId();
    const items = [2, 3, 4, 5].map((n) => trackOf(n));
    const answer = await write({ type: 'enqueueAll', items }, clientId);
    expect(valueOf(answer).added).toBe(4);
    expect(await write({ type: 'enqueueAll', items }, clientId)).toEqual(answer);
    expect(await titles()).toEqual(['Track 1', 'Track 2', 'Track 3', 'Track 4', 'Track 5']);
    await expect
      .poll(() =>
        received()
          .slice(before)
          .map(({ type }) => type),
      )
      .toEqual(['playback/queueChanged']);
  });

  test('of a list that is longer than the room left, the first items are added, and none to a full queue', async () => {
    valueOf(await write({ type: 'choose', track: trackOf(1) }));
    const many = (from: number, count: number) => Array.from({ length: count }, (_, n) => trackOf(from + n));
    for (let n = 0; n < 3; n += 1) valueOf(await write({ type: 'enqueueAll', items: many(2 + n * 65, 65) }));
    const answer = valueOf(await write({ type: 'enqueueAll', items: many(500, 10) }));
    expect(answer.added).toBe(4);
    const queued = await titles();
    expect([queued.length, queued.at(-1)]).toEqual([limits.queueItems, 'Track 503']);
    expect(codeOf(await write({ type: 'enqueueAll', items: many(600, 2) }))).toBe('playback/queue-full');
    expect((await titles()).length).toBe(limits.queueItems);
  });

  test('the first of a list that is added to an empty queue is cued and does not start', async () => {
    valueOf(await write({ type: 'enqueueAll', items: [trackOf(7), trackOf(8)] }));
    await expect.poll(() => received().at(-1)).toMatchObject({ isPlaying: false, currentTime: 0, currentIndex: 0 });
    expect(await titles()).toEqual(['Track 7', 'Track 8']);
  });
});

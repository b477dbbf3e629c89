import { type PlaybackIntent, type RoomId, type StreamId, type RoomKind, roomStream } from '@tunemate/protocol';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import {
  openSocketWorld,
  playbackSent,
  type Room,
  type SocketWorld,
  type Tab,
} from '@tunemate/testkit/worlds/socket-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { createLog } from '../system/logging.ts';
import { trackEnds } from './room-timers.ts';

/** The end of a track without any page that reports it, over real sockets. The time is the test's own. */
describe('track ends', () => {
  let w: SocketWorld;
  beforeAll(async () => {
    w = await openSocketWorld();
  });
  afterAll(() => w.close());

  const trackMs = 300_000;
  let host: Tab;
  let guest: Tab;
  let room: Room;
  let stream: StreamId;
  /** When the first track began. */
  let startMs: number;

  beforeEach(async () => {
    [host, guest] = [await w.arrive('Mara'), await w.arrive('Ivo')];
    ({ room, stream } = await w.roomWith(host, 'video', guest));
    valueOf(await host.ask('playback/takeControl', { ...room, tabId: host.tabId }));
    const { revision } = valueOf(await write({ type: 'choose', track: trackOf(1, trackMs / 1000) }));
    for (const tab of [host, guest]) valueOf(await tab.ask('playback/ready', { ...room, revision }));
    await sent(revision + 1);
    startMs = documents().at(-1)?.updatedAt ?? 0;
    await sent(valueOf(await write({ type: 'enqueue', track: trackOf(2, trackMs / 1000) })).revision);
  });

  const write = (intent: PlaybackIntent) =>
    host.ask('playback/write', { ...room, tabId: host.tabId, clientId: newClientId(), intent });
  const documents = () => playbackSent(host, stream);
  const sent = (revision: number) => expect.poll(() => documents().at(-1)?.revision).toBe(revision);

  /**
   * Lets time pass until so long before the end, and changes something else, which makes the process look at its clock.
   */
  async function untilEnd(leftMs: number): Promise<number> {
    w.clock.advance(startMs + trackMs - leftMs - w.clock.now());
    return valueOf(await write({ type: 'enqueue', track: trackOf(9, trackMs / 1000) })).revision;
  }

  test('the next track of the library begins for all when the one before it ends, whatever the host’s page does (GAP-1)', async () => {
    const { revision: before } = documents().at(-1) ?? { revision: 0 };
    const revision = await untilEnd(900);
    expect(revision).toBe(before + 1);
    await sent(revision + 1);
    const next = { currentIndex: 1, isPlaying: true, currentTime: 0, updatedAt: startMs + trackMs };
    expect(documents().at(-1)).toMatchObject(next);
    expect(playbackSent(guest, stream).at(-1)).toMatchObject(next);
  });

  test('the host’s own report of the same end changes nothing more (GAP-1)', async () => {
    const revision = await untilEnd(900);
    await sent(revision + 1);
    expect(valueOf(await write({ type: 'ended', revision })).revision).toBe(revision + 1);
  });

  test('a next track that no page had time to load waits at the end of the one before until all have loaded it (GAP-4)', async () => {
    const { revision: atFirst } = valueOf(
      await write({ type: 'move', from: 1, to: 0, videoId: `lib_${'2'.padStart(16, '0')}` as never }),
    );
    await sent(atFirst);
    const early = await untilEnd(900);
    await sent(early);
    const revision = await untilEnd(-1);
    await sent(revision + 1);
    expect(documents().at(-1)).toMatchObject({ isPlaying: true, currentTime: 0, updatedAt: w.clock.now() + 3000 });
    for (const tab of [host, guest]) valueOf(await tab.ask('playback/ready', { ...room, revision: revision + 1 }));
    await sent(revision + 2);
    expect(documents().at(-1)?.updatedAt).toBeLessThan(w.clock.now() + 3000);
  });

  test('a proposal that the host adds has as long to load as what the host adds, and begins without a gap (GAP-1)', async () => {
    const { videoId } = trackOf(2);
    await sent(valueOf(await write({ type: 'remove', index: 1, videoId })).revision);
    const track = trackOf(3, trackMs / 1000);
    valueOf(await guest.ask('rooms/propose', { ...room, clientId: newClientId(), track }));
    const proposals = valueOf(await host.ask('rooms/enter', room)).room.proposals;
    const add = { ...room, clientId: newClientId(), proposalId: proposals[0]?.id ?? '' };
    valueOf(await host.ask('rooms/addProposal', add));
    const revision = await untilEnd(900);
    await sent(revision + 1);
    const next = { currentIndex: 1, isPlaying: true, currentTime: 0, updatedAt: startMs + trackMs };
    expect(documents().at(-1)).toMatchObject(next);
  });

  test('a pause before the end is the last word (GAP-4)', async () => {
    w.clock.advance(startMs + trackMs - 1500 - w.clock.now());
    const { revision } = valueOf(await write({ type: 'pause' }));
    expect(await untilEnd(900)).toBe(revision + 1);
    await sent(revision + 1);
    expect(documents().at(-1)).toMatchObject({ currentIndex: 0, isPlaying: false });
  });

  test('a change at the end of a track that fails, because the database is away, is tried again', async () => {
    const timers = trackEnds({
      clock: w.clock,
      log: createLog('silent'),
      change: () => {
        tries += 1;
        return tries === 1 ? Promise.reject(new Error('the database is away')) : Promise.resolve(true);
      },
      retryMs: 20,
    });
    let tries = 0;
    const queue = {
      videoQueue: [
        { ...trackOf(1, 1), thumbnail: null },
        { ...trackOf(2), thumbnail: null },
      ],
      currentIndex: 0,
    };
    const timeline = {
      revision: 1,
      trackKey: trackOf(1).videoId,
      isPlaying: true,
      positionSeconds: 0,
      atServerMs: w.clock.now() - 5000,
    };
    const room = { kind: 'video' as const, roomId: 'R'.repeat(22) as RoomId };
    timers.watch(room, { timeline, queue, controller: null, afterTrack: 'queue' });
    await expect.poll(() => tries).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(tries).toBe(2);
    timers.close();
  });
});

/** The end of a track whose timer was on a process that is gone: another process, or the next one, changes it. */
describeEachDialect('the end of a track after its process', (makeDatabaseUrl, dialect) => {
  const trackMs = 300_000;
  /** How long after its end a room goes on at the latest. */
  const goesOnWithinMs = 6000;

  /** A video room plays its queue, an audio room stops at the beginning. */
  const afterTheEnd: Record<RoomKind, object> = {
    video: { currentIndex: 1, isPlaying: true, currentTime: 0 },
    audio: { currentIndex: 0, isPlaying: false, currentTime: 0 },
  };

  const kind = kindOn(dialect);
  const worlds: SocketWorld[] = [];
  afterEach(async () => {
    await Promise.all(worlds.splice(0).map((world) => world.close()));
  });

  /** Processes on one database and one clock. */
  async function processes() {
    const [databaseUrl, clock] = [await makeDatabaseUrl(), createFakeClock()];
    return async () => {
      const world = await openSocketWorld({ databaseUrl, clock });
      worlds.push(world);
      return world;
    };
  }

  /** A room that plays two tracks, its host on one process and its guest on `elsewhere`. */
  async function playing(one: SocketWorld, elsewhere: SocketWorld) {
    const [host, guest] = [await one.arrive('Mara'), await elsewhere.arrive('Ivo')];
    const room = await one.room(host, kind);
    await one.letIn(host, guest, room);
    const stream = roomStream(valueOf(await host.ask('rooms/enter', room)).room.roomId);
    valueOf(await guest.ask('rooms/enter', room));
    valueOf(await host.ask('playback/takeControl', { ...room, tabId: host.tabId }));
    for (const intent of [
      { type: 'choose', track: trackOf(1, trackMs / 1000) },
      { type: 'enqueue', track: trackOf(2, trackMs / 1000) },
    ] as const) {
      valueOf(await host.ask('playback/write', { ...room, tabId: host.tabId, clientId: newClientId(), intent }));
    }
    return { room, stream, guest };
  }

  const stop = async (world: SocketWorld) => {
    worlds.splice(worlds.indexOf(world), 1);
    await world.close();
  };

  test('a process beside it changes the track once, within seconds, while no page of the host runs (GAP-1)', async () => {
    const open = await processes();
    const [one, two] = [await open(), await open()];
    const { guest, stream } = await playing(one, two);
    await stop(one);
    two.clock.advance(trackMs - 1000);
    await two.app.app.runBackground();
    const before = playbackSent(guest, stream).length;
    two.clock.advance(1000 + goesOnWithinMs);
    const third = await open();
    await Promise.all([two.app.app.runBackground(), third.app.app.runBackground()]);
    await two.app.app.runBackground();
    await expect.poll(() => playbackSent(guest, stream).length).toBe(before + 1);
    expect(playbackSent(guest, stream).at(-1)).toMatchObject(afterTheEnd[kind]);
  });

  test('the process that starts after it changes the track once a listener is back (GAP-1)', async () => {
    const open = await processes();
    const one = await open();
    const { guest, room, stream } = await playing(one, one);
    await stop(one);
    const next = await open();
    const back = await next.connect(guest);
    next.clock.advance(trackMs + goesOnWithinMs);
    valueOf(await back.ask('rooms/enter', room));
    await next.app.app.runBackground();
    await expect.poll(() => playbackSent(back, stream).at(-1)).toMatchObject(afterTheEnd[kind]);
  });
});

import { isPlaybackChange, playbackOfDocument } from '@tunemate/domain';
import { applyPlaybackChange, type RoomPlayback } from '@tunemate/playback';
import { type PlaybackIntent, roomKinds, type StreamId, type Track, roomStream, limits } from '@tunemate/protocol';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import {
  openSocketWorld,
  playbackSent,
  type Room,
  type SocketWorld,
  type Tab,
} from '@tunemate/testkit/worlds/socket-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { openRoomWorld } from '@tunemate/testkit/worlds/room-world';
import type { Caller } from '../access/caller.ts';
import { deleteConnections, insertConnections } from '../presence/connections-store.ts';
import { keepAnswer } from '../storage/idempotency.ts';
import type { Writing } from '../storage/record.ts';
import type { Db, RoomRef } from '../storage/schema.ts';
import { playbackService } from './playback-service.ts';

/** Control of playback over sockets: one tab of the host at a time, the same changes for everyone. */
describe('control', () => {
  let w: SocketWorld;
  beforeAll(async () => {
    w = await openSocketWorld();
  });
  afterAll(() => w.close());

  describe.each(roomKinds)('in rooms of kind %s', (kind) => {
    let host: Tab;
    let guest: Tab;
    let room: Room;
    let stream: StreamId;

    const write = (tab: Tab, intent: PlaybackIntent, clientId = newClientId()) =>
      tab.ask('playback/write', { ...room, tabId: tab.tabId, clientId, intent });
    const sent = (tab: Tab) => playbackSent(tab, stream);

    async function stage(): Promise<void> {
      [host, guest] = [await w.arrive('Mara'), await w.arrive('Ivo')];
      ({ room, stream } = await w.roomWith(host, kind, guest));
      valueOf(await host.ask('playback/takeControl', { ...room, tabId: host.tabId }));
      valueOf(await write(host, { type: 'choose', track: trackOf(1, 300) }));
      await expect.poll(() => sent(guest)).toHaveLength(2);
    }

    test('a second tab of the host writes nothing until it takes over, and then the first does not (HOST-3)', async () => {
      await stage();
      const second = await w.connect(host);
      expect(codeOf(await write(second, { type: 'pause' }))).toBe('playback/lease-lost');
      expect(codeOf(await write(second, { type: 'seek', videoId: trackOf(1).videoId, currentTime: 5 }))).toBe(
        'playback/lease-lost',
      );
      valueOf(await second.ask('playback/takeControl', { ...room, tabId: second.tabId }));
      await expect.poll(() => sent(host).at(-1)?.controller).toBe(second.tabId);
      // Asking for what one has changes nothing, and sends no change.
      const again = valueOf(await second.ask('playback/takeControl', { ...room, tabId: second.tabId }));
      expect(again.revision).toBe(sent(host).at(-1)?.revision);
      expect(codeOf(await write(host, { type: 'pause' }))).toBe('playback/lease-lost');
      expect(codeOf(await write(host, { type: 'seek', videoId: trackOf(1).videoId, currentTime: 5 }))).toBe(
        'playback/lease-lost',
      );
      valueOf(await write(second, { type: 'pause' }));
      await expect.poll(() => sent(guest).at(-1)?.isPlaying).toBe(false);
    });

    test('only a tab that is in the room, or lost its connection a moment ago, holds control (HOST-18)', async () => {
      await stage();
      const second = await w.connect(host);
      valueOf(await second.ask('rooms/enter', room));
      const ask = () => second.ask('playback/takeControl', { ...room, tabId: second.tabId, onlyIfFree: true });
      expect(codeOf(await ask())).toBe('playback/lease-lost');
      host.cut();
      const cutOff = w.db.selectFrom('connections').select('grace_until_ms').where('tab_id', '=', host.tabId);
      await expect.poll(async () => (await cutOff.executeTakeFirst())?.grace_until_ms).toEqual(expect.any(Number));
      expect(codeOf(await ask())).toBe('playback/lease-lost');
      await w.pass(41_000);
      valueOf(await ask());
      await expect.poll(() => sent(second).at(-1)?.controller).toBe(second.tabId);
    });

    test('a tab that left the room, or said goodbye, holds control no more (HOST-18)', async () => {
      await stage();
      const second = await w.connect(host);
      valueOf(await second.ask('rooms/enter', room));
      valueOf(await host.ask('rooms/close', room));
      valueOf(await second.ask('playback/takeControl', { ...room, tabId: second.tabId, onlyIfFree: true }));
      const third = await w.connect(host);
      valueOf(await third.ask('rooms/enter', room));
      const ask = () => third.ask('playback/takeControl', { ...room, tabId: third.tabId, onlyIfFree: true });
      expect(codeOf(await ask())).toBe('playback/lease-lost');
      second.leave();
      await expect.poll(async () => codeOf(await ask())).toBe('ok');
    });

    test('naming the controlling tab does not make its user the host (HOST-4)', async () => {
      await stage();
      const payload = { ...room, tabId: host.tabId, clientId: newClientId(), intent: { type: 'pause' } } as const;
      expect(codeOf(await guest.ask('playback/write', payload))).toBe('room/host-only');
      expect(codeOf(await guest.ask('playback/takeControl', { ...room, tabId: guest.tabId }))).toBe('room/host-only');
    });

    test('revisions rise by one, and every member receives the same documents (HOST-7)', async () => {
      await stage();
      const intents = ['pause', 'play', 'pause', 'play'] as const;
      for (const type of intents) valueOf(await write(host, { type }));
      await expect.poll(() => sent(guest).length).toBe(sent(host).length);
      expect(sent(guest)).toEqual(sent(host));
      const revisions = sent(guest).map(({ revision }) => revision);
      expect(revisions).toEqual(revisions.map((_, index) => (revisions[0] ?? 0) + index));
    });

    test('a member who applied every change holds what a snapshot holds (SYNC-S22)', async () => {
      await stage();
      const start = valueOf(await guest.ask('rooms/enter', room));
      const before = sent(guest).length;
      const intents: PlaybackIntent[] = [2, 3, 4].map((n) => ({ type: 'enqueue', track: trackOf(n, 300) }));
      const { videoId } = trackOf(3, 300);
      intents.push({ type: 'move', from: 2, to: 0, videoId }, { type: 'next' }, { type: 'pause' });
      intents.push(
        { type: 'remove', index: 0, videoId },
        { type: 'choose', track: trackOf(4, 300) },
        { type: 'previous' },
      );
      for (const intent of intents) await write(host, intent);
      const { playback } = valueOf(await guest.ask('rooms/enter', room));
      await expect.poll(() => sent(guest).at(-1)?.revision).toBe(playback.revision);
      const changes = guest.changes(stream).filter(isPlaybackChange).slice(before);
      const copy = changes.reduce<RoomPlayback<Track>>((known, change) => {
        const received = applyPlaybackChange(known, change);
        return received.status === 'applied' ? received.playback : known;
      }, playbackOfDocument(start.playback));
      expect(copy).toEqual(playbackOfDocument(playback));
      expect(changes.some(({ type }) => type === 'playback/queueChanged')).toBe(true);
    });

    test('the same client id is one write; another intent under it is a conflict (HOST-8)', async () => {
      await stage();
      const clientId = newClientId();
      const [first, second] = [
        await write(host, { type: 'pause' }, clientId),
        await write(host, { type: 'pause' }, clientId),
      ];
      expect(second).toEqual(first);
      expect(codeOf(await write(host, { type: 'play' }, clientId))).toBe('input/conflict');
      const taker = await w.connect(host);
      valueOf(await taker.ask('playback/takeControl', { ...room, tabId: taker.tabId }));
      // A new write would be refused; this one was accepted before.
      expect(await write(host, { type: 'pause' }, clientId)).toEqual(first);
      const other = await w.room(host, kind, 'Other');
      valueOf(await host.ask('playback/takeControl', { ...other, tabId: host.tabId }));
      const elsewhere = { ...other, tabId: host.tabId, clientId, intent: { type: 'pause' } } as const;
      expect(codeOf(await host.ask('playback/write', elsewhere))).toBe('input/conflict');
    });

    test('the music starts as soon as everyone inside has loaded, and departed connections are not waited for (HOST-9)', async () => {
      await stage();
      const departed = await w.arrive('Theo');
      await w.letIn(host, departed, room);
      valueOf(await departed.ask('rooms/enter', room));
      valueOf(await departed.ask('rooms/leave', room));
      const { revision } = valueOf(await write(host, { type: 'choose', track: trackOf(2, 300) }));
      await expect.poll(() => sent(guest).at(-1)?.revision).toBe(revision);
      const latest = sent(guest).at(-1)?.updatedAt ?? 0;
      for (const tab of [host, guest]) valueOf(await tab.ask('playback/ready', { ...room, revision }));
      await expect.poll(() => sent(guest).at(-1)?.revision).toBe(revision + 1);
      expect(sent(guest).at(-1)?.updatedAt).toBeLessThan(latest);
    });
  });
});

/** What follows a change of playback, also one that the database undid and that is tried again. On both databases. */
describeEachDialect('what follows a change of playback', (makeDatabaseUrl) => {
  /** A page of this person is in the room. */
  const putInto = (db: Db, { connectionId, uid, tabId }: Caller, room: RoomRef) =>
    insertConnections(db, [
      { connection_id: connectionId, uid, tab_id: tabId, process_id: 'one', opened_at_ms: 0, room },
    ]);

  let w: Awaited<ReturnType<typeof stage>>;
  beforeEach(async () => {
    w = await stage();
  });
  afterEach(() => w.close());

  /** A room that plays the first of two tracks, and a service that notes what it has watched and held. */
  async function stage() {
    const world = await openRoomWorld(await makeDatabaseUrl());
    const host = await world.person('Mara');
    const room = await world.roomOf(host, 'video');
    const { roomId } = valueOf(await world.handlers['rooms/enter'](host, room)).room;
    valueOf(await world.handlers['playback/takeControl'](host, { ...room, tabId: host.tabId }));
    const ask = { ...room, tabId: host.tabId };
    for (const [type, n] of [
      ['choose', 1],
      ['enqueue', 2],
    ] as const) {
      const intent = { type, track: trackOf(n) };
      valueOf(await world.handlers['playback/write'](host, { ...ask, clientId: newClientId(), intent }));
    }
    // The first track is near its end.
    world.clock.advance(89_000);
    const followed: string[] = [];
    await putInto(world.database.db, host, { kind: room.kind, roomId });
    const service = playbackService({
      ...world,
      barrier: { hold: (_held, revision) => void followed.push(`held ${String(revision)}`) },
      trackEnds: { watch: (_room, { timeline }) => void followed.push(`watched ${String(timeline.revision)}`) },
      roundTrips: { note: () => undefined },
      hearing: { follow: () => Promise.resolve() },
      suggestAfter: () => Promise.resolve([]),
      announceReady: () => undefined,
      noteDrift: () => undefined,
      votersIn: () => Promise.resolve(null),
      mayPlay: () => true,
    });
    const { revision } = valueOf(await world.handlers['rooms/enter'](host, room)).playback;
    return { ...world, host, room, name: { kind: room.kind, roomId }, ask, service, followed, revision };
  }

  /** The host's command to go on to the next track. */
  async function next(clientId = newClientId()) {
    const member = w.rooms.resolve(w.host, w.room, 'host');
    return await w.service.handlers['playback/write'](member, { ...w.ask, clientId, intent: { type: 'next' } });
  }

  /** The next write is undone once, and `meanwhile` has happened when it runs again. */
  function undoOnce(meanwhile: (writing: Writing) => Promise<void>): void {
    const { record } = w;
    const write = record.write.bind(record);
    let runs = 0;
    record.write = (streams, work) =>
      write(streams, async (writing) => {
        runs += 1;
        if (runs === 2) await meanwhile(writing);
        const value = await work(writing);
        if (runs === 1) throw Object.assign(new Error('aborted'), { code: '40001' });
        return value;
      });
  }

  test('a next track that waited for players in what was undone, and needs not wait now, is not held', async () => {
    let looks = 0;
    undoOnce(() => Promise.resolve());
    const isWatched = await w.service.changeAtEnd(w.name, () => {
      looks += 1;
      return { endMs: w.clock.now(), isNextLoaded: looks === 2 };
    });
    expect(isWatched).toBe(true);
    expect([looks, w.followed]).toEqual([2, [`watched ${String(w.revision + 1)}`]]);
  });

  test('a command that was undone, and meanwhile answered elsewhere, is not followed here', async () => {
    const [clientId, intent] = [newClientId(), { type: 'next' } as const];
    const body = ['playback/write', w.room.kind, w.room.code, w.host.tabId, intent];
    undoOnce(async (writing) => void (await keepAnswer(writing, w.host.uid, clientId, body, { revision: 99 })));
    const answer = await next(clientId);
    expect([answer, w.followed]).toEqual([{ ok: true, value: { revision: 99 } }, []]);
  });

  test('a press whose answer a version before 1.0.0 stored, under the id of the room, is answered with that', async () => {
    const clientId = newClientId();
    const body = ['playback/write', w.name.roomId, w.host.tabId, { type: 'next' }];
    const { roomId } = w.name;
    await w.record.write([], (writing) =>
      keepAnswer(writing, w.host.uid, clientId, body, { revision: 99 }, { roomId }),
    );
    expect([await next(clientId), w.followed]).toEqual([{ ok: true, value: { revision: 99 } }, []]);
    const other = { ...w.ask, clientId, intent: { type: 'previous' } } as const;
    expect(codeOf(await w.handlers['playback/write'](w.host, other))).toBe('input/conflict');
  });

  test('a command that was undone and made again is followed once', async () => {
    undoOnce(() => Promise.resolve());
    const { revision } = valueOf(await next());
    expect(w.followed).toEqual([`watched ${String(revision)}`, `held ${String(revision)}`]);
    expect(await w.record.head(roomStream(w.name.roomId))).toBeGreaterThan(0);
  });

  test('a start that was held ends sooner once it is released, and its end is watched anew (GAP-1)', async () => {
    const { revision } = valueOf(await next());
    const { updatedAt } = valueOf(await w.handlers['rooms/enter'](w.host, w.room)).playback;
    w.followed.length = 0;
    await w.service.release({ room: w.name, heldUntilMs: updatedAt });
    expect(w.followed).toEqual([`watched ${String(revision + 1)}`]);
    // Released a second time, as by another process, it is as it was.
    await w.service.release({ room: w.name, heldUntilMs: updatedAt });
    expect(valueOf(await w.handlers['rooms/enter'](w.host, w.room)).playback.revision).toBe(revision + 1);
  });

  test('the end of a track is watched no more once the room is empty or over (GAP-1)', async () => {
    const end = () => ({ endMs: w.clock.now(), isNextLoaded: true });
    await deleteConnections(w.database.db, [w.host.connectionId]);
    expect(await w.service.changeAtEnd(w.name, end)).toBe(false);
    await putInto(w.database.db, w.host, w.name);
    expect(await w.service.changeAtEnd(w.name, () => null)).toBe(true);
    valueOf(await w.handlers['rooms/leave'](w.host, { ...w.room, ends: true }));
    expect(await w.service.changeAtEnd(w.name, end)).toBe(false);
  });
});

/** Writes of a host that name tracks: a seek is for one track alone, and a list is added in one write. */
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

/** What follows a change of playback, also one that the database undid and that is tried again. On both databases. */
import { roomStream } from '@tunemate/protocol';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { openRoomWorld } from '@tunemate/testkit/worlds/room-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Caller } from '../access/caller.ts';
import { deleteConnections, insertConnections } from '../presence/connections-store.ts';
import { keepAnswer } from '../storage/idempotency.ts';
import type { Writing } from '../storage/record.ts';
import type { Db, RoomRef } from '../storage/schema.ts';
import { playbackService } from './playback-service.ts';

/** A page of this person is in the room. */
const putInto = (db: Db, { connectionId, uid, tabId }: Caller, room: RoomRef) =>
  insertConnections(db, [
    { connection_id: connectionId, uid, tab_id: tabId, process_id: 'one', opened_at_ms: 0, room },
  ]);

describeEachDialect('what follows a change of playback', (makeDatabaseUrl) => {
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
    const body = ['playback/write', w.name.roomId, w.host.tabId, intent];
    undoOnce(async (writing) => void (await keepAnswer(writing, w.host.uid, clientId, body, { revision: 99 })));
    const answer = await next(clientId);
    expect([answer, w.followed]).toEqual([{ ok: true, value: { revision: 99 } }, []]);
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

  test('the end of a track is watched no more once nobody is there or the room is over (GAP-1)', async () => {
    const end = () => ({ endMs: w.clock.now(), isNextLoaded: true });
    await deleteConnections(w.database.db, [w.host.connectionId]);
    expect(await w.service.changeAtEnd(w.name, end)).toBe(false);
    await putInto(w.database.db, w.host, w.name);
    expect(await w.service.changeAtEnd(w.name, () => null)).toBe(true);
    valueOf(await w.handlers['rooms/leave'](w.host, { ...w.room, ends: true }));
    expect(await w.service.changeAtEnd(w.name, end)).toBe(false);
  });
});

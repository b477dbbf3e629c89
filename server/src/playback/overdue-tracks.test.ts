/** The end of a track whose timer was on a process that is gone: another process, or the next one, changes it. */
import { type RoomKind, roomStream } from '@tunemate/protocol';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { openSocketWorld, playbackSent, type SocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { afterEach, expect, test } from 'vitest';

const trackMs = 300_000;
/** How long after its end a room goes on at the latest. */
const goesOnWithinMs = 6000;

/** A video room plays its queue, an audio room stops at the beginning. */
const afterTheEnd: Record<RoomKind, object> = {
  video: { currentIndex: 1, isPlaying: true, currentTime: 0 },
  audio: { currentIndex: 0, isPlaying: false, currentTime: 0 },
};

describeEachDialect('the end of a track after its process', (makeDatabaseUrl, dialect) => {
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

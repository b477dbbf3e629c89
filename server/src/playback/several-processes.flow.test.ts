/** Playback over two processes on one PostgreSQL and one Redis: as on one, however wrong the clock of a machine is. */
import { ClockOffset, positionAt } from '@tunemate/playback';
import { roomStream, type StreamId } from '@tunemate/protocol';
import { afterAll, afterEach, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '@tunemate/testkit/fake-clock';
import { percentile } from '@tunemate/testkit/percentile';
import { createDatabase, type TestDatabase } from '@tunemate/testkit/services/postgres';
import { describeWithService, requestService } from '@tunemate/testkit/services/request-service';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import {
  openSocketWorld,
  playbackSent,
  type Room,
  type SocketWorld,
  type Tab,
} from '@tunemate/testkit/worlds/socket-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { databaseNowMs } from '../storage/database-clock.ts';

const hourMs = 3_600_000;

async function startServices() {
  const [redis, postgres] = await Promise.all([requestService('redis'), requestService('postgres')]);
  return { url: postgres.url, redis: redis.url };
}

/** The clock of a machine that is wrong, and goes on by itself. */
function wrongClock(aheadMs: number): FakeClock {
  const nowMs = () => Date.now() + aheadMs;
  return { ...createFakeClock(), now: nowMs, preciseNow: () => performance.timeOrigin + performance.now() + aheadMs };
}

describeWithService('playback on two processes', startServices, ({ url, redis }) => {
  const databases: TestDatabase[] = [];
  let worlds: SocketWorld[] = [];
  afterEach(async () => {
    await Promise.all(worlds.map((world) => world.close()));
    worlds = [];
  });
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.drop()));
  });

  async function twoProcesses(options: { clocks: readonly [FakeClock, FakeClock]; hasSharedTime?: boolean }) {
    const database = await createDatabase(url);
    databases.push(database);
    const { clocks, hasSharedTime = false } = options;
    const open = (clock: FakeClock) =>
      openSocketWorld({ databaseUrl: database.url, env: { REDIS_URL: redis }, clock, hasSharedTime });
    const one = await open(clocks[0]);
    const two = await open(clocks[1]);
    worlds = [one, two];
    return { one, two };
  }

  /** A room of a host on the first process and a guest on the given one. */
  async function stage(one: SocketWorld, elsewhere: SocketWorld) {
    const [host, guest] = [await one.arrive('Mara'), await elsewhere.arrive('Ivo')];
    const room = await one.room(host, 'video');
    await one.letIn(host, guest, room);
    const stream = roomStream(valueOf(await host.ask('rooms/enter', room)).room.roomId);
    valueOf(await guest.ask('rooms/enter', room));
    valueOf(await host.ask('playback/takeControl', { ...room, tabId: host.tabId }));
    // What is still on its way would be taken for the change that a test waits for.
    for (const tab of [host, guest]) await expect.poll(() => documents(tab, stream).at(-1)?.revision).toBe(1);
    return { host, guest, room, stream };
  }

  const documents = playbackSent;
  const choose = async (host: Tab, room: Room, n: number): Promise<number> => {
    const intent = { type: 'choose', track: trackOf(n) } as const;
    return valueOf(await host.ask('playback/write', { ...room, tabId: host.tabId, clientId: newClientId(), intent }))
      .revision;
  };

  /** Changes the track; both report it loaded as soon as they hear of it. How long after the change it starts. */
  async function startsAfterMs({ host, guest, room, stream }: Awaited<ReturnType<typeof stage>>, n: number) {
    const load = async (tab: Tab): Promise<void> => {
      const known = documents(tab, stream).length;
      await expect.poll(() => documents(tab, stream).length, { interval: 1 }).toBeGreaterThan(known);
      valueOf(await tab.ask('playback/ready', { ...room, revision: documents(tab, stream).at(-1)?.revision ?? 0 }));
    };
    // Else the start before, which the other process may tell later, would count as this change.
    const before = documents(host, stream).at(-1)?.revision;
    await expect.poll(() => documents(guest, stream).at(-1)?.revision, { interval: 1 }).toBe(before);
    const loading = Promise.all([host, guest].map(load));
    const revision = await choose(host, room, n);
    await loading;
    await expect.poll(() => documents(host, stream).at(-1)?.revision, { interval: 1 }).toBe(revision + 1);
    const [changed, released] = documents(host, stream).slice(-2);
    return (released?.updatedAt ?? 0) - ((changed?.updatedAt ?? 0) - 3000);
  }

  test('the round trip of a guest on another process counts (SYNC-3)', async () => {
    const clock = createFakeClock();
    const { one, two } = await twoProcesses({ clocks: [clock, clock] });
    const { host, guest, room, stream } = await stage(one, two);
    valueOf(await guest.ask('clock/probe', { roundTripMs: 310 }));
    const written = one.db.selectFrom('connections').select('round_trip_ms').where('tab_id', '=', guest.tabId);
    await expect.poll(async () => (await written.executeTakeFirst())?.round_trip_ms).toBe(310);
    expect(await startsAfterMs({ host, guest, room, stream }, 1)).toBe(530);
  });

  test('a change of track starts as soon as on one process (SYNC-39)', async () => {
    const { one, two } = await twoProcesses({ clocks: [wrongClock(0), wrongClock(0)], hasSharedTime: true });
    const together = await stage(one, one);
    const apart = await stage(one, two);
    const took = { together: [] as number[], apart: [] as number[] };
    for (let n = 1; n <= 15; n += 1) {
      took.together.push(await startsAfterMs(together, n));
      took.apart.push(await startsAfterMs(apart, n));
    }
    expect(percentile(took.apart, 0.5) / percentile(took.together, 0.5)).toBeLessThanOrEqual(1.2);
  });

  test('listeners on machines whose clocks are hours apart hear the same position (SYNC-40)', async () => {
    const clocks = [wrongClock(3 * hourMs), wrongClock(-5 * hourMs)] as const;
    const { one, two } = await twoProcesses({ clocks, hasSharedTime: true });
    const { host, guest, room, stream } = await stage(one, two);
    const revision = await choose(host, room, 1);
    for (const tab of [host, guest]) await expect.poll(() => documents(tab, stream).at(-1)?.revision).toBe(revision);
    const views = await Promise.all([host, guest].map((tab) => listen(tab, stream)));
    const localMs = performance.now() + 60_000;
    const [here, there] = views.map((view) => view.positionSeconds(localMs));
    expect(here).toBeGreaterThan(50);
    // No two clocks can agree better than the ways between them and the database allow.
    const slackMs = views.reduce((sum, view) => sum + view.tripMs, await longestWayToDatabaseMs([one, two]));
    expect(Math.abs((here ?? 0) - (there ?? 0)) * 1000).toBeLessThanOrEqual(slackMs);
  });

  /** A tab's view of the room: its clock by probes, and the position by the changes it received. */
  async function listen(tab: Tab, stream: StreamId) {
    const clock = new ClockOffset();
    let tripMs = 0;
    for (let probe = 0; probe < 12; probe += 1) {
      const sentAtMs = performance.now();
      const answer = valueOf(await tab.ask('clock/probe', {}));
      const receivedAtMs = performance.now();
      tripMs = Math.max(tripMs, receivedAtMs - sentAtMs);
      clock.addSample({ ...answer, sentAtMs, receivedAtMs });
    }
    const {
      isPlaying,
      revision = 0,
      currentTime: positionSeconds = 0,
      updatedAt: atServerMs = 0,
    } = documents(tab, stream).at(-1) ?? {};
    if (isPlaying === undefined) throw new Error('the server sent no play-head');
    const timeline = { revision, trackKey: 'x', isPlaying, positionSeconds, atServerMs };
    return { tripMs, positionSeconds: (localMs: number) => positionAt(timeline, clock.serverNow(localMs)) };
  }

  async function longestWayToDatabaseMs(all: readonly SocketWorld[]): Promise<number> {
    let sumMs = 0;
    for (const { db } of all) {
      let longestMs = 0;
      for (let question = 0; question < 8; question += 1) {
        const sentAtMs = performance.now();
        await databaseNowMs(db);
        longestMs = Math.max(longestMs, performance.now() - sentAtMs);
      }
      sumMs += longestMs;
    }
    return sumMs;
  }
});

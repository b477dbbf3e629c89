/**
 * Several processes on one PostgreSQL and one Redis: every change reaches the others, and none is lost while Redis is
 * down.
 */
import { createClient } from '@redis/client';
import { roomStream, type StreamId } from '@tunemate/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { createDatabase, type TestDatabase } from '@tunemate/testkit/services/postgres';
import { startRedis } from '@tunemate/testkit/services/redis';
import { describeWithService, requestService } from '@tunemate/testkit/services/request-service';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import {
  openSocketWorld,
  playbackSent,
  type Room,
  type SocketWorld,
  type Tab,
  userChangeTypes,
} from '@tunemate/testkit/worlds/socket-world';

async function startServices() {
  const redis = await startRedis({ own: true });
  const postgres = await requestService('postgres');
  return { url: postgres.url, redis, stop: () => redis.stop() };
}

const say = (tab: Tab, room: Room, text: string) =>
  tab.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text });
const texts = (tab: Tab, stream: StreamId): string[] =>
  tab.changes(stream).flatMap((each) => (each.type === 'rooms/messageSent' ? [each.message.text] : []));

describeWithService('two processes', startServices, ({ url, redis }) => {
  const databases: TestDatabase[] = [];
  /** For tests in which only their own people matter. */
  let shared: Pair;
  let withoutRedis: Pair;
  beforeAll(async () => {
    shared = await twoProcesses();
    withoutRedis = await twoProcesses({ withRedis: false });
  });
  afterAll(async () => {
    for (const { one, two } of [shared, withoutRedis]) await Promise.all([one.close(), two.close()]);
    await Promise.all(databases.map((database) => database.drop()));
  });

  type Pair = Awaited<ReturnType<typeof twoProcesses>>;
  // A process with a clock of its own says nothing while that stands still: its tasks run when the test says so.
  async function twoProcesses({ clocks = 1, withRedis = true, isStill = false } = {}) {
    const database = await createDatabase(url);
    databases.push(database);
    const env = withRedis ? { REDIS_URL: redis.url } : {};
    const first = createFakeClock();
    const one = await openSocketWorld({ databaseUrl: database.url, env, clock: first, isStill });
    const statements: string[] = [];
    const two = await openSocketWorld({
      databaseUrl: database.url,
      onStatement: (statement) => statements.push(statement),
      env,
      clock: clocks === 1 ? first : createFakeClock(),
      isStill,
    });
    return { one, two, statements };
  }
  /** Mara hosts on the first process, Ivo is inside on the second. */
  async function stage(pair: Pair | Promise<Pair> = shared) {
    const { one, two, statements } = await pair;
    const [mara, ivo] = [await one.arrive('Mara'), await two.arrive('Ivo')];
    const room = await one.room(mara, 'video');
    await one.letIn(mara, ivo, room);
    const stream = roomStream(valueOf(await mara.ask('rooms/enter', room)).room.roomId);
    valueOf(await ivo.ask('rooms/enter', room));
    return { one, two, statements, mara, ivo, room, stream };
  }

  test('requests, chat, playback and the end of a room reach the other process (WIRE-30)', async () => {
    const { two, mara, ivo, room, stream } = await stage();
    valueOf(await (await two.arrive('Ada')).ask('rooms/askToJoin', room));
    await expect.poll(() => mara.changes().map(({ type }) => type)).toContain('rooms/requestChanged');
    await expect.poll(() => userChangeTypes(ivo)).toContain('rooms/requestAnswered');
    valueOf(await say(mara, room, 'from one'));
    valueOf(await say(ivo, room, 'from two'));
    for (const tab of [mara, ivo]) await expect.poll(() => texts(tab, stream)).toEqual(['from one', 'from two']);
    valueOf(await mara.ask('playback/takeControl', { ...room, tabId: mara.tabId }));
    await expect.poll(() => playbackSent(ivo, stream).at(-1)?.controller).toBe(mara.tabId);
    valueOf(await mara.ask('rooms/leave', room));
    await expect.poll(() => ivo.changes(stream).at(-1)?.type).toBe('rooms/ended');
    expect([...mara.gaps, ...ivo.gaps]).toEqual([]);
  });

  test('writers on both processes at once make one sequence of numbers without a gap, the same for everyone (WIRE-31)', async () => {
    const { mara, ivo, room, stream } = await stage();
    const all = Array.from({ length: 40 }, (_, n) => say(n % 2 === 0 ? mara : ivo, room, String(n)));
    expect((await Promise.all(all)).every(({ ok }) => ok)).toBe(true);
    for (const tab of [mara, ivo]) await expect.poll(() => texts(tab, stream)).toHaveLength(40);
    expect(texts(mara, stream)).toEqual(texts(ivo, stream));
    expect([...mara.gaps, ...ivo.gaps]).toEqual([]);
  });

  test('clients that loaded on another process lift the load barrier (HOST-15)', async () => {
    const { mara, ivo, room, stream } = await stage();
    const { tabId } = mara;
    const [everybody, ofRoom]: [string[], string[]] = [[], []];
    const listener = await createClient({ url: redis.url }).connect();
    await listener.subscribe('tunemate:doorbell', (text) => everybody.push(text));
    await listener.subscribe(`tunemate:stream:${stream}`, (text) => ofRoom.push(text));
    const isReady = (text: string) => text.includes('"type":"ready"');
    valueOf(await mara.ask('playback/takeControl', { ...room, tabId }));
    const track = { videoId: 'lib_0123456789abcdef', title: 'Rain', durationSeconds: 90 };
    const write = { ...room, tabId, clientId: newClientId(), intent: { type: 'choose', track } } as const;
    const { revision } = valueOf(await mara.ask('playback/write', write));
    for (const tab of [ivo, mara]) valueOf(await tab.ask('playback/ready', { ...room, revision }));
    await expect.poll(() => playbackSent(ivo, stream).at(-1)?.revision).toBe(revision + 1);
    // A process where no one is in the room hears nothing of it.
    await expect.poll(() => ofRoom.filter(isReady)).toHaveLength(2);
    expect(everybody.filter(isReady)).toEqual([]);
    listener.destroy();
  });

  test('a process that only listens reads nothing for a change, (WIRE-73)', async () => {
    // What looks around for what was missed may be faster than the notification.
    const { statements, mara, room, ivo, stream } = await stage(twoProcesses({ isStill: true }));
    await expect.poll(() => statements.splice(0)).toEqual([]);
    for (let n = 0; n < 5; n += 1) valueOf(await say(mara, room, String(n)));
    await expect.poll(() => texts(ivo, stream)).toHaveLength(5);
    expect(statements.filter((each) => each.includes('stream_entries'))).toEqual([]);
  });

  test('a process receives the notifications of streams that it follows, and of no others (WIRE-74)', async () => {
    const { one, two, mara, ivo, room, stream } = await stage();
    const count = async (): Promise<number> => {
      const client = await createClient({ url: redis.url }).connect();
      const channel = `tunemate:stream:${stream}`;
      const answer = await client.pubSubNumSub(channel);
      await client.close();
      return Number(answer[channel]);
    };
    expect(await count()).toBe(2);
    valueOf(await ivo.ask('rooms/leave', room));
    await two.app.app.runBackground();
    await expect.poll(count).toBe(1);
    // And hears again at once when a page comes back.
    await one.letIn(mara, ivo, room);
    valueOf(await ivo.ask('rooms/enter', room));
    expect(await count()).toBe(2);
    valueOf(await say(mara, room, 'again'));
    await expect.poll(() => texts(ivo, stream)).toEqual(['again']);
  });

  test('signing out on one process closes the tabs on another (WIRE-32)', async () => {
    const { one, two } = shared;
    const ivo = await two.arrive('Ivo');
    const browser = one.app.visitor();
    browser.setCookie(ivo.cookie);
    await browser.call('POST /api/accounts/sign-out', {});
    await expect.poll(() => ivo.goodbyes).toEqual([{ code: 'auth/required' }]);
  });

  test('tabs on two processes are one presence (PRES-8)', async () => {
    const { one, two, mara, ivo } = await stage();
    const elsewhere = await one.connect(ivo);
    await two.leave(ivo);
    expect(mara.statesShown(ivo)).not.toContain('offline');
    await one.leave(elsewhere);
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline']);
  });

  test('people of a dead process are offline within 45 s; a process that only seemed dead restores them', async () => {
    const { one, two, mara, ivo, room, stream } = await stage(twoProcesses({ clocks: 2, isStill: true }));
    // Its clock stands still: to the others it says nothing any more.
    for (let seconds = 0; seconds < 40; seconds += 5) await one.pass(5000);
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline']);
    two.clock.advance(40_000);
    await two.pass(5000);
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline', 'online']);
    valueOf(await say(mara, room, 'welcome back'));
    await expect.poll(() => texts(ivo, stream)).toEqual(['welcome back']);
    await two.leave(ivo);
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline', 'online', 'offline']);
  });

  test('a process that has just started is not taken for dead before its first heartbeat', async () => {
    const { one, two } = await twoProcesses();
    const ivo = await two.arrive('Ivo');
    await one.pass(0);
    expect(await one.stateOf(ivo)).toBe('online');
  });

  test('a host whose process counted as dead is not away once the process reports again', async () => {
    const { one, two, mara, ivo } = await stage(twoProcesses({ clocks: 2, isStill: true }));
    const away = () =>
      ivo.changes().flatMap((each) => (each.type === 'rooms/hostAway' ? [each.hostAwaySince !== null] : []));
    for (let seconds = 0; seconds < 40; seconds += 5) await two.pass(5000);
    await expect.poll(away).toEqual([true]);
    one.clock.advance(40_000);
    await one.pass(5000);
    await expect.poll(away).toEqual([true, false]);
    expect(codeOf(await mara.ask('clock/probe', {}))).toBe('ok');
  });

  test('without the doorbell every change still arrives, by polling (WIRE-33)', async () => {
    const { two, mara, ivo, room, stream } = await stage(withoutRedis);
    for (let n = 0; n < 5; n += 1) valueOf(await say(mara, room, String(n)));
    await two.app.app.runBackground();
    await expect.poll(() => texts(ivo, stream)).toEqual(['0', '1', '2', '3', '4']);
    expect(ivo.gaps).toEqual([]);
  });

  test('without the doorbell presence still reaches other processes, by polling', async () => {
    const { one, two, mara, ivo } = await stage(withoutRedis);
    await two.leave(ivo);
    await one.app.app.runBackground();
    await expect.poll(() => mara.statesShown(ivo)).toEqual(['offline']);
  });

  test('while Redis is down nothing is lost or doubled, and notifications resume after that (WIRE-34)', async () => {
    const { one, two, mara, ivo, room, stream } = await stage();
    valueOf(await say(mara, room, 'before'));
    await expect.poll(() => texts(ivo, stream)).toEqual(['before']);
    await redis.kill();
    for (let n = 0; n < 10; n += 1) valueOf(await say(n % 2 === 0 ? mara : ivo, room, String(n)));
    const expected = ['before', ...Array.from({ length: 10 }, (_, n) => String(n))];
    for (const [world, tab] of [
      [one, mara],
      [two, ivo],
    ] as const) {
      await world.app.app.runBackground();
      await expect.poll(() => texts(tab, stream)).toEqual(expected);
    }
    await redis.restart();
    const isHeard = (world: SocketWorld) => world.app.log.some(({ event }) => event === 'doorbell.reachable-again');
    await expect.poll(() => isHeard(one) && isHeard(two)).toBe(true);
    // Looking around would find each of them only after some seconds, and all of them too late for this test.
    for (let n = 0; n < 10; n += 1) {
      valueOf(await say(mara, room, `rung ${String(n)}`));
      await expect.poll(() => texts(ivo, stream).at(-1), { interval: 10 }).toBe(`rung ${String(n)}`);
    }
    expect([...mara.gaps, ...ivo.gaps]).toEqual([]);
    expect(ivo.numbers(stream)).toEqual([...new Set(ivo.numbers(stream))]);
  });
});

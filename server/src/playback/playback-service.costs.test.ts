/** How much a host's writes store, with the largest queue and at the limits of a real installation. */
import { type NamedTrack, type PlaybackIntent, roomKinds, roomStream } from '@tunemate/protocol';
import { afterEach, expect, test } from 'vitest';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';

let w: SocketWorld;
afterEach(() => w.close());

/** As large as a track may be. */
const largest = (n: number): NamedTrack => ({
  videoId: `lib_${n.toString(16).padStart(16, '0')}` as NamedTrack['videoId'],
  title: '😀'.repeat(150),
  durationSeconds: 86_399.123456789,
});
const bytesOf = (rows: unknown): number => Buffer.byteLength(JSON.stringify(rows));

const write = (tab: Tab, room: Room, tabId: string, intent: PlaybackIntent) =>
  tab.ask('playback/write', { ...room, tabId, clientId: newClientId(), intent });

async function openRoom(host: Tab, kind: Room['kind']): Promise<Room> {
  const room = await w.room(host, kind);
  valueOf(await host.ask('playback/takeControl', { ...room, tabId: host.tabId }));
  return room;
}

/** What grows with every write: entries for subscribers, and answers to repeated requests. */
async function keptBytes(): Promise<number> {
  const entries = await w.db.selectFrom('stream_entries').selectAll().execute();
  const answers = await w.db.selectFrom('idempotency').selectAll().execute();
  return bytesOf(entries) + bytesOf(answers);
}

test('with 200 tracks queued, no change stores or sends more than a kilobyte, and a pause much less', async () => {
  w = await openSocketWorld();
  const host = await w.arrive('Mara');
  const room = await openRoom(host, 'video');
  const { roomId } = valueOf(await host.ask('rooms/enter', room)).room;
  for (let n = 0; n < 200; n += 1) {
    valueOf(await write(host, room, host.tabId, { type: 'enqueue', track: largest(n) }));
  }
  const items = () => w.db.selectFrom('queue_items').selectAll().orderBy('item').execute();
  const latest = () =>
    w.db
      .selectFrom('stream_entries')
      .selectAll()
      .where('stream', '=', roomStream(roomId))
      .orderBy('seq', 'desc')
      .executeTakeFirstOrThrow();
  expect(bytesOf(await latest())).toBeLessThan(1024);

  const { videoId } = largest(5);
  const changes: [PlaybackIntent, number][] = [
    [{ type: 'play' }, 300],
    [{ type: 'pause' }, 300],
    [{ type: 'seek', videoId: largest(0).videoId, currentTime: 1234.567 }, 300],
    [{ type: 'next' }, 300],
    [{ type: 'move', from: 5, to: 150, videoId }, 300],
    [{ type: 'remove', index: 150, videoId }, 300],
    [{ type: 'choose', track: largest(0xffff) }, 1024],
  ];
  for (const [intent, most] of changes) {
    const [before, keptBefore] = [await items(), await keptBytes()];
    valueOf(await write(host, room, host.tabId, intent));
    const after = await items();
    expect([intent.type, bytesOf(await latest()) < most]).toEqual([intent.type, true]);
    expect([intent.type, (await keptBytes()) - keptBefore < most + 300]).toEqual([intent.type, true]);
    // No row of another track was touched.
    const touched = after.filter(({ item, track }) => before.find((one) => one.item === item)?.track !== track);
    expect(touched).toHaveLength(intent.type === 'choose' ? 1 : 0);
  }
});

test('a host who writes as much as the limits allow, in five rooms, stores less than 100 KB a second', async () => {
  w = await openSocketWorld({ env: { RATE_LIMIT_SCALE: '1' } });
  const host = await w.arrive('Mara');
  const tabs = [host];
  while (tabs.length < 10) tabs.push(await w.connect(host));
  const rooms: Room[] = [];
  for (let n = 0; n < 5; n += 1) rooms.push(await openRoom(host, roomKinds[n % roomKinds.length] ?? 'video'));
  const before = await keptBytes();
  const seconds = 10;
  const codes: string[] = [];
  for (let n = 0; n < seconds * 10; n += 1) {
    const all = rooms.map((room, index) => {
      const tab = tabs[(n * rooms.length + index) % tabs.length] ?? host;
      return write(tab, room, host.tabId, { type: room.kind === 'video' ? 'enqueue' : 'choose', track: largest(n) });
    });
    codes.push(...(await Promise.all(all)).map((answer) => (answer.ok ? 'ok' : answer.error.code)));
    w.clock.advance(100);
  }
  const stored = (await keptBytes()) - before;
  expect(new Set(codes)).toEqual(new Set(['ok', 'limit/too-many']));
  expect(stored / seconds).toBeLessThan(100 * 1024);
  // The budget covers what it is taken for: its burst and what came back meanwhile.
  expect(stored).toBeLessThan(rooms.length * (32 * 1024 + seconds * 1536));
});

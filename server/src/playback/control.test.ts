/** Control of playback over sockets: one tab of the host at a time, the same changes for everyone. */
import { isPlaybackChange, playbackOfDocument } from '@tunemate/domain';
import { applyPlaybackChange, type RoomPlayback } from '@tunemate/playback';
import { type PlaybackIntent, roomKinds, type StreamId, type Track } from '@tunemate/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import {
  openSocketWorld,
  playbackSent,
  type Room,
  type SocketWorld,
  type Tab,
} from '@tunemate/testkit/worlds/socket-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';

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
    // Asking for what one has changes nothing, and tells nobody.
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

  test('naming the controlling tab does not make anyone else the host (HOST-4)', async () => {
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

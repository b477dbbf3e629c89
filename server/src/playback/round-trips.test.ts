/**
 * When a command of the host takes effect, over real sockets: by the longest round trip in the room, on one process.
 */
import { type PlaybackIntent, type StreamId } from '@tunemate/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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

let host: Tab;
let guest: Tab;
let room: Room;
let stream: StreamId;

beforeEach(async () => {
  [host, guest] = [await w.arrive('Mara'), await w.arrive('Ivo')];
  ({ room, stream } = await w.roomWith(host, 'video', guest));
  valueOf(await host.ask('playback/takeControl', { ...room, tabId: host.tabId }));
  valueOf(await write({ type: 'choose', track: trackOf(1) }));
  for (const tab of [host, guest]) valueOf(await tab.ask('playback/ready', { ...room, revision: 2 }));
  await expect.poll(() => documents().at(-1)?.revision).toBe(3);
});

const write = (intent: PlaybackIntent) =>
  host.ask('playback/write', { ...room, tabId: host.tabId, clientId: newClientId(), intent });
const documents = () => playbackSent(host, stream);
const report = (tab: Tab, roundTripMs: number) => tab.ask('clock/probe', { roundTripMs });

async function writtenDown(tab: Tab): Promise<number | null | undefined> {
  const row = await w.db
    .selectFrom('connections')
    .select('round_trip_ms')
    .where('tab_id', '=', tab.tabId)
    .executeTakeFirst();
  return row?.round_trip_ms;
}

async function reported(tab: Tab, roundTripMs: number, as = roundTripMs): Promise<void> {
  valueOf(await report(tab, roundTripMs));
  await expect.poll(() => writtenDown(tab)).toBe(as);
}

/** How far ahead the host's next pause and the next start take effect. */
async function leadsMs(): Promise<number[]> {
  const leads: number[] = [];
  for (const type of ['pause', 'play'] as const) {
    const { revision } = valueOf(await write({ type }));
    await expect.poll(() => documents().at(-1)?.revision).toBe(revision);
    leads.push((documents().at(-1)?.updatedAt ?? 0) - w.clock.now());
  }
  return leads;
}

test('the leads of a pause and of a start are those of the longest round trip in the room, not of the host’s (SYNC-3)', async () => {
  await reported(host, 6);
  expect(await leadsMs()).toEqual([23, 150]);
  await reported(guest, 310);
  expect(await leadsMs()).toEqual([175, 430]);
  valueOf(await guest.ask('rooms/close', room));
  expect(await leadsMs()).toEqual([23, 150]);
});

test('the early start of a loaded track has the lead of the longest round trip too (SYNC-3)', async () => {
  await reported(host, 5);
  await reported(guest, 310);
  const { revision } = valueOf(await write({ type: 'choose', track: trackOf(2) }));
  for (const tab of [host, guest]) valueOf(await tab.ask('playback/ready', { ...room, revision }));
  await expect.poll(() => documents().at(-1)?.revision).toBe(revision + 1);
  expect((documents().at(-1)?.updatedAt ?? 0) - w.clock.now()).toBe(530);
});

test('a reported round trip of a minute delays the room by 1 s at most, and invalid values are refused (SYNC-36)', async () => {
  await reported(host, 5);
  await reported(guest, 60_000, 1000);
  expect(await leadsMs()).toEqual([520, 1000]);
  for (const roundTripMs of [-1, 60_001, Number.NaN, '5', null, [5]]) {
    expect(codeOf(await guest.send('clock/probe', { roundTripMs }))).toBe('input/invalid');
  }
  expect(codeOf(await guest.send('clock/probe', { roundTripMs: 5, uid: host.uid }))).toBe('input/invalid');
  expect(await writtenDown(host)).toBe(5);
});

test('a small change of a round trip, or one soon after the last, is not stored (SYNC-36)', async () => {
  await reported(guest, 100);
  w.clock.advance(999);
  await report(guest, 400);
  w.clock.advance(1);
  await report(guest, 120);
  expect(await writtenDown(guest)).toBe(100);
  await reported(guest, 126);
});

test('a listener whose page closes while loading does not delay the start (SYNC-10)', async () => {
  const { revision } = valueOf(await write({ type: 'choose', track: trackOf(2) }));
  await expect.poll(() => documents().at(-1)?.revision).toBe(revision);
  const latest = documents().at(-1)?.updatedAt ?? 0;
  valueOf(await host.ask('playback/ready', { ...room, revision }));
  guest.leave();
  await expect.poll(() => documents().at(-1)?.revision).toBe(revision + 1);
  expect(documents().at(-1)?.updatedAt).toBeLessThan(latest);
});

test('what else changes while a track is loading does not lose the early start (SYNC-37)', async () => {
  const { revision } = valueOf(await write({ type: 'choose', track: trackOf(2) }));
  valueOf(await host.ask('playback/ready', { ...room, revision }));
  valueOf(await write({ type: 'measured', revision, durationSeconds: 200 }));
  valueOf(await write({ type: 'enqueue', track: trackOf(3) }));
  await expect.poll(() => documents().at(-1)?.revision).toBe(revision + 2);
  const latest = documents().at(-1)?.updatedAt ?? 0;
  valueOf(await guest.ask('playback/ready', { ...room, revision: revision + 2 }));
  await expect.poll(() => documents().at(-1)?.revision).toBe(revision + 3);
  expect(documents().at(-1)?.updatedAt).toBeLessThan(latest);
});

/** A clock that is wrong and one that is set, under a server that runs and at its start: what happened stays, what waits goes on waiting. */
import { join } from 'node:path';
import type { RoomKind } from '@tunemate/protocol';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createLog } from '../system/logging.ts';
import { agesOf } from './clock-steps.ts';
import { migrate, openDatabase } from './database.ts';

const secondMs = 1000;
const dayMs = 24 * 60 * 60 * secondMs;

/**
 * A day ahead: the room plays, its slow chat has a message of the guest, and a mail waits for its next attempt; then
 * 20 seconds pass.
 */
async function liveADayAhead(w: SocketWorld, kind: RoomKind) {
  const [host, guest] = [await w.arrive('Mara'), await w.arrive('Ivo')];
  const { room } = await w.roomWith(host, kind, guest);
  valueOf(await host.ask('playback/takeControl', { ...room, tabId: host.tabId }));
  valueOf(await host.ask('rooms/set', { ...room, settings: { slowSeconds: 60 } }));
  await w.pass(dayMs);
  const intent = { type: 'choose', track: trackOf(1, 300) } as const;
  valueOf(await host.ask('playback/write', { ...room, tabId: host.tabId, clientId: newClientId(), intent }));
  expect((await say(guest, room)).ok).toBe(true);
  const at = { created_at_ms: w.clock.now(), next_attempt_at_ms: w.clock.now() + 30 * secondMs };
  const mail = { recipient: 'ivo@example.org', subject: 'Hello', text: 'Hello', html: 'Hello' };
  await w.db
    .insertInto('mails')
    .values({ id: 'waiting', ...mail, ...at, mailbox: null, sent_at_ms: null, refused_with: null })
    .execute();
  await w.pass(20 * secondMs);
  expect((await say(host, room)).ok).toBe(true);
  return { host, guest, room };
}

const say = (tab: Tab, room: Room) =>
  tab.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: 'Good evening' });

/** Where the room's track is, in seconds. */
async function positionIn(w: SocketWorld, tab: Tab, room: Room): Promise<number> {
  const { playback } = valueOf(await tab.ask('rooms/enter', room));
  expect(playback).toMatchObject({ isPlaying: true, currentTime: 0 });
  return (w.clock.now() - playback.updatedAt) / secondMs;
}

/** Nothing waits for the day to pass. */
async function expectUsual(w: SocketWorld, tab: Tab, room: Room): Promise<void> {
  expect(await positionIn(w, tab, room)).toBeGreaterThan(10);
  expect(await positionIn(w, tab, room)).toBeLessThan(30);
  // The last message is of a day to come.
  expect((await say(tab, room)).ok).toBe(true);
  expect((await say(tab, room)).ok).toBe(false);
  w.clock.advance(60 * secondMs);
  const { message } = valueOf(await say(tab, room));
  expect(message.timestamp).toBe(w.clock.now());
  await w.app.app.runBackground();
  const mail = await w.db.selectFrom('mails').select('sent_at_ms').where('id', '=', 'waiting').executeTakeFirst();
  expect(mail?.sent_at_ms).toBeLessThanOrEqual(w.clock.now());
}

describeEachDialect('a clock that was a day ahead and is set right', (makeDatabaseUrl, dialect) => {
  test('sends pages away to measure it anew, and rooms go on where they were', async () => {
    const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
    const { host, guest, room } = await liveADayAhead(w, kindOn(dialect));
    await w.pass(-dayMs);
    await expect
      .poll(() => [...host.goodbyes, ...guest.goodbyes])
      .toEqual([{ code: 'server/unavailable' }, { code: 'server/unavailable' }]);
    await expectUsual(w, await w.connect(guest), room);
    const isSetBack = ({ event }: { event: string }) => event === 'clock.set-back';
    expect(w.app.log.filter(isSetBack)).toMatchObject([{ level: 'warn', fields: { byMs: -dayMs } }]);
  });

  test('is noticed at the start of a server, too', async () => {
    const clock = createFakeClock();
    const databaseUrl = await makeDatabaseUrl();
    const before = await openSocketWorld({ databaseUrl, clock });
    const { guest, room } = await liveADayAhead(before, kindOn(dialect));
    await before.close();
    clock.advance(-dayMs);
    const w = await openSocketWorld({ databaseUrl, clock });
    await expectUsual(w, await w.connect(guest), room);
  });
});

test('what two people hear together is counted on once a clock that was a day ahead is set right', async () => {
  const w = await openSocketWorld();
  const [mara, ivo] = [await w.arrive('Mara'), await w.arrive('Ivo')];
  const { room } = await w.roomWith(mara, 'audio', ivo);
  for (const [tab, { uid }] of [
    [mara, ivo],
    [ivo, mara],
  ] as const)
    valueOf(await tab.ask('music/keep', { uid, keeps: true }));
  await w.pass(dayMs);
  valueOf(await mara.ask('playback/takeControl', { ...room, tabId: mara.tabId }));
  const intent = { type: 'choose', track: trackOf(1, 3600) } as const;
  valueOf(await mara.ask('playback/write', { ...room, tabId: mara.tabId, clientId: newClientId(), intent }));
  /** A minute, and then until nothing of it is left to be counted. */
  const hear = async (...tabs: Tab[]) => {
    for (let round = 0; round < 20; round += 1) {
      if (round < 7) for (const tab of tabs) valueOf(await tab.ask('clock/probe', { roundTripMs: 20, driftMs: 3 }));
      await w.pass(10 * secondMs);
    }
  };
  const heardMs = async () => {
    const evenings = await w.db.selectFrom('music_evenings').select('heard_ms').execute();
    return evenings.reduce((sum, each) => sum + each.heard_ms, 0);
  };
  await hear(mara, ivo);
  const aheadMs = await heardMs();
  expect(aheadMs).toBeGreaterThan(50 * secondMs);
  await w.pass(-dayMs);
  await expect.poll(() => [mara, ivo].map(({ goodbyes }) => goodbyes.length)).toEqual([1, 1]);
  const back = [await w.connect(mara), await w.connect(ivo)];
  for (const tab of back) valueOf(await tab.ask('rooms/enter', room));
  await hear(...back);
  expect((await heardMs()) - aheadMs).toBeGreaterThan(50 * secondMs);
});

/** Everything that says when something happened. */
async function timesOf(w: SocketWorld) {
  const all = async (table: 'users' | 'sessions' | 'room_chat' | 'audioroom_chat', column: string) =>
    (
      await w.db
        .selectFrom(table)
        .select(sql<number>`${sql.ref(column)}`.as('at'))
        .execute()
    ).map(({ at }) => at);
  return {
    accounts: await all('users', 'created_at_ms'),
    signedIn: await all('sessions', 'created_at_ms'),
    messages: [...(await all('room_chat', 'timestamp_ms')), ...(await all('audioroom_chat', 'timestamp_ms'))],
  };
}

describe('a clock that is set under a server that runs (TIME-1)', () => {
  test.each([
    ['an hour back', -60 * 60 * secondMs],
    ['a day ahead', dayMs],
    ['400 days ahead', 400 * dayMs],
  ])('%s moves no player, ends no room and no session, and rewrites no time', async (_what, byMs) => {
    const w = await openSocketWorld();
    const [host, guest] = [await w.arrive('Mara'), await w.arrive('Ivo')];
    const { room } = await w.roomWith(host, 'audio', guest);
    valueOf(await host.ask('playback/takeControl', { ...room, tabId: host.tabId }));
    const intent = { type: 'choose', track: trackOf(1, 300) } as const;
    valueOf(await host.ask('playback/write', { ...room, tabId: host.tabId, clientId: newClientId(), intent }));
    valueOf(await say(guest, room));
    await w.pass(20 * secondMs);
    const before = await timesOf(w);

    w.clock.set(byMs);
    // Not a step of it reaches a player before all was moved along.
    const meanwhile = await positionIn(w, host, room);
    expect(meanwhile).toBeGreaterThan(10);
    expect(meanwhile).toBeLessThan(30);
    await w.app.app.runBackground();
    await expect.poll(() => [host, guest].map(({ goodbyes }) => goodbyes.length)).toEqual([1, 1]);
    const back = await w.connect(guest);
    const position = await positionIn(w, back, room);
    expect(position).toBeGreaterThan(10);
    expect(position).toBeLessThan(30);
    await w.app.app.runBackground();
    expect(await positionIn(w, back, room)).toBe(position);
    expect(await timesOf(w)).toEqual(before);
    const event = byMs > 0 ? 'clock.set-ahead' : 'clock.set-back';
    expect(w.app.log.filter((line) => line.event === event)).toMatchObject([{ level: 'warn', fields: { byMs } }]);
    valueOf(await say(back, room));
  });
});

test('a room whose host is not back after the clock was set ahead ends in 15 minutes, and is not forgotten by its age (HOST-11)', async () => {
  const w = await openSocketWorld();
  const [host, guest] = [await w.arrive('Mara'), await w.arrive('Ivo')];
  const { room } = await w.roomWith(host, 'audio', guest);
  w.clock.set(dayMs);
  await w.app.app.runBackground();
  await expect.poll(() => [host, guest].map(({ goodbyes }) => goodbyes.length)).toEqual([1, 1]);
  const back = await w.connect(guest);
  const enter = async () => codeOf(await back.ask('rooms/enter', room));
  expect(await enter()).toBe('ok');
  await w.pass(14 * 60 * secondMs);
  expect(await enter()).toBe('ok');
  await w.pass(60 * secondMs);
  expect(await enter()).toBe('room/ended');
  await w.pass(2 * dayMs);
  expect(await enter()).toBe('room/ended');
});

describe('a start with a clock that is wrong', () => {
  test('more than a day behind what is stored is refused (TIME-2)', async () => {
    const clock = createFakeClock();
    await using dir = await makeTempDir('clock');
    const databaseUrl = `sqlite:${join(dir.path, 'tunemate.sqlite')}`;
    const w = await openSocketWorld({ databaseUrl, clock });
    await w.roomWith(await w.arrive('Mara'), 'audio');
    await w.close();
    clock.advance(-2 * dayMs);
    await expect(openSocketWorld({ databaseUrl, clock })).rejects.toThrow('clock.behind');
  });

  test('30 days ahead deletes nothing by its age for a day, and says so (TIME-3)', async () => {
    const clock = createFakeClock();
    await using dir = await makeTempDir('clock');
    const databaseUrl = `sqlite:${join(dir.path, 'tunemate.sqlite')}`;
    const w = await openSocketWorld({ databaseUrl, clock });
    const mara = await w.arrive('Mara');
    const { room } = await w.roomWith(mara, 'audio');
    await w.close();
    clock.advance(40 * dayMs);
    const later = await openSocketWorld({ databaseUrl, clock });
    await later.app.app.runBackground();
    const back = await later.connect(mara);
    valueOf(await back.ask('rooms/enter', room));
    expect(later.app.log.filter(({ event }) => event === 'clock.far-ahead')).toHaveLength(1);
  });

  test('what is held is deleted a day later', async () => {
    await using dir = await makeTempDir('clock');
    const database = openDatabase(`sqlite:${join(dir.path, 'tunemate.sqlite')}`);
    await migrate(database);
    let awakeMs = 0;
    const ages = await agesOf(database.db, createFakeClock(50 * dayMs), createLog('silent'), () => awakeMs);
    let runs = 0;
    const run = ages.unlessHeld(() => Promise.resolve((runs += 1)));
    ages.hold(40 * dayMs);
    await run();
    expect([runs, ages.now()]).toEqual([0, 10 * dayMs]);
    awakeMs = dayMs;
    await run();
    expect([runs, ages.now()]).toEqual([1, 50 * dayMs]);
    await database.close();
  });
});

/** What was stored while the clock was a day ahead, once it is set right: under a server that runs, and at its start. */
import type { RoomKind } from '@tunemate/protocol';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { expect, test } from 'vitest';

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
  valueOf(await host.ask('rooms/slowChat', { ...room, seconds: 60 }));
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
    expect(w.app.log.filter(isSetBack)).toMatchObject([{ level: 'warn', fields: { byMs: dayMs } }]);
    await w.close();
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
    await w.close();
  });
});

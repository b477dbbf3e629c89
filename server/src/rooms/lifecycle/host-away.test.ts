/** The host away and back, over sockets and over restarts, with a clock that the test moves. */
import { roomKinds } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { codeOf, valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';

const minuteMs = 60_000;

describeEachDialect('the host away', (makeDatabaseUrl, dialect) => {
  async function stage(kind: (typeof roomKinds)[number]) {
    const databaseUrl = await makeDatabaseUrl();
    const w = await openSocketWorld({ databaseUrl });
    const [host, guest] = [await w.arrive('Mara'), await w.arrive('Ivo')];
    return { w, databaseUrl, host, guest, ...(await w.roomWith(host, kind, guest)) };
  }
  const awayAsSent = (tab: Tab) =>
    tab.changes().flatMap((change) => (change.type === 'rooms/hostAway' ? [change.hostAwaySince] : []));
  const isLive = async (w: SocketWorld, room: Room) =>
    (
      await w.db
        .selectFrom(room.kind === roomKinds[0] ? 'rooms' : 'audiorooms')
        .select('is_active')
        .executeTakeFirstOrThrow()
    ).is_active === 1;

  // The same code on both databases: PostgreSQL is asked about one kind only, for the time it takes.
  describe.each([kindOn(dialect)])('from rooms of kind %s', (kind) => {
    test('a lost host is away from that moment for everyone inside, and back with the next entering (HOST-10)', async () => {
      const { w, host, guest, room } = await stage(kind);
      const since = w.clock.now();
      host.cut();
      await expect.poll(() => awayAsSent(guest)).toEqual([since]);
      w.clock.advance(10 * minuteMs);
      const back = await w.connect(host);
      expect(valueOf(await back.ask('rooms/enter', room)).room.hostAwaySince).toBe(null);
      await expect.poll(() => awayAsSent(guest)).toEqual([since, null]);
      await w.pass(6 * minuteMs);
      expect(await isLive(w, room)).toBe(true);
      await w.close();
    });

    test('after 15 minutes without the host the room ends for all, once (HOST-11)', async () => {
      const { w, host, guest, room, stream } = await stage(kind);
      host.cut();
      await expect.poll(() => awayAsSent(guest)).toHaveLength(1);
      await w.pass(15 * minuteMs - 1);
      expect(await isLive(w, room)).toBe(true);
      await w.pass(1);
      await w.pass(minuteMs);
      await expect.poll(() => guest.changes(stream).at(-1)?.type).toBe('rooms/ended');
      expect(guest.changes(stream).filter(({ type }) => type === 'rooms/ended')).toHaveLength(1);
      const back = await w.connect(host);
      expect(codeOf(await back.ask('rooms/enter', room))).toBe('room/ended');
      await w.close();
    });

    test('a host who closes one of two tabs is not away; one who closes both is (HOST-12)', async () => {
      const { w, host, guest, room } = await stage(kind);
      const second = await w.connect(host);
      valueOf(await second.ask('rooms/enter', room));
      host.cut();
      valueOf(await guest.ask('rooms/close', room));
      valueOf(await guest.ask('rooms/enter', room));
      expect(awayAsSent(guest)).toEqual([]);
      valueOf(await second.ask('rooms/close', room));
      await expect.poll(() => awayAsSent(guest)).toHaveLength(1);
      await w.close();
    });

    test('the time away goes on over a restart of the server (HOST-13)', async () => {
      const { w, databaseUrl, host, guest, room } = await stage(kind);
      host.cut();
      await expect.poll(() => awayAsSent(guest)).toHaveLength(1);
      await w.pass(10 * minuteMs);
      await w.close();
      const again = await openSocketWorld({ databaseUrl, clock: w.clock });
      await again.pass(4 * minuteMs);
      expect(await isLive(again, room)).toBe(true);
      await again.pass(minuteMs);
      expect(await isLive(again, room)).toBe(false);
      const back = await again.connect(guest);
      expect(codeOf(await back.ask('rooms/enter', room))).toBe('room/ended');
      await again.close();
    });

    test('a restart keeps membership, control and presence of everyone in the room (HOST-14)', async () => {
      const { w, databaseUrl, host, guest, room } = await stage(kind);
      valueOf(await host.ask('playback/takeControl', { ...room, tabId: host.tabId }));
      await w.close();
      expect(host.goodbyes).toEqual([{ code: 'server/unavailable' }]);
      const again = await openSocketWorld({ databaseUrl, clock: w.clock });
      await again.pass(5000);
      expect([await again.stateOf(host), await again.stateOf(guest)]).toEqual(['online', 'online']);
      const [hostBack, guestBack] = [await again.connect(host, host.tabId), await again.connect(guest)];
      const snapshot = valueOf(await hostBack.ask('rooms/enter', room));
      valueOf(await guestBack.ask('rooms/enter', room));
      expect(snapshot.playback.controller).toBe(host.tabId);
      expect(snapshot.room.hostAwaySince).toBe(null);
      expect(snapshot.room.participants.map(({ online }) => online)).toEqual([true, true]);
      await again.pass(minuteMs);
      await again.pass(20 * minuteMs);
      expect(await isLive(again, room)).toBe(true);
      await again.close();
    });

    test('a room without connections ends after a day (ROOM-40)', async () => {
      const databaseUrl = await makeDatabaseUrl();
      const w = await openSocketWorld({ databaseUrl });
      const room = await w.room(await w.arrive('Mara'), kind);
      await w.pass(24 * 60 * minuteMs - 1);
      expect(await isLive(w, room)).toBe(true);
      await w.pass(1);
      expect(await isLive(w, room)).toBe(false);
      await w.close();
    });
  });
});

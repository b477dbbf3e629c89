import { roomKinds, type RoomKind, userStream } from '@tunemate/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { codeOf, valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { fillInbox } from '@tunemate/testkit/worlds/full-inbox';

/** The host away and back, over sockets and over restarts, with a clock that the test moves. */
describeEachDialect('the host away', (makeDatabaseUrl, dialect) => {
  const minuteMs = 60_000;

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
    });

    test('a room without connections ends after a day (ROOM-40)', async () => {
      const databaseUrl = await makeDatabaseUrl();
      const w = await openSocketWorld({ databaseUrl });
      const room = await w.room(await w.arrive('Mara'), kind);
      await w.pass(24 * 60 * minuteMs - 1);
      expect(await isLive(w, room)).toBe(true);
      await w.pass(1);
      expect(await isLive(w, room)).toBe(false);
    });
  });
});

/** What a host finds in the notifications when rooms ended without them, on both databases. */
describeEachDialect('a host whose room ended without them', (makeDatabaseUrl, dialect) => {
  const minuteMs = 60_000;

  let w: SocketWorld;
  beforeAll(async () => {
    w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
  });
  afterAll(() => w.close());

  /** Opens a room and enters it; `tab` may host others in further tabs. */
  async function hosted(tab: Tab, kind: RoomKind, name: string) {
    const room = await w.room(tab, kind, name);
    valueOf(await tab.ask('rooms/enter', room));
    return room;
  }
  async function isAway(...names: string[]): Promise<void> {
    const since = async (table: 'rooms' | 'audiorooms') =>
      await w.db.selectFrom(table).select('name').where('host_away_since_ms', 'is not', null).execute();
    const all = async () => [...(await since('rooms')), ...(await since('audiorooms'))].map(({ name }) => name);
    await expect.poll(all).toEqual(expect.arrayContaining(names));
  }
  const inboxOf = async (person: Tab) => (await w.connect(person)).snapshot.notifications;
  const exportOf = async ({ cookie }: Tab) => {
    const visitor = w.app.visitor();
    visitor.setCookie(cookie);
    return await (await visitor.fetch('/api/accounts/export')).text();
  };

  describe.each([kindOn(dialect)])('of kind %s', (kind) => {
    test('receives it once, live, with the room; no other user does', async () => {
      const [host, guest] = [await w.arrive('Mara'), await w.arrive('Ivo')];
      const room = await hosted(host, kind, `Slow Burn ${kind}`);
      await w.letIn(host, guest, room);
      valueOf(await guest.ask('rooms/enter', room));
      const elsewhere = await w.connect(host);
      host.cut();
      await isAway(`Slow Burn ${kind}`);
      await w.pass(15 * minuteMs - 1);
      expect(await inboxOf(host)).toMatchObject([{ room: { hasEnded: false } }]);
      await w.pass(1);
      const notice = {
        id: expect.any(String) as string,
        type: 'host-away',
        message: `Slow Burn ${kind} ended because you were away`,
        senderName: 'Tunemate',
        senderUid: host.uid,
        timestamp: w.clock.now(),
        isRead: false,
        room: { ...room, name: `Slow Burn ${kind}`, letsInUntil: null, hasEnded: true },
      };
      await w.pass(minuteMs);
      expect(await inboxOf(host)).toEqual([notice]);
      const sent = () =>
        elsewhere
          .changes(userStream(host.uid))
          .filter((change) => change.type === 'notifications/added' && change.notification.room?.hasEnded === true);
      await expect.poll(sent).toEqual([{ type: 'notifications/added', notification: notice, removed: [] }]);
      expect(await inboxOf(guest)).toEqual([]);
      // The row of the room itself is deleted a day later.
      await w.pass(25 * 60 * minuteMs);
      expect(await inboxOf(host)).toEqual([notice]);
    });
  });

  test('a room that no person entered for a day tells its host as well', async () => {
    const host = await w.arrive('Noor');
    await w.room(host, 'audio', 'Never entered');
    await w.pass(24 * 60 * minuteMs);
    expect(await inboxOf(host)).toMatchObject([{ message: 'Never entered ended because you were away' }]);
  });

  test('two rooms that end together both send an announcement, and each is read, dismissed and exported', async () => {
    const host = await w.arrive('Theo');
    const second = await w.connect(host);
    await hosted(host, 'video', 'Film night');
    await hosted(second, 'audio', 'Vinyl club');
    host.cut();
    second.cut();
    await isAway('Film night', 'Vinyl club');
    await w.pass(15 * minuteMs);
    const back = await w.connect(host);
    const { notifications } = back.snapshot;
    expect(new Set(notifications.map(({ room }) => room?.name))).toEqual(new Set(['Film night', 'Vinyl club']));
    expect(notifications).toHaveLength(2);
    expect(await exportOf(host)).toContain('Film night ended because you were away');
    valueOf(await back.ask('notifications/markRead', {}));
    const id = notifications[0]?.id ?? '';
    expect(codeOf(await (await w.arrive('Stranger')).ask('notifications/dismiss', { id }))).toBe('access/not-found');
    valueOf(await back.ask('notifications/dismiss', { id }));
    expect((await inboxOf(host)).map((each) => [each.id, each.isRead])).toEqual([[notifications[1]?.id, true]]);
  });

  test('a host who ended the room, or is back in time, receives nothing', async () => {
    const host = await w.arrive('Ada');
    const [ended, kept] = [await hosted(host, 'video', 'Ended'), await w.room(host, 'audio', 'Kept')];
    valueOf(await host.ask('rooms/leave', { ...ended, ends: true }));
    valueOf(await host.ask('rooms/enter', kept));
    host.cut();
    await isAway('Kept');
    await w.pass(14 * minuteMs);
    const back = await w.connect(host);
    valueOf(await back.ask('rooms/enter', kept));
    await w.pass(20 * minuteMs);
    expect(await inboxOf(host)).toEqual([]);
    valueOf(await back.ask('rooms/leave', { ...kept, ends: true }));
  });

  test('after a handover the new host receives it, and the former host does not', async () => {
    const [before, after] = [await w.arrive('Rosa'), await w.arrive('Kenji')];
    const room = await hosted(before, 'audio', 'Handed over');
    await w.letIn(before, after, room);
    valueOf(await after.ask('rooms/enter', room));
    valueOf(await before.ask('rooms/offerHosting', { ...room, uid: after.uid, leaves: true }));
    valueOf(await after.ask('rooms/answerHosting', { ...room, takes: true, tabId: after.tabId }));
    after.cut();
    await isAway('Handed over');
    await w.pass(15 * minuteMs);
    expect(await inboxOf(before)).toEqual([]);
    expect(await inboxOf(after)).toMatchObject([{ type: 'host-away', room: { name: 'Handed over' } }]);
  });
});

/** What a host who is away receives before their room ends, on both databases. */
describeEachDialect('a host whose room ends soon without them', (makeDatabaseUrl, dialect) => {
  const minuteMs = 60_000;
  /** An absence ends the room after 15 minutes; the warning comes five before. */
  const warnedAfterMs = 10 * minuteMs;

  let w: SocketWorld;
  beforeAll(async () => {
    w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
  });
  afterAll(() => w.close());

  async function hosted(name: string, kind: RoomKind = 'video') {
    const host = await w.arrive('Mara');
    const room = await w.room(host, kind, name);
    valueOf(await host.ask('rooms/enter', room));
    return { host, room };
  }
  /** The absence is written after the cut. */
  async function leave(tab: Tab, kind: RoomKind = 'video'): Promise<void> {
    const table = kind === 'video' ? 'rooms' : 'audiorooms';
    const awaySince = async () =>
      await w.db
        .selectFrom(table)
        .select('host_away_since_ms')
        .where('host', '=', tab.uid)
        .where('is_active', '=', 1)
        .executeTakeFirstOrThrow();
    tab.cut();
    await expect.poll(awaySince).not.toEqual({ host_away_since_ms: null });
  }
  const inboxOf = async (person: Tab) => (await w.connect(person)).snapshot.notifications;
  const messagesOf = async (person: Tab) => (await inboxOf(person)).map(({ message }) => message);

  describe.each([kindOn(dialect)])('of kind %s', (kind) => {
    test('is warned once, live, five minutes before; and no other member is', async () => {
      const { host, room } = await hosted('Slow Burn', kind);
      const guest = await w.arrive('Ivo');
      await w.letIn(host, guest, room);
      valueOf(await guest.ask('rooms/enter', room));
      const elsewhere = await w.connect(host);
      await leave(host, kind);
      await w.pass(warnedAfterMs - 1);
      expect(await inboxOf(host)).toEqual([]);
      await w.pass(1);
      const warning = {
        id: expect.any(String) as string,
        type: 'host-away',
        message: 'Slow Burn ends soon unless you return',
        senderName: 'Tunemate',
        senderUid: host.uid,
        timestamp: w.clock.now(),
        isRead: false,
        room: { ...room, name: 'Slow Burn', letsInUntil: null, hasEnded: false },
      };
      await w.pass(minuteMs);
      expect(await inboxOf(host)).toEqual([warning]);
      const sent = () =>
        elsewhere.changes(userStream(host.uid)).filter(({ type }) => type.startsWith('notifications/'));
      await expect.poll(sent).toEqual([{ type: 'notifications/added', notification: warning, removed: [] }]);
      expect(await inboxOf(guest)).toEqual([]);
    });
  });

  test('the sender of a request that makes room for a warning, or for the end of a room, receives its removal', async () => {
    const [asker, another] = [await w.arrive('Ada'), await w.arrive('Noor')];
    const sent = (tab: Tab) => tab.changes(userStream(tab.uid)).filter(({ type }) => type === 'soulmate/asked');
    const { host } = await hosted('Full');
    await fillInbox(w.db, host.uid, asker.uid);
    await leave(host);
    await w.pass(warnedAfterMs);
    await expect.poll(() => sent(asker)).toEqual([{ type: 'soulmate/asked', asked: [] }]);
    await w.db.deleteFrom('notifications').where('uid', '=', host.uid).execute();
    await fillInbox(w.db, host.uid, another.uid);
    await w.pass(warnedAfterMs / 2);
    await expect.poll(() => sent(another)).toEqual([{ type: 'soulmate/asked', asked: [] }]);
  });

  test('a warning that was dismissed does not come again in this absence', async () => {
    const { host } = await hosted('Dismissed');
    await leave(host);
    await w.pass(warnedAfterMs);
    const back = await w.connect(host);
    valueOf(await back.ask('notifications/dismiss', { id: back.snapshot.notifications[0]?.id ?? '' }));
    await w.pass(2 * minuteMs);
    expect(await inboxOf(host)).toEqual([]);
    await w.pass(3 * minuteMs);
    expect(await messagesOf(host)).toEqual(['Dismissed ended because you were away']);
  });

  test('coming back takes the warning back, and the next absence has its own', async () => {
    const { host, room } = await hosted('Back in time');
    await leave(host);
    await w.pass(warnedAfterMs);
    const back = await w.connect(host);
    valueOf(await back.ask('rooms/enter', room));
    await expect.poll(() => inboxOf(host)).toEqual([]);
    await leave(back);
    await w.pass(warnedAfterMs);
    expect(await messagesOf(host)).toEqual(['Back in time ends soon unless you return']);
  });

  test('a warning and a return at the same moment leave a host who is here without one', async () => {
    const { host, room } = await hosted('At once');
    await leave(host);
    await w.pass(warnedAfterMs - 1);
    const back = await w.connect(host);
    const [entered] = await Promise.all([back.ask('rooms/enter', room), w.pass(1)]);
    valueOf(entered);
    await expect.poll(() => inboxOf(host)).toEqual([]);
  });

  test('the notification that the room ended without its host replaces the warning', async () => {
    const { host } = await hosted('Too late');
    await leave(host);
    await w.pass(warnedAfterMs);
    expect(await messagesOf(host)).toEqual(['Too late ends soon unless you return']);
    await w.pass(5 * minuteMs);
    expect(await messagesOf(host)).toEqual(['Too late ended because you were away']);
  });

  test('a host who ends the room from elsewhere has no warning any more', async () => {
    const { host, room } = await hosted('Ended from home');
    await leave(host);
    await w.pass(warnedAfterMs);
    const home = await w.connect(host);
    valueOf(await home.ask('rooms/leave', { ...room, ends: true }));
    expect(await inboxOf(host)).toEqual([]);
  });

  test('the list of one’s rooms says when a room ends whose host one is and is away, and not to guests', async () => {
    const { host, room } = await hosted('Listed');
    const guest = await w.arrive('Ivo');
    await w.letIn(host, guest, room);
    const endsAt = async (tab: Tab) => valueOf(await tab.ask('rooms/mine', {})).rooms.map((each) => each.endsAt);
    expect(await endsAt(host)).toEqual([null]);
    await leave(host);
    const leftAt = w.clock.now();
    const home = await w.connect(host);
    expect(await endsAt(home)).toEqual([leftAt + 15 * minuteMs]);
    expect(await endsAt(guest)).toEqual([null]);
  });
});

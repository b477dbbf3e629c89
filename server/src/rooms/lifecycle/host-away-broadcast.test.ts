/** What a host finds in the notifications when rooms ended without them, on both databases. */
import { type RoomKind, userStream } from '@tunemate/protocol';
import { codeOf, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { openSocketWorld, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const minuteMs = 60_000;

describeEachDialect('a host whose room ended without them', (makeDatabaseUrl, dialect) => {
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

  test('a room that nobody entered for a day tells its host as well', async () => {
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

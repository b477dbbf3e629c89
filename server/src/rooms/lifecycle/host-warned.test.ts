/** What a host who is away receives before their room ends, on both databases. */
import { type RoomKind, userStream } from '@tunemate/protocol';
import { valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { fillInbox } from '@tunemate/testkit/worlds/full-inbox';
import { openSocketWorld, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const minuteMs = 60_000;
/** An absence ends the room after 15 minutes; the warning comes five before. */
const warnedAfterMs = 10 * minuteMs;

describeEachDialect('a host whose room ends soon without them', (makeDatabaseUrl, dialect) => {
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
    test('is warned once, live, five minutes before; and nobody else is', async () => {
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

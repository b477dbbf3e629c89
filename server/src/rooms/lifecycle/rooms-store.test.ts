/** The list of a person's live rooms, over real sockets. */
import { limits, type RoomKind, type VideoId } from '@tunemate/protocol';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

describeEachDialect('the rooms of a person', (makeDatabaseUrl, dialect) => {
  let w: SocketWorld;
  const statements: string[] = [];
  beforeAll(async () => {
    const onStatement = (statement: string) => void statements.push(statement);
    w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl(), onStatement });
  });
  afterAll(() => w.close());

  const mine = async (tab: Tab) => valueOf(await tab.ask('rooms/mine', {})).rooms;

  /** The statements of one list; the least of several, because the background asks for some meanwhile. */
  async function costOf(tab: Tab): Promise<number> {
    const costs: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      statements.length = 0;
      await mine(tab);
      costs.push(statements.length);
    }
    return Math.min(...costs);
  }

  /** A track in the room's queue that plays, and more behind it. */
  async function fillQueue(tab: Tab, room: Room, tracks: number): Promise<void> {
    valueOf(await tab.ask('playback/takeControl', { ...room, tabId: tab.tabId }));
    const numbered = (n: number) => ({
      videoId: `lib_${n.toString(16).padStart(16, '0')}` as VideoId,
      title: `Track ${String(n)}`,
      durationSeconds: 90,
    });
    const items = Array.from({ length: tracks }, (_, n) => numbered(n));
    const intent = { type: 'enqueueAll', items } as const;
    valueOf(await tab.ask('playback/write', { ...room, tabId: tab.tabId, clientId: newClientId(), intent }));
  }

  describe.each([kindOn(dialect)])('of kind %s', (kind: RoomKind) => {
    test('names live rooms that they host or sit in, with host, people and what plays', async () => {
      const [mara, ivo] = [await w.arrive('Mara'), await w.arrive('Ivo')];
      expect(await mine(mara)).toEqual([]);
      const room = await w.room(mara, kind);
      await w.letIn(mara, ivo, room);
      valueOf(await mara.ask('playback/takeControl', { ...room, tabId: mara.tabId }));
      const track = { videoId: 'lib_0123456789abcdef', title: 'Rain', durationSeconds: 90 };
      const intent = { type: 'choose', track } as const;
      valueOf(await mara.ask('playback/write', { ...room, tabId: mara.tabId, clientId: newClientId(), intent }));
      const seen = { kind, code: room.code, host: mara.uid, hostName: 'Mara', people: 2, title: 'Rain' };
      for (const tab of [mara, ivo]) expect(await mine(tab)).toMatchObject([seen]);
    });

    test('leaves out rooms that one only asked to join, has left, or that have ended', async () => {
      const [mara, ivo, ada] = [await w.arrive('Mara'), await w.arrive('Ivo'), await w.arrive('Ada')];
      const room = await w.room(mara, kind);
      await w.letIn(mara, ivo, room);
      valueOf(await ada.ask('rooms/askToJoin', room));
      expect(await mine(ada)).toEqual([]);
      valueOf(await ivo.ask('rooms/leave', room));
      expect(await mine(ivo)).toEqual([]);
      valueOf(await mara.ask('rooms/leave', room));
      expect(await mine(mara)).toEqual([]);
    });

    test('names one’s own rooms first, then the newest', async () => {
      const [mara, ivo] = [await w.arrive('Mara'), await w.arrive('Ivo')];
      const own = await w.room(mara, kind);
      w.clock.advance(1000);
      const others = await w.room(ivo, kind);
      await w.letIn(ivo, mara, others);
      w.clock.advance(1000);
      const newer = await w.room(mara, kind);
      expect((await mine(mara)).map(({ code }) => code)).toEqual([newer.code, own.code, others.code]);
    });

    test('takes the same statements for several rooms with long queues as for one, and reads what plays alone', async () => {
      const mara = await w.arrive('Mara');
      const first = await w.room(mara, kind);
      await fillQueue(mara, first, 1);
      const one = await costOf(mara);
      for (let n = 1; n < limits.liveRoomsPerHost; n += 1) {
        w.clock.advance(60_000);
        await fillQueue(mara, await w.room(mara, kind), 20);
      }
      expect(await costOf(mara)).toBe(one);
      expect((await mine(mara)).map(({ title }) => title)).toEqual(Array.from({ length: 5 }, () => 'Track 0'));
    });

    test('names twenty at most, and leaves the oldest out', async () => {
      const ivo = await w.arrive('Ivo');
      const codes: string[] = [];
      while (codes.length <= limits.yourRooms) {
        const host = await w.arrive('Mara');
        for (let n = 0; n < limits.liveRoomsPerHost && codes.length <= limits.yourRooms; n += 1) {
          w.clock.advance(60_000);
          const room = await w.room(host, kind);
          await w.letIn(host, ivo, room);
          codes.unshift(room.code);
        }
      }
      expect((await mine(ivo)).map(({ code }) => code)).toEqual(codes.slice(0, limits.yourRooms));
    });
  });
});

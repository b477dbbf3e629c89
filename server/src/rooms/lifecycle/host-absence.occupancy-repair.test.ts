/** Rooms whose stored occupancy does not fit who is connected, as a stop between two writes leaves it. */
import type { RoomCode, RoomId } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { codeOf, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { openSocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { insertRoom } from './rooms-store.ts';

const minuteMs = 60_000;

describeEachDialect('the occupancy of a room', (makeDatabaseUrl, dialect) => {
  describe.each([kindOn(dialect)])('of kind %s', (kind) => {
    const table = kind === 'video' ? 'rooms' : 'audiorooms';

    async function stage() {
      const databaseUrl = await makeDatabaseUrl();
      const w = await openSocketWorld({ databaseUrl });
      const [mara, ivo] = [await w.arrive('Mara'), await w.arrive('Ivo')];
      const { room } = await w.roomWith(mara, kind, ivo);
      const stored = async () => {
        const columns = ['is_active', 'host_away_since_ms', 'empty_since_ms'] as const;
        return await w.db.selectFrom(table).select(columns).executeTakeFirstOrThrow();
      };
      const store = (set: { host_away_since_ms: number | null; empty_since_ms: number | null }) =>
        w.db.updateTable(table).set(set).execute();
      const connectionsOf = ({ uid }: Tab) => w.db.selectFrom('connections').selectAll().where('uid', '=', uid);
      /** They have gone, and the room still says that they are here. */
      async function goUnnoticed(...tabs: Tab[]): Promise<void> {
        for (const tab of tabs) tab.cut();
        for (const tab of tabs) {
          await expect.poll(async () => (await connectionsOf(tab).executeTakeFirst())?.grace_until_ms).not.toBeNull();
        }
        await w.pass(40_000);
        for (const tab of tabs) expect(await connectionsOf(tab).execute()).toEqual([]);
        await store({ host_away_since_ms: null, empty_since_ms: null });
      }
      return { w, databaseUrl, mara, ivo, room, stored, store, goUnnoticed };
    }
    const awayAsSent = (tab: Tab) =>
      tab.changes().flatMap((each) => (each.type === 'rooms/hostAway' ? [each.hostAwaySince] : []));

    test('a host whose going was not written is away within 30 s, and the room ends as ever', async () => {
      const { w, mara, ivo, stored, goUnnoticed } = await stage();
      await goUnnoticed(mara);
      await w.pass(10_000);
      const since = w.clock.now();
      await expect.poll(() => awayAsSent(ivo).at(-1)).toBe(since);
      expect(await stored()).toEqual({ is_active: 1, host_away_since_ms: since, empty_since_ms: null });
      await w.pass(15 * minuteMs);
      expect((await stored()).is_active).toBe(0);
    });

    test('a room whose emptying was not written counts as empty within 30 s', async () => {
      const { w, mara, ivo, stored, goUnnoticed } = await stage();
      await goUnnoticed(mara, ivo);
      await w.pass(10_000);
      const now = w.clock.now();
      expect(await stored()).toEqual({ is_active: 1, host_away_since_ms: now, empty_since_ms: now });
    });

    test('a host whose return was not written is back within 30 s, and so is a room that counts as empty', async () => {
      const { w, ivo, stored, store } = await stage();
      await store({ host_away_since_ms: w.clock.now(), empty_since_ms: w.clock.now() });
      await w.pass(10_000);
      await expect.poll(() => awayAsSent(ivo)).toEqual([null]);
      expect(await stored()).toEqual({ is_active: 1, host_away_since_ms: null, empty_since_ms: null });
    });

    test('a new room that no person has entered yet has no host away', async () => {
      const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
      const mara = await w.arrive('Mara');
      const room = await w.room(mara, kind);
      for (let minutes = 0; minutes < 20; minutes += 10) await w.pass(10 * minuteMs);
      expect(valueOf(await mara.ask('rooms/enter', room)).room).toMatchObject({ isActive: true, hostAwaySince: null });
    });

    test('no host is away who may come back from a restart', async () => {
      const { w, databaseUrl } = await stage();
      await w.close();
      const again = await openSocketWorld({ databaseUrl, clock: w.clock });
      await again.pass(30_000);
      const row = await again.db.selectFrom(table).selectAll().executeTakeFirstOrThrow();
      expect([row.host_away_since_ms, row.empty_since_ms]).toEqual([null, null]);
    });

    test('a start finds that many hosts have gone, on SQLite in few commits', async () => {
      const databaseUrl = await makeDatabaseUrl();
      const first = await openSocketWorld({ databaseUrl });
      const { uid: host } = await first.person('Mara');
      for (let n = 0; n < 100; n += 1) {
        const roomId = String(n).padStart(22, '0') as RoomId;
        const code = String(n).padStart(6, '0') as RoomCode;
        await insertRoom(first.db, { kind, roomId, code, name: 'A room', host, createdAtMs: first.clock.now() });
      }
      await first.db.updateTable(table).set({ empty_since_ms: null }).execute();
      await first.close();
      let commits = 0;
      const onStatement = (statement: string) => void (commits += Number(statement === 'commit'));
      const again = await openSocketWorld({ databaseUrl, clock: first.clock, onStatement });
      const away = again.db.selectFrom(table).select('room_id').where('host_away_since_ms', 'is not', null);
      expect(await away.execute()).toHaveLength(100);
      // PostgreSQL takes them side by side.
      expect(commits).toBeLessThan(dialect === 'sqlite' ? 30 : 200);
    });

    test('a room does not end under its host, whatever is stored of them (HOST-24)', async () => {
      const { w, ivo, room, store } = await stage();
      await store({
        host_away_since_ms: w.clock.now() - 15 * minuteMs,
        empty_since_ms: w.clock.now() - 1440 * minuteMs,
      });
      await w.pass(0);
      expect(codeOf(await ivo.ask('rooms/enter', room))).toBe('ok');
    });
  });
});

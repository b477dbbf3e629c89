/** The statements of a host who enters: the same with one request that waits and with two hundred. */
import { limits, type Uid } from '@tunemate/protocol';
import { valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { insertUsers } from '@tunemate/testkit/worlds/people';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { expect, test } from 'vitest';

describeEachDialect('entering a room at whose door people wait', (makeDatabaseUrl) => {
  test('a host enters with as many statements whether one waits or two hundred, and sees nobody they blocked', async () => {
    const statements: string[] = [];
    const w = await openSocketWorld({
      databaseUrl: await makeDatabaseUrl(),
      onStatement: (statement) => statements.push(statement),
    });
    const host = await w.arrive('Mara');
    const room = await w.room(host, 'video');
    const { roomId } = valueOf(await host.ask('rooms/enter', room)).room;

    async function ask(uids: readonly Uid[]): Promise<void> {
      const nowMs = w.clock.now();
      const times = { asked_at_ms: nowMs, renewed_at_ms: nowMs, answered_at_ms: null, times_asked: 0 };
      await insertUsers(
        w.db,
        uids.map((uid) => ({ uid, name: 'Ivo', nowMs })),
      );
      await w.db
        .insertInto('room_requests')
        .values(uids.map((uid) => ({ room_id: roomId, uid, name: 'Ivo', status: 'pending' as const, ...times })))
        .execute();
    }
    /** The least of several rounds: what the background asks for meanwhile is not counted. */
    async function enter(): Promise<{ cost: number; seen: string[] }> {
      const costs: number[] = [];
      let seen: string[] = [];
      for (let round = 0; round < 4; round += 1) {
        statements.length = 0;
        seen = valueOf(await host.ask('rooms/enter', room)).requests.map(({ uid }) => uid);
        costs.push(statements.length);
      }
      return { cost: Math.min(...costs), seen };
    }

    const [first, ...others] = Array.from(
      { length: limits.pendingPerRoom },
      (_, index) => String(index).padStart(22, '0') as Uid,
    );
    await ask([first as Uid]);
    const one = await enter();
    await ask(others);
    const blocked = others.slice(0, 3);
    await w.db
      .insertInto('blocks')
      .values(blocked.map((uid) => ({ uid: host.uid, blocked: uid, at_ms: 0 })))
      .execute();
    const all = await enter();
    expect(one.seen).toEqual([first]);
    expect(all.seen.toSorted()).toEqual([first, ...others.slice(3)]);
    expect(all.cost).toBe(one.cost);
    await w.close();
  });
});

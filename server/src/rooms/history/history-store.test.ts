/** What reading one's histories costs, beside reading their tracks. */
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { openRoomWorld } from '@tunemate/testkit/worlds/room-world';
import { expect, test } from 'vitest';
import { mostPlayed } from '../../playback/playback-document.ts';
import { historiesOf, historyOf } from './history-store.ts';

const rooms = Array.from({ length: 12 }, (_, n) => `room-${String(n)}`);

async function leastMs(work: () => Promise<unknown>): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const startedAt = performance.now();
    await work();
    rounds.push(performance.now() - startedAt);
  }
  return Math.min(...rounds);
}

describeEachDialect('the histories of a person who came late to long evenings', (makeDatabaseUrl) => {
  test('cost about what their tracks cost, and not its square', async () => {
    const w = await openRoomWorld(await makeDatabaseUrl());
    const { db } = w.database;
    const { uid } = await w.person('Mara');
    const nowMs = w.clock.now();
    const track = JSON.stringify({ videoId: 'dQw4w9WgXcQ', title: 'Rain', durationSeconds: 200 });
    const atMs = (number: number) => nowMs - (mostPlayed - number) * 1000;
    for (const room_id of rooms) {
      const played = Array.from({ length: mostPlayed }, (_, n) => ({
        room_id,
        number: n + 1,
        track,
        at_ms: atMs(n + 1),
      }));
      await db
        .insertInto('played_tracks')
        .values(played.map((row) => ({ ...row, proposed_by: null })))
        .execute();
      const span = { kind: 'video', name: 'Rain', from_ms: atMs(400) + 1, until_ms: nowMs } as const;
      await db
        .insertInto('room_histories')
        .values({ uid, room_id, ...span, after_number: 0, until_number: mostPlayed })
        .execute();
    }
    const plain = await leastMs(() =>
      db
        .selectFrom('played_tracks')
        .select(({ fn }) => ['room_id', fn.countAll().as('tracks'), fn.max('at_ms').as('to')])
        .groupBy('room_id')
        .execute(),
    );
    const found = await historiesOf(db, uid);
    expect(found.map(({ tracks }) => tracks)).toEqual(rooms.map(() => mostPlayed - 399));
    const [first] = found;
    expect(first && (await historyOf(db, uid, first.roomId))).toHaveLength(100);
    // Squared it is more than a hundred times as much.
    expect(await leastMs(() => historiesOf(db, uid))).toBeLessThan(plain * 30);
  });
});

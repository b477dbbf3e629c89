import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { brokenInvariants } from '@tunemate/testkit/worlds/people-invariants';
import { runSchedule } from '@tunemate/testkit/worlds/people-schedule';
import { openPeopleWorld, type PeopleWorld } from '@tunemate/testkit/worlds/people-world';
import { afterAll, beforeAll, expect, test } from 'vitest';

/**
 * RANDOM_SCHEDULES=10000 for the long form, about a quarter of an hour. A failure names its seed; FIRST_SEED runs that
 * one again.
 */
const count = Number(process.env['RANDOM_SCHEDULES'] ?? 150);
const firstSeed = Number(process.env['FIRST_SEED'] ?? 1);

describeEachDialect('people, in random schedules', (makeDatabaseUrl, dialect) => {
  let world: PeopleWorld;
  beforeAll(async () => {
    world = await openPeopleWorld(makeDatabaseUrl, dialect, { processes: 3 });
  });
  afterAll(() => world.close());

  test(
    'every invariant holds, and each person receives exactly what is stored (MATE-5, SOUL-14, NOTE-10, CHAT-8)',
    async () => {
      for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
        const run = await runSchedule(world, seed);
        expect(await brokenInvariants(world, run), `seed ${seed}`).toEqual([]);
      }
    },
    120_000 + count * 2000,
  );
});

/** How long a lost connection counts: from its last sign of life, however long it took to notice that it was lost. */
import { userStream, type Uid } from '@tunemate/protocol';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { callerOf } from '@tunemate/testkit/worlds/people';
import { openPeopleWorld, type PeopleWorld } from '@tunemate/testkit/worlds/people-world';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../system/logging.ts';
import { presenceService } from './presence-service.ts';

describeEachDialect('presence after a silence', (makeDatabaseUrl, dialect) => {
  let world: PeopleWorld;
  let presence: ReturnType<typeof presenceService>;
  beforeAll(async () => {
    world = await openPeopleWorld(makeDatabaseUrl, dialect);
    presence = presenceService({
      record: world.record,
      clock: world.clock,
      log: createLog('silent'),
      processId: 'a-process',
      limitScale: 1,
      shownChanged: () => undefined,
      roomsOf: () => Promise.resolve(new Map()),
      occupancyChanged: () => Promise.resolve(),
      onlineChangedIn: () => undefined,
    });
    await presence.tick();
  });
  afterAll(() => world.close());

  const statesOf = async (uid: Uid) =>
    (await world.changesOf(uid)).flatMap((each) => (each.type === 'presence/changed' ? [each.presence.state] : []));

  async function pass(byMs: number): Promise<void> {
    world.clock.advance(byMs);
    await presence.tick();
  }

  test.each([
    [0, 40_000],
    [21_000, 19_000],
    [39_999, 1],
  ])('shows offline 40 s after the last sign of life, when %i ms of them are over', async (silentMs, leftMs) => {
    const uid = await world.addPerson();
    await presence.opened(callerOf(uid));
    await pass(60_000);
    await presence.closed(callerOf(uid), { type: 'lost', silentMs });
    await pass(leftMs - 1);
    expect(await statesOf(uid)).toEqual(['online']);
    await pass(1);
    expect(await statesOf(uid)).toEqual(['online', 'offline']);
  });

  test.each([40_000, 45_000])('shows offline at once after a silence of %i ms', async (silentMs) => {
    const uid = await world.addPerson();
    await presence.opened(callerOf(uid));
    await pass(60_000);
    await presence.closed(callerOf(uid), { type: 'lost', silentMs });
    expect(await statesOf(uid)).toEqual(['online', 'offline']);
    expect(await world.record.head(userStream(uid))).toBe(2);
  });
});

/** What presence makes good after a write that failed or never came, on both databases. */
import type { Uid } from '@tunemate/protocol';
import { describeEachDialect } from '@tunemate/testkit/dialects';
import { callerOf } from '@tunemate/testkit/people';
import { openPeopleWorld, type PeopleWorld } from '@tunemate/testkit/people-world';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../logging.ts';
import { presenceService } from './presence-service.ts';

describeEachDialect('presence after a failure', (makeDatabaseUrl, dialect) => {
  let world: PeopleWorld;
  beforeAll(async () => {
    world = await openPeopleWorld(makeDatabaseUrl, dialect);
  });
  afterAll(() => world.close());

  /** Its reads of rooms, which every change of presence needs, fail as long as `isBroken`. */
  async function process(processId: string) {
    const faults = { isBroken: false };
    const presence = presenceService({
      record: world.record,
      clock: world.clock,
      log: createLog('silent'),
      processId,
      limitScale: 1,
      shownChanged: () => undefined,
      roomsOf: () => (faults.isBroken ? Promise.reject(new Error('database away')) : Promise.resolve(new Map())),
      occupancyChanged: () => Promise.resolve(),
      onlineChangedIn: () => undefined,
    });
    await presence.tick();
    return { presence, faults };
  }

  const statesOf = async (uid: Uid) =>
    (await world.changesOf(uid)).flatMap((each) => (each.type === 'presence/changed' ? [each.presence.state] : []));

  test('PRES-21 a process that was thought dead restores its connections, also where that failed once', async () => {
    const [one, two] = [await process('one'), await process('two')];
    const uid = await world.addPerson();
    await one.presence.opened(callerOf(uid));
    world.clock.advance(31_000);
    await two.presence.tick();
    expect(await statesOf(uid)).toEqual(['online', 'offline']);
    world.clock.advance(5000);
    one.faults.isBroken = true;
    await expect(one.presence.tick()).rejects.toThrow('database away');
    one.faults.isBroken = false;
    await one.presence.tick();
    expect(await statesOf(uid)).toEqual(['online', 'offline', 'online']);
  });

  test('PRES-22 a change that had to wait and could not be written is written a second later', async () => {
    const { presence, faults } = await process('three');
    const caller = callerOf(await world.addPerson());
    await presence.opened(caller);
    world.clock.advance(60_000);
    await presence.closed(caller, { type: 'closed' });
    await presence.opened(caller);
    expect(await statesOf(caller.uid)).toEqual(['online', 'offline']);
    world.clock.advance(5000);
    faults.isBroken = true;
    await expect(presence.publishDue()).rejects.toThrow('database away');
    faults.isBroken = false;
    world.clock.advance(1000);
    await presence.publishDue();
    expect(await statesOf(caller.uid)).toEqual(['online', 'offline', 'online']);
  });
});

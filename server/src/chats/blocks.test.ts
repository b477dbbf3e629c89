import type { Uid } from '@tunemate/protocol';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { callerOf } from '@tunemate/testkit/worlds/people';
import { openPeopleWorld, type PeopleWorld } from '@tunemate/testkit/worlds/people-world';
import { afterAll, beforeAll, expect, test } from 'vitest';

describeEachDialect('blocking', (makeDatabaseUrl, dialect) => {
  let world: PeopleWorld;
  beforeAll(async () => {
    world = await openPeopleWorld(makeDatabaseUrl, dialect);
  });
  afterAll(() => world.close());

  test('more than a thousand blocks are refused, until one is lifted', async () => {
    const [ada, bob, eve] = [await world.addPerson(), await world.addPerson(), await world.addPerson()];
    const block = (uid: Uid, isBlocked: boolean) => world.handlers['chats/block'](callerOf(ada), { uid, isBlocked });
    expect(await block(bob, true)).toMatchObject({ ok: true });
    const others = Array.from({ length: 999 }, (_, index) => ({
      uid: ada,
      blocked: `B${String(index).padStart(21, '0')}`,
      at_ms: index,
    }));
    await world.record.db.insertInto('blocks').values(others).execute();
    expect(await block(eve, true)).toEqual({ ok: false, error: { code: 'limit/too-many' } });
    expect(await block(bob, false)).toMatchObject({ ok: true });
    expect(await block(eve, true)).toMatchObject({ ok: true });
  });

  test('lifting a block reaches the person whom the block took from the list, and no stranger', async () => {
    const [ada, bob, eve] = [await world.addPerson(), await world.addPerson(), await world.addPerson()];
    const mates = [
      { uid: ada, mate: bob, added_at_ms: 0, position: 1 },
      { uid: bob, mate: ada, added_at_ms: 0, position: 1 },
    ];
    await world.record.db.insertInto('tunemates').values(mates).execute();
    for (const uid of [bob, eve]) {
      for (const isBlocked of [true, false]) await world.handlers['chats/block'](callerOf(ada), { uid, isBlocked });
    }
    const closedOf = async (uid: Uid) =>
      (await world.changesOf(uid)).flatMap((each) => (each.type === 'chats/closed' ? [each.isClosed] : []));
    expect(await closedOf(bob)).toEqual([true, false]);
    expect(await closedOf(eve)).toEqual([]);
  });
});

import { userStream, type RoomKind, roomKinds, type Uid } from '@tunemate/protocol';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { callerOf } from '@tunemate/testkit/worlds/people';
import { openPeopleWorld, type PeopleWorld } from '@tunemate/testkit/worlds/people-world';
import { ownPeopleOf } from '@tunemate/testkit/worlds/own-people';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { append, connect, entriesOfPeople, matesOf } from './tunemates.ts';

describeEachDialect('tunemates', (makeDatabaseUrl, dialect) => {
  let world: PeopleWorld;
  beforeAll(async () => {
    world = await openPeopleWorld(makeDatabaseUrl, dialect, { processes: 3 });
  });
  afterAll(() => world.close());

  /** A host's accept, as rooms do it, in any process. */
  const meet = (kind: RoomKind, a: Uid, b: Uid, process = 0) => {
    const { record } = world.processes[process % world.processes.length] ?? world;
    return record.write([userStream(a), userStream(b)], (writing) => connect(writing, kind, a, b));
  };
  const fill = async (kind: RoomKind, uid: Uid, count: number): Promise<Uid[]> => {
    const mates: Uid[] = [];
    for (let index = 0; index < count; index += 1) {
      const mate = await world.addPerson(`Mate ${index}`);
      await append(world.record.db, kind, [{ uid, mate }], world.clock.now());
      mates.push(mate);
    }
    return mates;
  };
  const list = async (kind: RoomKind, uid: Uid) => {
    const entries = await entriesOfPeople(world.record.db, [uid]);
    return entries.filter((entry) => entry.kind === kind).map(({ mate }) => mate);
  };
  const shown = (uid: Uid) => ownPeopleOf(world, uid).then(({ tunemates }) => tunemates);

  describe.each([kindOn(dialect)])('met in a %s room', (kind) => {
    test('each is put on the other’s list and both are notified (MATE-1)', async () => {
      const [ada, bob] = [await world.addPerson('Ada'), await world.addPerson('Bob')];
      await meet(kind, ada, bob);
      expect([await list(kind, ada), await list(kind, bob)]).toEqual([[bob], [ada]]);
      const presence = { uid: bob, state: 'offline', last_changed: 0 };
      const tunemate = { uid: bob, name: 'Bob', metIn: [kind], presence };
      expect(await world.changesOf(ada)).toEqual([{ type: 'tunemates/added', tunemate }]);
      expect(await shown(ada)).toEqual([tunemate]);
      expect(await matesOf(world.record.db, ada)).toEqual([bob]);
    });

    test('a full list drops its oldest entry, on that side only (MATE-2)', async () => {
      const [ada, bob] = [await world.addPerson(), await world.addPerson()];
      const [oldest, ...others] = await fill(kind, ada, 50);
      await append(world.record.db, kind, [{ uid: oldest as Uid, mate: ada }], 0);
      await meet(kind, ada, bob);
      expect(await list(kind, ada)).toEqual([...others, bob]);
      expect(await list(kind, oldest as Uid)).toEqual([ada]);
      expect(await world.changesOf(ada)).toMatchObject([
        { type: 'tunemates/removed', uid: oldest, metIn: [kind] },
        { type: 'tunemates/added', tunemate: { uid: bob } },
      ]);
    });

    test('nothing changes for two who are on each other’s list, full or not (MATE-3)', async () => {
      const [ada, bob] = [await world.addPerson(), await world.addPerson()];
      await meet(kind, ada, bob);
      await fill(kind, ada, 49);
      const before = await list(kind, ada);
      await meet(kind, ada, bob);
      expect(await list(kind, ada)).toEqual(before);
      expect(await world.changesOf(ada)).toHaveLength(1);
    });

    test.each([48, 49, 50])('ends at exactly 50 after two accepts at once at %i (MATE-5)', async (size) => {
      const [ada, bob, eve] = [await world.addPerson(), await world.addPerson(), await world.addPerson()];
      const before = await fill(kind, ada, size);
      await Promise.all([meet(kind, ada, bob, 1), meet(kind, ada, eve, 2)]);
      const after = await list(kind, ada);
      expect(after).toHaveLength(50);
      expect(after.slice(-2).sort()).toEqual([bob, eve].sort());
      expect(after.slice(0, 48)).toEqual(before.slice(-48));
    });

    test('lists each once when the same two are accepted twice at once (MATE-5)', async () => {
      const [ada, bob] = [await world.addPerson(), await world.addPerson()];
      await Promise.all([meet(kind, ada, bob, 0), meet(kind, bob, ada, 1), meet(kind, ada, bob, 2)]);
      expect([await list(kind, ada), await list(kind, bob)]).toEqual([[bob], [ada]]);
    });
  });

  test('shows a person on both lists once', async () => {
    const [ada, bob] = [await world.addPerson(), await world.addPerson()];
    await meet('audio', ada, bob);
    await meet('video', ada, bob);
    expect(await shown(ada)).toMatchObject([{ uid: bob, metIn: ['video', 'audio'] }]);
    expect((await world.changesOf(ada)).at(-1)).toMatchObject({ tunemate: { metIn: ['video', 'audio'] } });
  });

  test('a removal takes both off both lists and notifies both (MATE-6)', async () => {
    const [ada, bob] = [await world.addPerson(), await world.addPerson()];
    for (const kind of roomKinds) await meet(kind, ada, bob);
    expect(await world.handlers['tunemates/remove'](callerOf(ada), { uid: bob })).toEqual({ ok: true, value: {} });
    expect([await shown(ada), await shown(bob)]).toEqual([[], []]);
    const removed = { type: 'tunemates/removed', metIn: ['video', 'audio'] };
    expect((await world.changesOf(ada)).at(-1)).toEqual({ ...removed, uid: bob });
    expect((await world.changesOf(bob)).at(-1)).toEqual({ ...removed, uid: ada });
  });

  test('removing a person who is on no list answers not-found, known or not', async () => {
    const [ada, bob] = [await world.addPerson(), await world.addPerson()];
    const nobody = 'z'.repeat(22) as Uid;
    for (const uid of [bob, ada, nobody]) {
      const outcome = await world.handlers['tunemates/remove'](callerOf(ada), { uid });
      expect(outcome).toEqual({ ok: false, error: { code: 'access/not-found' } });
    }
    expect(await world.record.head(userStream(nobody))).toBe(0);
  });

  test('a deleted account is removed from everyone’s lists', async () => {
    const [ada, bob, eve] = [await world.addPerson(), await world.addPerson(), await world.addPerson()];
    await meet('video', ada, bob);
    await meet('audio', eve, ada);
    await world.removePerson(ada);
    expect([await shown(ada), await shown(bob), await shown(eve)]).toEqual([[], [], []]);
    expect(await matesOf(world.record.db, ada)).toEqual([]);
    expect((await world.changesOf(eve)).at(-1)).toEqual({ type: 'tunemates/removed', uid: ada, metIn: ['audio'] });
  });
});

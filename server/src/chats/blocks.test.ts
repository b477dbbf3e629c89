import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { callerOf } from '@tunemate/testkit/worlds/people';
import { openPeopleWorld, type PeopleWorld } from '@tunemate/testkit/worlds/people-world';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { userStream, type Uid } from '@tunemate/protocol';
import { newClientId } from '@tunemate/testkit/answers';
import { ownPeopleOf } from '@tunemate/testkit/worlds/own-people';
import { soulmateOf } from '../people/ties.ts';
import { connect } from '../tunemates/tunemates.ts';

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

/** What a block ends between two people, and that whatever happens at the same moment leaves nothing of it. */
describeEachDialect('what a block ends', (makeDatabaseUrl, dialect) => {
  let world: PeopleWorld;
  beforeAll(async () => {
    world = await openPeopleWorld(makeDatabaseUrl, dialect, { processes: 3 });
  });
  afterAll(() => world.close());

  const at = (process: number) => (world.processes[process % world.processes.length] ?? world).handlers;
  const ask = (from: Uid, to: Uid, process = 0) =>
    at(process)['soulmate/ask'](callerOf(from), { uid: to, clientId: newClientId() });
  const accept = (uid: Uid, id: string, process = 0) => at(process)['soulmate/accept'](callerOf(uid), { id });
  const invite = (from: Uid, to: Uid, process = 0) =>
    at(process)['notifications/invite'](callerOf(from), { uid: to, clientId: newClientId() });
  const block = (by: Uid, uid: Uid, process = 0, isBlocked = true) =>
    at(process)['chats/block'](callerOf(by), { uid, isBlocked });
  const inbox = async (uid: Uid) => (await ownPeopleOf(world, uid)).notifications;
  const mates = async (uid: Uid) => (await ownPeopleOf(world, uid)).tunemates.map((m) => m.uid);
  const soulmates = (...uids: Uid[]) => Promise.all(uids.map((uid) => soulmateOf(world.record.db, uid)));

  async function friends(): Promise<[Uid, Uid]> {
    const [ada, bob] = [await world.addPerson('Ada'), await world.addPerson('Bob')];
    await world.record.write([userStream(ada), userStream(bob)], (writing) => connect(writing, 'video', ada, bob));
    return [ada, bob];
  }
  /** Nothing is left between the two. */
  async function expectApart(ada: Uid, bob: Uid): Promise<void> {
    expect(await soulmates(ada, bob)).toEqual([null, null]);
    expect([await mates(ada), await mates(bob)]).toEqual([[], []]);
    expect([await inbox(ada), await inbox(bob)]).toEqual([[], []]);
  }

  test('a block ends the soulmate bond and takes each off the other’s lists, and both receive the changes live (BLOCK-200, BLOCK-201)', async () => {
    const [ada, bob] = await friends();
    await ask(ada, bob);
    await accept(bob, (await inbox(bob))[0]?.id ?? '');
    expect(await soulmates(ada, bob)).toEqual([bob, ada]);
    await block(ada, bob);
    await expectApart(ada, bob);
    for (const [uid, other] of [
      [ada, bob],
      [bob, ada],
    ] as const) {
      const changes = await world.changesOf(uid);
      expect(changes).toContainEqual({ type: 'soulmate/changed', soulmate: null });
      expect(changes).toContainEqual({ type: 'tunemates/removed', uid: other, metIn: ['video'] });
      expect(changes).toContainEqual({ type: 'chats/closed', uid: other, isClosed: true });
    }
    expect((await world.changesOf(bob)).map(({ type }) => type)).not.toContain('chats/blocked');
  });

  test('requests and invitations between the two go out of both inboxes; those of others stay (BLOCK-202)', async () => {
    const [ada, bob] = await friends();
    const eve = await world.addPerson('Eve');
    await world.record.write([userStream(ada), userStream(eve)], (writing) => connect(writing, 'video', ada, eve));
    await invite(eve, ada);
    await invite(bob, ada);
    await ask(bob, ada);
    await invite(ada, bob);
    await block(ada, bob);
    expect((await inbox(ada)).map(({ senderUid }) => senderUid)).toEqual([eve]);
    expect(await inbox(bob)).toEqual([]);
    expect((await world.changesOf(bob)).map(({ type }) => type)).toContain('notifications/removed');
  });

  test('lifting a block brings nothing of that back, and opens the chat when neither blocks the other', async () => {
    const [ada, bob] = await friends();
    const isClosed = async (me: Uid, other: Uid) => {
      const opened = await at(0)['chats/open'](callerOf(me), { uid: other });
      return opened.ok && opened.value.isClosed;
    };
    await block(ada, bob);
    await block(bob, ada);
    await block(ada, bob, 0, false);
    expect([await isClosed(ada, bob), await isClosed(bob, ada)]).toEqual([true, true]);
    await block(bob, ada, 0, false);
    expect([await isClosed(ada, bob), await isClosed(bob, ada)]).toEqual([false, false]);
    await expectApart(ada, bob);
    const closings = (await world.changesOf(bob)).filter(({ type }) => type === 'chats/closed');
    expect(closings).toMatchObject([{ isClosed: true }, { isClosed: false }]);
  });

  test('a block at the moment of an accept, a request or an invitation leaves nothing between the two (BLOCK-204)', async () => {
    for (let round = 0; round < 6; round += 1) {
      const [ada, bob] = await friends();
      await ask(bob, ada);
      const [request] = await inbox(ada);
      const atOnce = [
        () => accept(ada, request?.id ?? '', 0),
        () => block(bob, ada, 1),
        () => ask(ada, bob, 2),
        () => invite(ada, bob, 0),
        () => invite(bob, ada, 1),
      ];
      // Each of them is first in one round.
      await Promise.all([...atOnce.slice(round % 5), ...atOnce.slice(0, round % 5)].map((act) => act()));
      await expectApart(ada, bob);
    }
  });
});

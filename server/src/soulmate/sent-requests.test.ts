/** Soulmate requests that wait, as who asked sees them, and taking them back. */
import { limits, userStream, type Uid } from '@tunemate/protocol';
import { newClientId } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { callerOf } from '@tunemate/testkit/worlds/people';
import { openPeopleWorld, type PeopleWorld } from '@tunemate/testkit/worlds/people-world';
import { ownPeopleOf } from '@tunemate/testkit/worlds/own-people';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { append, connect } from '../tunemates/tunemates.ts';
import { soulmateOf } from '../people/ties.ts';

const done = { ok: true, value: {} };

describeEachDialect('soulmate requests that wait', (makeDatabaseUrl, dialect) => {
  let world: PeopleWorld;
  beforeAll(async () => {
    world = await openPeopleWorld(makeDatabaseUrl, dialect, { processes: 2 });
  });
  afterAll(() => world.close());

  const at = (process: number) => (world.processes[process % world.processes.length] ?? world).handlers;
  const ask = (from: Uid, to: Uid) => at(0)['soulmate/ask'](callerOf(from), { uid: to, clientId: newClientId() });
  const accept = (uid: Uid, id: string, process = 0) => at(process)['soulmate/accept'](callerOf(uid), { id });
  const takeBack = (uid: Uid, from: Uid, process = 0) => at(process)['soulmate/takeBack'](callerOf(uid), { uid: from });
  const inbox = async (uid: Uid) => (await ownPeopleOf(world, uid)).notifications;
  const requestIn = async (uid: Uid) => (await inbox(uid)).find(({ type }) => type === 'soulmate')?.id ?? '';
  const asked = async (uid: Uid) => (await ownPeopleOf(world, uid)).asked.map((one) => one.name);
  /** The last change of their own requests that this person received. */
  const sentLast = async (uid: Uid) => {
    const sent = (await world.changesOf(uid)).flatMap((change) => (change.type === 'soulmate/asked' ? [change] : []));
    return sent.at(-1)?.asked.map((one) => one.name);
  };
  async function friends(): Promise<[Uid, Uid]> {
    const [ada, bob] = [await world.addPerson('Ada'), await world.addPerson('Bob')];
    await world.record.write([userStream(ada), userStream(bob)], (writing) => connect(writing, 'video', ada, bob));
    return [ada, bob];
  }

  async function mateOf(bob: Uid): Promise<Uid> {
    const mate = await world.addPerson();
    await append(world.record.db, 'audio', [{ uid: mate, mate: bob }], 0);
    return mate;
  }
  const invite = (from: Uid, to: Uid) =>
    at(1)['notifications/invite'](callerOf(from), { uid: to, clientId: newClientId() });
  /** So many invitations reach this inbox, each later than what is there. */
  async function receive(bob: Uid, count: number): Promise<void> {
    for (let each = 0; each < count; each += 1) {
      world.clock.advance(1000);
      await invite(await mateOf(bob), bob);
    }
    world.clock.advance(1000);
  }
  const remove = (uid: Uid) => world.removePerson(uid);

  test.each([
    ['accepted', async (bob: Uid) => await accept(bob, await requestIn(bob))],
    ['declined', async (bob: Uid) => await at(0)['soulmate/decline'](callerOf(bob), { id: await requestIn(bob) })],
    [
      'dismissed',
      async (bob: Uid) => await at(0)['notifications/dismiss'](callerOf(bob), { id: await requestIn(bob) }),
    ],
    [
      'ended by a block',
      async (bob: Uid, ada: Uid) => await at(0)['chats/block'](callerOf(bob), { uid: ada, isBlocked: true }),
    ],
    ['taken back', async (bob: Uid, ada: Uid) => await takeBack(ada, bob)],
    [
      'pushed out by newer invitations',
      async (bob: Uid) => {
        await receive(bob, limits.notifications - 1);
        return await invite(await mateOf(bob), bob);
      },
    ],
    [
      'pushed out by a newer request',
      async (bob: Uid) => {
        await receive(bob, limits.notifications - 1);
        return await ask(await mateOf(bob), bob);
      },
    ],
    ['ended with the account of who was asked', async (bob: Uid) => ({ ok: true, value: await remove(bob) })],
  ])('a request waits for who asked, after a reload too, until it is %s', async (_, end) => {
    const [ada, bob] = await friends();
    await ask(ada, bob);
    expect([await asked(ada), await sentLast(ada), await asked(bob)]).toEqual([['Bob'], ['Bob'], []]);
    expect(await end(bob, ada)).toMatchObject({ ok: true });
    expect([await asked(ada), await sentLast(ada)]).toEqual([[], []]);
  });

  test('a request that was taken back is gone from the inbox and can’t be accepted; twice is once', async () => {
    const [ada, bob] = await friends();
    await ask(ada, bob);
    const id = await requestIn(bob);
    expect([await takeBack(ada, bob), await takeBack(ada, bob)]).toEqual([done, done]);
    expect(await inbox(bob)).toEqual([]);
    expect(await world.changesOf(bob)).toContainEqual({ type: 'notifications/removed', id });
    expect(await accept(bob, id)).toEqual({ ok: false, error: { code: 'access/not-found' } });
  });

  test('taking back touches only one’s own request', async () => {
    const [ada, bob] = await friends();
    await ask(bob, ada);
    expect(await takeBack(ada, bob)).toEqual(done);
    expect(await asked(bob)).toEqual(['Ada']);
  });

  test('of taking back and accepting at once one comes first, and nothing waits afterwards', async () => {
    for (let round = 0; round < 6; round += 1) {
      const [ada, bob] = await friends();
      await ask(ada, bob);
      const id = await requestIn(bob);
      const acts = [() => takeBack(ada, bob, 0), () => accept(bob, id, 1)];
      const [first, second] = round % 2 === 0 ? acts : acts.toReversed();
      await Promise.all([first?.(), second?.()]);
      const [adas, bobs] = await Promise.all([ada, bob].map((uid) => soulmateOf(world.record.db, uid)));
      expect([
        [bob, ada],
        [null, null],
      ]).toContainEqual([adas, bobs]);
      expect([await asked(ada), await inbox(bob)]).toEqual([[], []]);
    }
  });

  test('a user reads which of their tunemates have a soulmate, and nothing of other people', async () => {
    const [ada, bob] = await friends();
    const [cleo, dan] = await friends();
    for (const [one, other] of [
      [cleo, dan],
      [ada, cleo],
    ] as const) {
      await world.record.write([userStream(one), userStream(other)], (writing) =>
        connect(writing, 'audio', one, other),
      );
    }
    await ask(cleo, dan);
    await accept(dan, await requestIn(dan));
    const taken = (uid: Uid) => at(0)['soulmate/taken'](callerOf(uid), {});
    expect(await taken(ada)).toEqual({ ok: true, value: { uids: [cleo] } });
    expect(await taken(bob)).toEqual({ ok: true, value: { uids: [] } });
  });
});

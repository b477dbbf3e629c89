import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { newClientId } from '@tunemate/testkit/answers';
import { callerOf } from '@tunemate/testkit/worlds/people';
import { openPeopleWorld, type PeopleWorld } from '@tunemate/testkit/worlds/people-world';
import { ownPeopleOf } from '@tunemate/testkit/worlds/own-people';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits, userStream, type Uid } from '@tunemate/protocol';
import { append, connect } from '../tunemates/tunemates.ts';
import { soulmateOf } from '../people/ties.ts';

const done = { ok: true, value: {} };
const refused = (code: string) => ({ ok: false, error: { code } });

describeEachDialect('soulmates', (makeDatabaseUrl, dialect) => {
  let world: PeopleWorld;
  beforeAll(async () => {
    world = await openPeopleWorld(makeDatabaseUrl, dialect, { processes: 3 });
  });
  afterAll(() => world.close());

  const handlersOf = (process: number) => (world.processes[process % world.processes.length] ?? world).handlers;
  const ask = (from: Uid, to: Uid, clientId = newClientId(), process = 0) =>
    handlersOf(process)['soulmate/ask'](callerOf(from), { uid: to, clientId });
  const accept = (uid: Uid, id: string, process = 0) => handlersOf(process)['soulmate/accept'](callerOf(uid), { id });
  const decline = (uid: Uid, id: string) => handlersOf(0)['soulmate/decline'](callerOf(uid), { id });
  const part = (uid: Uid, process = 0) => handlersOf(process)['soulmate/part'](callerOf(uid), {});
  const inbox = async (uid: Uid) => (await ownPeopleOf(world, uid)).notifications;
  const soulmate = (uid: Uid) => soulmateOf(world.record.db, uid);
  const soulmates = (...uids: Uid[]) => Promise.all(uids.map(soulmate));

  /** People who have each other on their lists. */
  async function friends(count: number): Promise<Uid[]> {
    const uids = await Promise.all(Array.from({ length: count }, (_, index) => world.addPerson(`Friend ${index}`)));
    for (const uid of uids) {
      for (const mate of uids) if (mate !== uid) await append(world.record.db, 'video', [{ uid: uid, mate: mate }], 0);
    }
    return uids;
  }
  async function pair(): Promise<[Uid, Uid]> {
    return (await friends(2)) as [Uid, Uid];
  }
  /** Asks, and answers the id of the notification that carries the request. */
  async function asked(from: Uid, to: Uid): Promise<string> {
    expect(await ask(from, to)).toEqual(done);
    const notice = (await inbox(to)).find(({ senderUid, type }) => senderUid === from && type === 'soulmate');
    return notice?.id ?? '';
  }
  async function bonded(): Promise<[Uid, Uid]> {
    const [ada, bob] = await pair();
    await accept(bob, await asked(ada, bob));
    return [ada, bob];
  }

  describe('asking', () => {
    test('puts a request into the other’s inbox, once for one client id', async () => {
      const [ada, bob] = await pair();
      const clientId = newClientId();
      expect(await Promise.all([ask(ada, bob, clientId, 0), ask(ada, bob, clientId, 1)])).toEqual([done, done]);
      expect(await inbox(bob)).toMatchObject([
        { type: 'soulmate', senderUid: ada, message: 'Friend 0 asks you to be soulmates', room: null },
      ]);
      expect(await world.changesOf(bob)).toHaveLength(1);
    });

    test('a client id that asked one person can’t ask another', async () => {
      const [ada, bob, eve] = (await friends(3)) as [Uid, Uid, Uid];
      const clientId = newClientId();
      expect(await ask(ada, bob, clientId)).toEqual(done);
      expect(await ask(ada, eve, clientId)).toEqual(refused('input/conflict'));
      expect(await inbox(eve)).toEqual([]);
    });

    test('is open to people who have a chat', async () => {
      const [ada, bob] = [await world.addPerson(), await world.addPerson()];
      expect(await ask(ada, bob)).toEqual(refused('access/forbidden'));
      const message = { uid: ada, text: 'hello', clientId: newClientId() };
      expect(await world.handlers['chats/send'](callerOf(bob), message)).toMatchObject({ ok: true });
      expect(await ask(ada, bob)).toEqual(done);
    });

    test('a request to oneself, to an unknown or blocked person or to a stranger is refused', async () => {
      const [ada, bob] = await pair();
      expect(await ask(ada, ada)).toEqual(refused('input/invalid'));
      expect(await ask(ada, 'z'.repeat(22) as Uid)).toEqual(refused('access/not-found'));
      expect(await ask(ada, await world.addPerson())).toEqual(refused('access/forbidden'));
      await world.handlers['chats/block'](callerOf(bob), { uid: ada, isBlocked: true });
      expect(await ask(ada, bob)).toEqual(refused('access/forbidden'));
      expect(await inbox(bob)).toEqual([]);
    });

    test('refuses when either already has one', async () => {
      const [ada, bob, eve] = (await friends(3)) as [Uid, Uid, Uid];
      await accept(bob, await asked(ada, bob));
      expect(await ask(ada, eve)).toEqual(refused('soulmate/self-taken'));
      expect(await ask(eve, ada)).toEqual(refused('soulmate/taken'));
    });
  });

  describe('accepting and declining', () => {
    test('accepting links both, removes the notification and notifies both (SOUL-4)', async () => {
      const [ada, bob] = await pair();
      const id = await asked(ada, bob);
      const presence = { state: 'offline', last_changed: 0 };
      const card = { uid: ada, name: 'Friend 0', presence: { uid: ada, ...presence } };
      expect(await accept(bob, id)).toEqual({ ok: true, value: { soulmate: card } });
      expect(await soulmates(ada, bob)).toEqual([bob, ada]);
      expect(await inbox(bob)).toEqual([]);
      expect((await ownPeopleOf(world, bob)).soulmate).toEqual(card);
      expect((await world.changesOf(bob)).slice(1)).toEqual([
        { type: 'notifications/removed', id },
        { type: 'soulmate/changed', soulmate: card },
      ]);
      expect((await world.changesOf(ada)).slice(1)).toMatchObject([
        { type: 'soulmate/asked', asked: [] },
        { type: 'soulmate/changed', soulmate: { uid: bob } },
      ]);
    });

    test('answers a second accept like the first, also at the same moment (SOUL-5)', async () => {
      const [ada, bob] = await pair();
      const id = await asked(ada, bob);
      const answers = await Promise.all([accept(bob, id, 0), accept(bob, id, 1), accept(bob, id, 2)]);
      for (const answer of answers) expect(answer).toMatchObject({ ok: true, value: { soulmate: { uid: ada } } });
      expect(await accept(bob, id)).toEqual(answers[0]);
      expect((await world.changesOf(ada)).filter(({ type }) => type === 'soulmate/changed')).toHaveLength(1);
    });

    test('a second accept links no pair anew after the two have parted (SOUL-5)', async () => {
      const [ada, bob, eve] = (await friends(3)) as [Uid, Uid, Uid];
      const id = await asked(ada, bob);
      await accept(bob, id);
      await part(ada);
      expect(await accept(bob, id)).toEqual(refused('access/not-found'));
      await accept(bob, await asked(eve, bob));
      expect(await accept(bob, id)).toEqual(refused('access/not-found'));
      expect(await soulmates(ada, bob, eve)).toEqual([null, eve, bob]);
    });

    test('accepting is refused once the sender has a soulmate, and the request is removed', async () => {
      const [bob, eve, kim] = (await friends(3)) as [Uid, Uid, Uid];
      const [toBob, toEve] = [await asked(eve, bob), await asked(kim, eve)];
      await accept(eve, toEve);
      expect(await accept(bob, toBob)).toEqual(refused('soulmate/taken'));
      expect(await inbox(bob)).toEqual([]);
      expect(await soulmates(bob, eve, kim)).toEqual([null, kim, eve]);
    });

    test('accepting is refused for a person who has another soulmate meanwhile', async () => {
      const [ada, bob, eve] = (await friends(3)) as [Uid, Uid, Uid];
      const [fromAda, fromEve] = [await asked(ada, bob), await asked(eve, bob)];
      await accept(bob, fromAda);
      expect(await accept(bob, fromEve)).toEqual(refused('soulmate/self-taken'));
      expect(await inbox(bob)).toEqual([]);
      expect(await soulmates(ada, bob, eve)).toEqual([bob, ada, null]);
    });

    test('accepting answers not-found when the sender was deleted or blocked meanwhile', async () => {
      const [ada, bob, eve] = (await friends(3)) as [Uid, Uid, Uid];
      const [fromAda, fromEve] = [await asked(ada, bob), await asked(eve, bob)];
      await world.record.db.updateTable('users').set({ deleted_at_ms: 1 }).where('uid', '=', ada).execute();
      await world.handlers['chats/block'](callerOf(eve), { uid: bob, isBlocked: true });
      for (const id of [fromAda, fromEve]) expect(await accept(bob, id)).toEqual(refused('access/not-found'));
      expect(await inbox(bob)).toEqual([]);
    });

    test('another person’s request is not found, nor one that was declined', async () => {
      const [ada, bob] = await pair();
      const id = await asked(ada, bob);
      expect(await accept(ada, id)).toEqual(refused('access/not-found'));
      expect(await decline(ada, id)).toEqual(refused('access/not-found'));
      expect(await decline(bob, id)).toEqual(done);
      expect(await accept(bob, id)).toEqual(refused('access/not-found'));
      expect(await soulmates(ada, bob)).toEqual([null, null]);
    });

    test('does not take an invitation for a request', async () => {
      const [ada, bob] = await pair();
      await world.handlers['notifications/invite'](callerOf(ada), { uid: bob, clientId: newClientId() });
      const id = (await inbox(bob))[0]?.id ?? '';
      expect(await accept(bob, id)).toEqual(refused('access/not-found'));
      expect(await decline(bob, id)).toEqual(refused('access/not-found'));
      expect(await inbox(bob)).toHaveLength(1);
    });
  });

  describe('races', () => {
    test('consumes both of two crossing requests with one accept (SOUL-9)', async () => {
      const [ada, bob] = await pair();
      const [fromAda, fromBob] = [await asked(ada, bob), await asked(bob, ada)];
      await accept(bob, fromAda);
      expect([await inbox(ada), await inbox(bob)]).toEqual([[], []]);
      expect(await accept(ada, fromBob)).toMatchObject({ ok: true, value: { soulmate: { uid: bob } } });
    });

    test('one link is made when both accept crossing requests at the same moment (SOUL-9)', async () => {
      const [ada, bob] = await pair();
      const [fromAda, fromBob] = [await asked(ada, bob), await asked(bob, ada)];
      const answers = await Promise.all([accept(bob, fromAda, 1), accept(ada, fromBob, 2)]);
      expect(answers).toMatchObject([{ ok: true }, { ok: true }]);
      expect(await soulmates(ada, bob)).toEqual([bob, ada]);
      expect((await world.changesOf(ada)).filter(({ type }) => type === 'soulmate/changed')).toHaveLength(1);
    });

    test('lets exactly one of two competing accepts succeed (SOUL-10)', async () => {
      for (let round = 0; round < 5; round += 1) {
        const [ada, bob, eve] = (await friends(3)) as [Uid, Uid, Uid];
        const [toAda, toEve] = [await asked(bob, ada), await asked(ada, eve)];
        const answers = await Promise.all([accept(ada, toAda, 1), accept(eve, toEve, 2)]);
        expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
        expect([await inbox(ada), await inbox(eve)]).toEqual([[], []]);
        const winner = answers[0]?.ok ? bob : eve;
        expect(await soulmate(ada)).toBe(winner);
        expect(await soulmate(winner)).toBe(ada);
        expect(await soulmate(winner === bob ? eve : bob)).toBeNull();
      }
    });

    test('parting ends the link on both sides and notifies both', async () => {
      const [ada, bob] = await bonded();
      expect(await part(ada)).toEqual(done);
      expect(await soulmates(ada, bob)).toEqual([null, null]);
      for (const uid of [ada, bob]) {
        expect((await world.changesOf(uid)).at(-1)).toEqual({ type: 'soulmate/changed', soulmate: null });
      }
      expect(await part(ada)).toEqual(done);
    });

    test('parts once when both part at the same moment', async () => {
      const [ada, bob] = await bonded();
      await Promise.all([part(ada, 1), part(bob, 2)]);
      expect((await world.changesOf(ada)).filter(({ type }) => type === 'soulmate/changed')).toHaveLength(2);
    });

    test('when parting and accepting happen at once both have a soulmate or neither has (SOUL-12)', async () => {
      for (let round = 0; round < 5; round += 1) {
        const [ada, bob, eve] = (await friends(3)) as [Uid, Uid, Uid];
        const toAda = await asked(eve, ada);
        await accept(bob, await asked(ada, bob));
        await Promise.all([part(bob, 1), accept(ada, toAda, 2)]);
        expect(await soulmate(bob)).toBeNull();
        const other = await soulmate(ada);
        expect(await soulmate(eve)).toBe(other === null ? null : ada);
        expect([eve, null]).toContain(other);
      }
    });

    test('deleting an account ends the link of its soulmate', async () => {
      const [ada, bob] = await bonded();
      await world.removePerson(ada);
      expect(await soulmate(bob)).toBeNull();
      expect(await world.changesOf(bob)).toContainEqual({ type: 'soulmate/changed', soulmate: null });
    });
  });
});

/** Soulmate requests that wait, as who asked sees them, and taking them back. */
describeEachDialect('soulmate requests that wait', (makeDatabaseUrl, dialect) => {
  const done = { ok: true, value: {} };

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

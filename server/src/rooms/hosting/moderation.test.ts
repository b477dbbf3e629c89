/** Removing people from a room and locking it, and what races with that. */
import { limits, hostStream, userStream, roomStream } from '@tunemate/protocol';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const remove = (host: Tab, whom: Tab, room: Room, forGood = false) =>
  host.ask('rooms/removeParticipant', { ...room, uid: whom.uid, forGood });
const lock = (host: Tab, room: Room, isLocked = true) => host.ask('rooms/set', { ...room, settings: { isLocked } });

describeEachDialect('moderation of a room', (makeDatabaseUrl, dialect) => {
  let w: SocketWorld;
  beforeAll(async () => {
    w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
  });
  afterAll(() => w.close());

  describe.each([kindOn(dialect)])('of kind %s', (kind) => {
    /** Mara hosts, Ada and Ivo are inside. */
    async function roomOfThree() {
      const [mara, ada, ivo] = [await w.arrive('Mara'), await w.arrive('Ada'), await w.arrive('Ivo')];
      return { mara, ada, ivo, ...(await w.roomWith(mara, kind, ada, ivo)) };
    }

    test('all tabs of a removed person lose the room at once, and the others go on (ORDER-9)', async () => {
      const { mara, ada, ivo, room, stream } = await roomOfThree();
      const second = await w.connect(ivo);
      valueOf(await second.ask('rooms/enter', room));
      valueOf(await remove(mara, ivo, room));
      const left = { type: 'rooms/participantLeft', uid: ivo.uid, people: 2, removed: 'for-now' };
      for (const tab of [mara, ada, ivo, second]) await expect.poll(() => tab.changes(stream).at(-1)).toEqual(left);
      valueOf(await lock(mara, room));
      await expect.poll(() => ada.changes(stream).at(-1)).toEqual({ type: 'rooms/set', settings: { isLocked: true } });
      for (const tab of [ivo, second]) {
        expect(tab.changes(stream).at(-1)).toEqual(left);
        expect(codeOf(await tab.ask('rooms/enter', room))).toBe('room/removed');
      }
      expect(codeOf(await remove(mara, ivo, room))).toBe('access/not-found');
      expect(codeOf(await remove(mara, mara, room))).toBe('input/invalid');
    });

    test('a person who was removed may ask again after ten minutes, and not before (ORDER-10)', async () => {
      const { mara, ivo, room } = await roomOfThree();
      valueOf(await remove(mara, ivo, room));
      const refused = await ivo.ask('rooms/askToJoin', room);
      expect(refused).toEqual({
        ok: false,
        error: { code: 'room/removed', retryAfterMs: limits.askAgainAfterRemovalMs },
      });
      w.clock.advance(limits.askAgainAfterRemovalMs);
      expect(valueOf(await ivo.ask('rooms/askToJoin', room)).status).toBe('pending');
      valueOf(await mara.ask('rooms/acceptRequest', { ...room, uid: ivo.uid }));
      expect(codeOf(await ivo.ask('rooms/enter', room))).toBe('ok');
    });

    test('a person who was removed for good can’t ask again (ORDER-10)', async () => {
      const { mara, ivo, room } = await roomOfThree();
      valueOf(await remove(mara, ivo, room, true));
      w.clock.advance(limits.askAgainAfterRemovalMs);
      expect(await ivo.ask('rooms/askToJoin', room)).toEqual({ ok: false, error: { code: 'room/removed' } });
      valueOf(await mara.ask('rooms/leave', room));
      expect(codeOf(await ivo.ask('rooms/enter', room))).toBe('room/not-found');
    });

    test('an invitation from before the removal lets no person back in (ORDER-10)', async () => {
      const { mara, ivo, room } = await roomOfThree();
      valueOf(await ivo.ask('rooms/leave', { ...room, ends: false }));
      valueOf(await mara.ask('notifications/invite', { clientId: newClientId(), uid: ivo.uid }));
      expect(valueOf(await ivo.ask('rooms/askToJoin', room)).status).toBe('member');
      valueOf(await remove(mara, ivo, room));
      w.clock.advance(limits.askAgainAfterRemovalMs);
      expect(valueOf(await ivo.ask('rooms/askToJoin', room)).status).toBe('pending');
    });

    test('a locked room refuses new join requests and keeps the pending ones (ORDER-11)', async () => {
      const { mara, ada, room, stream } = await roomOfThree();
      const [early, late] = [await w.arrive('Early'), await w.arrive('Late')];
      valueOf(await early.ask('rooms/askToJoin', room));
      valueOf(await lock(mara, room));
      await expect.poll(() => ada.changes(stream).at(-1)).toEqual({ type: 'rooms/set', settings: { isLocked: true } });
      const { seq } = valueOf(await ada.ask('rooms/enter', room));
      valueOf(await lock(mara, room));
      expect(valueOf(await ada.ask('rooms/enter', room)).seq).toBe(seq);
      expect(codeOf(await late.ask('rooms/askToJoin', room))).toBe('room/locked');
      expect(valueOf(await early.ask('rooms/askToJoin', room)).status).toBe('pending');
      expect(valueOf(await ada.ask('rooms/enter', room)).room.isLocked).toBe(true);
      valueOf(await mara.ask('rooms/acceptRequest', { ...room, uid: early.uid }));
      valueOf(await lock(mara, room, false));
      expect(valueOf(await late.ask('rooms/askToJoin', room)).status).toBe('pending');
    });

    test('of removing and accepting a person at once one comes first, for all alike (ORDER-12)', async () => {
      const { mara, ada, room, stream } = await roomOfThree();
      const [noor, second] = [await w.arrive('Noor'), await w.connect(mara)];
      valueOf(await noor.ask('rooms/askToJoin', room));
      const [removed, accepted] = await Promise.all([
        remove(second, noor, room),
        mara.ask('rooms/acceptRequest', { ...room, uid: noor.uid }),
      ]);
      expect([codeOf(accepted), codeOf(removed)]).toEqual(['ok', removed.ok ? 'ok' : 'access/not-found']);
      const sent = () => ada.changes(stream).flatMap((change) => ('removed' in change ? [change.removed] : []));
      if (removed.ok) await expect.poll(sent).toEqual(['for-now']);
      expect(codeOf(await noor.ask('rooms/enter', room))).toBe(removed.ok ? 'room/removed' : 'ok');
      const { participants } = valueOf(await ada.ask('rooms/enter', room)).room;
      expect(participants.some(({ uid }) => uid === noor.uid)).toBe(!removed.ok);
    });

    test('of locking and asking at once one comes first: a request is there, or refused (ORDER-12)', async () => {
      const { mara, room } = await roomOfThree();
      const noor = await w.arrive('Noor');
      const [, asked] = await Promise.all([lock(mara, room), noor.ask('rooms/askToJoin', room)]);
      expect(['ok', 'room/locked']).toContain(codeOf(asked));
      const waiting = valueOf(await mara.ask('rooms/enter', room)).requests.map(({ uid }) => uid);
      expect(waiting).toEqual(asked.ok ? [noor.uid] : []);
    });

    test('of removing a person and their taking over at once one comes first, and the room has a host (ORDER-12)', async () => {
      const { mara, ada, ivo, room } = await roomOfThree();
      valueOf(await mara.ask('rooms/offerHosting', { ...room, uid: ada.uid, leaves: false }));
      const [removed, taken] = await Promise.all([
        remove(mara, ada, room),
        ada.ask('rooms/answerHosting', { ...room, tabId: ada.tabId, takes: true }),
      ]);
      const { host } = valueOf(await ivo.ask('rooms/enter', room)).room;
      const outcome = [codeOf(removed), codeOf(taken)];
      if (taken.ok) expect([...outcome, host]).toEqual(['room/host-only', 'ok', ada.uid]);
      else expect([...outcome, host]).toEqual(['ok', 'room/removed', mara.uid]);
    });
  });
});

/** What a block does in the rooms of the one who set it. */
describeEachDialect('a block in a room', (makeDatabaseUrl, dialect) => {
  const block = async (by: Tab, whom: Tab, isBlocked = true) =>
    valueOf(await by.ask('chats/block', { uid: whom.uid, isBlocked }));

  describe.each([kindOn(dialect)])('of kind %s', (kind) => {
    test('a block removes the blocked person as a host removes any person; later they wait unseen (ROOM-20, BLOCK-205)', async () => {
      const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
      const [mara, ivo, ada] = [await w.arrive('Mara'), await w.arrive('Ivo'), await w.arrive('Ada')];
      const { room, roomId } = await w.roomWith(mara, kind, ivo, ada);
      await block(mara, ivo);
      const left = { type: 'rooms/participantLeft', uid: ivo.uid, people: 2, removed: 'for-now' };
      await expect
        .poll(() => [mara, ivo, ada].map((tab) => tab.changes(roomStream(roomId)).at(-1)))
        .toEqual([left, left, left]);
      expect(codeOf(await ivo.ask('rooms/enter', room))).toBe('room/removed');
      expect(codeOf(await ivo.ask('rooms/askToJoin', room))).toBe('room/removed');
      await w.pass(10 * 60 * 1000 + 1);
      expect(valueOf(await ivo.ask('rooms/askToJoin', room)).status).toBe('pending');
      expect(valueOf(await mara.ask('rooms/enter', room))).toMatchObject({
        requests: [],
        room: { participants: [{ uid: mara.uid }, { uid: ada.uid }] },
      });
      expect(ivo.changes(userStream(ivo.uid)).map(({ type }) => type)).not.toContain('chats/blocked');
    });

    test('a block removes a pending request from the host’s list, and the requester is not notified (ROOM-21)', async () => {
      const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
      const [mara, ivo] = [await w.arrive('Mara'), await w.arrive('Ivo')];
      const room = await w.room(mara, kind);
      const { roomId } = valueOf(await mara.ask('rooms/enter', room)).room;
      valueOf(await ivo.ask('rooms/askToJoin', room));
      await block(mara, ivo);
      await expect
        .poll(() =>
          mara
            .changes(hostStream(roomId))
            .flatMap((change) => (change.type === 'rooms/requestChanged' ? [change.request.status] : [])),
        )
        .toEqual(['pending', null]);
      expect(valueOf(await ivo.ask('rooms/renewRequest', room)).status).toBe('pending');
      expect(ivo.changes(userStream(ivo.uid)).filter(({ type }) => type === 'rooms/requestAnswered')).toEqual([]);
      await block(mara, ivo, false);
      expect(valueOf(await mara.ask('rooms/enter', room)).requests).toMatchObject([
        { uid: ivo.uid, status: 'pending' },
      ]);
    });

    test('taking a room over removes guests whom the new host has blocked, as a block does (ROOM-23)', async () => {
      const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
      const [mara, ivo, ada, noor] = [
        await w.arrive('Mara'),
        await w.arrive('Ivo'),
        await w.arrive('Ada'),
        await w.arrive('Noor'),
      ];
      const { room, roomId } = await w.roomWith(mara, kind, ivo, ada, noor);
      await block(ada, ivo);
      await block(ada, mara);
      await block(noor, ada);
      valueOf(await mara.ask('rooms/offerHosting', { ...room, uid: ada.uid, leaves: false }));
      valueOf(await ada.ask('rooms/answerHosting', { ...room, tabId: ada.tabId, takes: true }));
      for (const [tab, refusal] of [
        [ivo, 'room/removed'],
        [mara, 'room/removed'],
      ] as const) {
        const left = { type: 'rooms/participantLeft', uid: tab.uid, removed: 'for-now' };
        await expect.poll(() => tab.changes(roomStream(roomId)).at(-1)).toMatchObject(left);
        expect(codeOf(await tab.ask('rooms/enter', room))).toBe(refusal);
      }
      const { participants } = valueOf(await noor.ask('rooms/enter', room)).room;
      expect(participants.map(({ uid }) => uid)).toEqual([ada.uid, noor.uid]);
    });

    test('a host who hands over to a person who has blocked them, and leaves, leaves once (ROOM-23)', async () => {
      const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
      const [mara, ada] = [await w.arrive('Mara'), await w.arrive('Ada')];
      const { room, roomId } = await w.roomWith(mara, kind, ada);
      await block(ada, mara);
      valueOf(await mara.ask('rooms/offerHosting', { ...room, uid: ada.uid, leaves: true }));
      valueOf(await ada.ask('rooms/answerHosting', { ...room, tabId: ada.tabId, takes: true }));
      const left = { type: 'rooms/participantLeft', uid: mara.uid, people: 1 };
      await expect
        .poll(() => ada.changes(roomStream(roomId)).filter(({ type }) => type === 'rooms/participantLeft'))
        .toEqual([left]);
      expect(codeOf(await mara.ask('rooms/enter', room))).toBe('room/not-member');
    });

    test('a member who blocks the host, or another member of a third person’s room, stays a member', async () => {
      const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
      const [mara, ivo, ada] = [await w.arrive('Mara'), await w.arrive('Ivo'), await w.arrive('Ada')];
      const room = await w.room(mara, kind);
      for (const guest of [ivo, ada]) await w.letIn(mara, guest, room);
      await block(ivo, mara);
      await block(ivo, ada);
      for (const guest of [ivo, ada]) expect(codeOf(await guest.ask('rooms/enter', room))).toBe('ok');
    });
  });
});

/** What a block does in the rooms of the one who set it. */
import { hostStream, userStream, roomStream } from '@tunemate/protocol';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { codeOf, valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { describe, expect, test } from 'vitest';

const block = async (by: Tab, whom: Tab, isBlocked = true) =>
  valueOf(await by.ask('chats/block', { uid: whom.uid, isBlocked }));

describeEachDialect('a block in a room', (makeDatabaseUrl, dialect) => {
  describe.each([kindOn(dialect)])('of kind %s', (kind) => {
    test('a block removes the blocked person as a host removes anybody; later they wait unseen (ROOM-20, BLOCK-205)', async () => {
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
      await w.close();
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
      await w.close();
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
      await w.close();
    });

    test('a host who hands over to somebody who has blocked them, and leaves, leaves once (ROOM-23)', async () => {
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
      await w.close();
    });

    test('a member who blocks the host, or another member of a third person’s room, stays a member', async () => {
      const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
      const [mara, ivo, ada] = [await w.arrive('Mara'), await w.arrive('Ivo'), await w.arrive('Ada')];
      const room = await w.room(mara, kind);
      for (const guest of [ivo, ada]) await w.letIn(mara, guest, room);
      await block(ivo, mara);
      await block(ivo, ada);
      for (const guest of [ivo, ada]) expect(codeOf(await guest.ask('rooms/enter', room))).toBe('ok');
      await w.close();
    });
  });
});

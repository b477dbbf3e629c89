/** Invitations to rooms over real databases: whom they let in, and when they end. */
import { type RoomCode, userStream } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { openRoomWorld } from '@tunemate/testkit/worlds/room-world';
import { ownPeopleOf } from '@tunemate/testkit/worlds/own-people';
import type { Caller } from '../../access/caller.ts';
import { append } from '../../tunemates/tunemates.ts';

const hourMs = 3_600_000;

describeEachDialect('invitations', (makeDatabaseUrl, dialect) => {
  describe.each([kindOn(dialect)])('to a room of kind %s', (kind) => {
    /** Mara's room with Theo as a guest; both may invite Ivo. */
    const stage = async () => {
      const w = await openRoomWorld(await makeDatabaseUrl());
      const [host, guest, ivo] = [await w.person('Mara'), await w.person('Theo'), await w.person('Ivo')];
      const room = await w.roomOf(host, kind);
      await w.letIn(host, guest, room);
      const { roomId } = valueOf(await w.handlers['rooms/enter'](host, room)).room;
      for (const { uid, connectionId } of [host, guest]) {
        await append(w.record.db, kind, [{ uid: uid, mate: ivo.uid }], 0);
        const row = { connection_id: connectionId, uid, process_id: 'p', opened_at_ms: 0, room: `${kind}:${roomId}` };
        await w.record.db
          .insertInto('connections')
          .values({ ...row, grace_until_ms: null })
          .execute();
      }
      const invite = async (by: Caller) =>
        valueOf(await w.handlers['notifications/invite'](by, { clientId: newClientId(), uid: ivo.uid }));
      const ask = async () => valueOf(await w.handlers['rooms/askToJoin'](ivo, room)).status;
      const entries = async () => (await ownPeopleOf(w, ivo.uid)).notifications.map((entry) => entry.room);
      return { w, host, guest, ivo, room, invite, ask, entries };
    };

    test('the host’s invitation lets in, for twelve hours', async () => {
      const { w, host, ivo, room, invite, ask, entries } = await stage();
      await invite(host);
      const letsInUntil = w.clock.now() + 12 * hourMs;
      expect(await entries()).toEqual([{ ...room, name: 'Kitchen Radio', letsInUntil, hasEnded: false }]);
      expect(await ask()).toBe('member');
      valueOf(await w.handlers['rooms/leave'](ivo, room));
      w.clock.advance(12 * hourMs);
      expect(await ask()).toBe('pending');
    });

    test('an invitation to a room that is named needs no open page there, and being inside', async () => {
      const { w, host, ivo, room, ask } = await stage();
      await w.record.db.deleteFrom('connections').execute();
      const place = { kind, code: room.code as RoomCode };
      const named = { clientId: newClientId(), uid: ivo.uid, room: place };
      valueOf(await w.handlers['notifications/invite'](host, named));
      valueOf(await w.handlers['notifications/invite'](host, named));
      expect((await ownPeopleOf(w, ivo.uid)).notifications).toMatchObject([{ room: { code: room.code } }]);
      expect(await ask()).toBe('member');
      const stranger = await w.person('Eve');
      await append(w.record.db, kind, [{ uid: stranger.uid, mate: ivo.uid }], 0);
      const foreign = { ...named, clientId: newClientId() };
      expect(codeOf(await w.handlers['notifications/invite'](stranger, foreign))).toBe('room/not-member');
    });

    test('the host’s invitation lets in a person whom they declined before', async () => {
      const { w, host, ivo, room, invite, ask } = await stage();
      expect(await ask()).toBe('pending');
      valueOf(await w.handlers['rooms/rejectRequest'](host, { ...room, uid: ivo.uid }));
      w.clock.advance(1);
      await invite(host);
      expect(await ask()).toBe('member');
    });

    test('a guest’s invitation leads to asking, and takes nothing from the host’s', async () => {
      const { w, host, guest, ivo, room, invite, ask, entries } = await stage();
      await invite(guest);
      expect(await entries()).toMatchObject([{ code: room.code, letsInUntil: null }]);
      expect(await ask()).toBe('pending');
      valueOf(await w.handlers['rooms/cancelRequest'](ivo, room));
      await invite(host);
      await invite(guest);
      expect(await ask()).toBe('member');
    });

    test('every invited user receives the end of the room once, and their entries say so', async () => {
      const { w, host, guest, ivo, room, invite, entries } = await stage();
      await invite(host);
      await invite(guest);
      valueOf(await w.handlers['rooms/leave'](host, room));
      const sent = (await w.changesOf(userStream(ivo.uid))).filter(({ type }) => type === 'notifications/roomEnded');
      expect(sent).toEqual([{ type: 'notifications/roomEnded', ...room }]);
      expect((await entries()).map((entry) => entry?.hasEnded)).toEqual([true, true]);
      expect(await w.record.db.selectFrom('room_invitations').selectAll().execute()).toEqual([]);
    });

    test('a block ends the invitation for good', async () => {
      const { w, host, ivo, invite, ask } = await stage();
      await invite(host);
      const block = async (isBlocked: boolean) =>
        valueOf(await w.handlers['chats/block'](host, { uid: ivo.uid, isBlocked }));
      await block(true);
      await block(false);
      expect(await ask()).toBe('pending');
    });

    test('of a block and an ask at once the blocked person ends outside', async () => {
      const { w, host, ivo, room, invite } = await stage();
      await invite(host);
      await Promise.all([
        w.handlers['rooms/askToJoin'](ivo, room),
        w.handlers['chats/block'](host, { uid: ivo.uid, isBlocked: true }),
      ]);
      const { participants } = valueOf(await w.handlers['rooms/enter'](host, room)).room;
      expect(participants.map(({ name }) => name)).toEqual(['Mara', 'Theo']);
    });
  });

  test('people who are offline can be invited', async () => {
    const w = await openRoomWorld(await makeDatabaseUrl());
    const [host, ivo] = [await w.person('Mara'), await w.person('Ivo')];
    await w.record.db.updateTable('users').set({ soulmate: ivo.uid, online: 0 }).execute();
    const invited = await w.handlers['notifications/invite'](host, { clientId: newClientId(), uid: ivo.uid });
    expect(invited.ok).toBe(true);
  });
});

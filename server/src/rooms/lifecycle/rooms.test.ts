/** Rooms, requests and room chat over real databases: every rule for both kinds. */
import { hostStream, userStream, type RoomKind, roomKinds, roomStream, type Uid } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { forgetAnswersUntil } from '../../storage/idempotency.ts';
import type { Caller } from '../../access/caller.ts';
import { entriesOf } from '../../tunemates/tunemates.ts';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { newClientId, refusalOf, valueOf } from '@tunemate/testkit/answers';
import { openRoomWorld, type RoomWorld } from '@tunemate/testkit/worlds/room-world';
import { roomTables } from '../../storage/schema.ts';

const minuteMs = 60_000;

/** The requester's changes about their requests, in order. */
async function answersTo(w: RoomWorld, { uid }: { uid: Uid }): Promise<string[]> {
  const changes = await w.changesOf(userStream(uid));
  return changes.flatMap((change) => (change.type === 'rooms/requestAnswered' ? [change.answer] : []));
}

/** Who is on this person's lists, and where they met. */
const metBy = async (w: RoomWorld, { uid }: { uid: Uid }) =>
  (await entriesOf(w.record.db, uid)).map(({ kind, mate }) => ({ kind, mate }));

/** The host's changes about requests to join, in order. */
async function requestsSent(w: RoomWorld, host: Caller, room: { kind: RoomKind; code: string }) {
  const { roomId } = valueOf(await w.handlers['rooms/enter'](host, room)).room;
  const changes = await w.changesOf(hostStream(roomId));
  return changes.flatMap((change) =>
    change.type === 'rooms/requestChanged' ? [[change.request.uid, change.request.status]] : [],
  );
}

describeEachDialect('rooms', (makeDatabaseUrl, dialect) => {
  const world = async (): Promise<RoomWorld> => await openRoomWorld(await makeDatabaseUrl());

  describe.each([kindOn(dialect)])('of kind %s', (kind) => {
    test('a created room has a six-character code of 0-9 and A-F and its host inside (ROOM-1)', async () => {
      const w = await world();
      const host = await w.person('Mara');
      const room = await w.roomOf(host, kind);
      expect(room.code).toMatch(/^[0-9A-F]{6}$/);
      const snapshot = valueOf(await w.handlers['rooms/enter'](host, room));
      expect(snapshot.room.participants.map((each) => each.name)).toEqual(['Mara']);
      expect(snapshot.playback).toMatchObject({ kind, isPlaying: false, currentTime: 0 });
      expect(snapshot.room).toMatchObject({
        ...{ isActive: true, hostAwaySince: null, handOver: null },
        ...{ isLocked: false, everyoneAdds: false, majoritySkips: false },
      });
      expect(snapshot.hostSettings).toEqual({ admits: 'nobody', friendsSee: true });
    });

    test('the same client id creates one room; another name under it is a conflict (ROOM-2)', async () => {
      const w = await world();
      const host = await w.person('Mara');
      const clientId = newClientId();
      const first = valueOf(await w.handlers['rooms/create'](host, { clientId, kind, name: 'One' }));
      const again = valueOf(await w.handlers['rooms/create'](host, { clientId, kind, name: 'One' }));
      expect(again).toEqual(first);
      expect(refusalOf(await w.handlers['rooms/create'](host, { clientId, kind, name: 'Two' }))).toBe('input/conflict');
    });

    test('the client id of a room that has ended creates another one', async () => {
      const w = await world();
      const host = await w.person('Mara');
      const asked = { clientId: newClientId(), kind, name: 'One' } as const;
      const ended = valueOf(await w.handlers['rooms/create'](host, asked));
      valueOf(await w.handlers['rooms/leave'](host, { kind, code: ended.code }));
      const { code } = valueOf(await w.handlers['rooms/create'](host, asked));
      expect(valueOf(await w.handlers['rooms/mine'](host, {})).rooms).toMatchObject([{ code }]);
    });

    test('a code that another live room has is drawn again, and not for ever (ROOM-1)', async () => {
      const w = await world();
      const host = await w.person('Mara');
      const codes = ['ABCDEF', 'ABCDEF', '012345'];
      Object.assign(w.ids, { newRoomCode: () => codes.shift() ?? 'ABCDEF' });
      expect([(await w.roomOf(host, kind)).code, (await w.roomOf(host, kind)).code]).toEqual(['ABCDEF', '012345']);
      await expect(w.roomOf(host, kind)).rejects.toMatchObject({ message: expect.stringMatching(/unique/i) as string });
      expect((await w.record.db.selectFrom(roomTables[kind].rooms).selectAll().execute()).length).toBe(2);
    });

    test('a host has at most five live rooms (ROOM-3)', async () => {
      const w = await world();
      const host = await w.person('Mara');
      for (let n = 0; n < 5; n += 1) await w.roomOf(host, kind);
      const sixth = await w.handlers['rooms/create'](host, { clientId: newClientId(), kind, name: 'Six' });
      expect(refusalOf(sixth)).toBe('room/too-many-live-rooms');
    });

    test('a code of the other kind, or of no room, is not found (ROOM-4)', async () => {
      const w = await world();
      const host = await w.person('Mara');
      const { code } = await w.roomOf(host, kind);
      const other = roomKinds.find((each) => each !== kind) ?? kind;
      expect(refusalOf(await w.handlers['rooms/lookUp'](host, { kind: other, code }))).toBe('room/not-found');
      expect(refusalOf(await w.handlers['rooms/askToJoin'](host, { kind: other, code }))).toBe('room/not-found');
    });

    test('asking leaves one pending request that the host learns of, however often it is asked (JOIN-1)', async () => {
      const w = await world();
      const [host, guest] = [await w.person('Mara'), await w.person('Ivo')];
      const room = await w.roomOf(host, kind);
      expect(valueOf(await w.handlers['rooms/askToJoin'](guest, room)).status).toBe('pending');
      expect(valueOf(await w.handlers['rooms/askToJoin'](guest, room)).status).toBe('pending');
      expect(await requestsSent(w, host, room)).toEqual([[guest.uid, 'pending']]);
      expect(valueOf(await w.handlers['rooms/enter'](host, room)).requests).toMatchObject([
        { name: 'Ivo', status: 'pending' },
      ]);
    });

    test('the host and a participant are straight in (JOIN-2)', async () => {
      const w = await world();
      const [host, guest] = [await w.person('Mara'), await w.person('Ivo')];
      const room = await w.roomOf(host, kind);
      await w.letIn(host, guest, room);
      expect(valueOf(await w.handlers['rooms/askToJoin'](host, room)).status).toBe('member');
      expect(valueOf(await w.handlers['rooms/askToJoin'](guest, room)).status).toBe('member');
    });

    test('accepting makes the requester a member, notifies them and lists both once, however often it is sent (JOIN-3)', async () => {
      const w = await world();
      const [host, guest] = [await w.person('Mara'), await w.person('Ivo')];
      const room = await w.roomOf(host, kind);
      await w.letIn(host, guest, room);
      valueOf(await w.handlers['rooms/acceptRequest'](host, { ...room, uid: guest.uid }));
      expect(await metBy(w, guest)).toEqual([{ kind, mate: host.uid }]);
      expect(await metBy(w, host)).toEqual([{ kind, mate: guest.uid }]);
      expect(await answersTo(w, guest)).toEqual(['accepted']);
      expect(valueOf(await w.handlers['rooms/enter'](guest, room)).room.participants.map((each) => each.name)).toEqual([
        'Mara',
        'Ivo',
      ]);
      expect(valueOf(await w.handlers['rooms/renewRequest'](guest, room)).status).toBe('accepted');
    });

    test('of accept and reject the first wins, and the second is refused (JOIN-4)', async () => {
      const w = await world();
      const [host, guest] = [await w.person('Mara'), await w.person('Ivo')];
      const room = await w.roomOf(host, kind);
      valueOf(await w.handlers['rooms/askToJoin'](guest, room));
      const both = await Promise.all([
        w.handlers['rooms/acceptRequest'](host, { ...room, uid: guest.uid }),
        w.handlers['rooms/rejectRequest'](host, { ...room, uid: guest.uid }),
      ]);
      expect(both.filter((each) => each.ok)).toHaveLength(1);
      expect(both.flatMap((each) => (each.ok ? [] : [each.error.code]))).toEqual(['room/request-resolved']);
    });

    test('someone declined may ask again after 30 s; the fifth decline says that it was the last, and so does asking (JOIN-5)', async () => {
      const w = await world();
      const [host, guest] = [await w.person('Mara'), await w.person('Ivo')];
      const room = await w.roomOf(host, kind);
      for (let times = 1; times <= 5; times += 1) {
        expect(valueOf(await w.handlers['rooms/askToJoin'](guest, room)).status).toBe('pending');
        valueOf(await w.handlers['rooms/rejectRequest'](host, { ...room, uid: guest.uid }));
        const atOnce = await w.handlers['rooms/askToJoin'](guest, room);
        expect(atOnce).toMatchObject({
          ok: false,
          error: { code: times < 5 ? 'limit/too-many' : 'room/declined-for-good' },
        });
        w.clock.advance(30_000);
      }
      expect(refusalOf(await w.handlers['rooms/askToJoin'](guest, room))).toBe('room/declined-for-good');
      expect(valueOf(await w.handlers['rooms/renewRequest'](guest, room)).status).toBe('rejected-for-good');
      expect(await answersTo(w, guest)).toEqual([...Array.from({ length: 4 }, () => 'rejected'), 'rejected-for-good']);
      // Every tab of the host hears of the answer, or would go on showing the request.
      const broadcast = Array.from({ length: 5 }, () => [
        [guest.uid, 'pending'],
        [guest.uid, 'rejected'],
      ]);
      expect(await requestsSent(w, host, room)).toEqual(broadcast.flat());
    });

    test('withdrawing leaves the count of declines as it is (JOIN-8)', async () => {
      const w = await world();
      const [host, guest] = [await w.person('Mara'), await w.person('Ivo')];
      const room = await w.roomOf(host, kind);
      for (let times = 1; times <= 5; times += 1) {
        for (let asked = 1; asked <= 3; asked += 1) {
          valueOf(await w.handlers['rooms/askToJoin'](guest, room));
          if (asked < 3) valueOf(await w.handlers['rooms/cancelRequest'](guest, room));
        }
        valueOf(await w.handlers['rooms/rejectRequest'](host, { ...room, uid: guest.uid }));
        w.clock.advance(30_000);
      }
      expect(refusalOf(await w.handlers['rooms/askToJoin'](guest, room))).toBe('room/declined-for-good');
    });

    test('a request lives as long as its page renews it, and lapses a minute after: both sides are notified once, and it may be made again (JOIN-9)', async () => {
      const w = await world();
      const [host, ada, ivo] = [await w.person('Mara'), await w.person('Ada'), await w.person('Ivo')];
      const room = await w.roomOf(host, kind);
      const status = async (who: Caller) => valueOf(await w.handlers['rooms/renewRequest'](who, room)).status;
      for (const asker of [ada, ivo]) valueOf(await w.handlers['rooms/askToJoin'](asker, room));
      for (let seconds = 0; seconds < 600; seconds += 50) {
        w.clock.advance(50_000);
        expect(await status(ivo)).toBe('pending');
        if (seconds === 0) await w.rooms.lapse();
      }
      expect([await answersTo(w, ada), await answersTo(w, ivo)]).toEqual([[], []]);
      expect(await status(ada)).toBe('lapsed');
      await Promise.all([w.rooms.lapse(), w.rooms.lapse()]);
      await w.rooms.lapse();
      expect([await answersTo(w, ada), await answersTo(w, ivo)]).toEqual([['lapsed'], []]);
      expect(await requestsSent(w, host, room)).toEqual([
        [ada.uid, 'pending'],
        [ivo.uid, 'pending'],
        [ada.uid, null],
      ]);
      expect(valueOf(await w.handlers['rooms/enter'](host, room)).requests).toMatchObject([{ name: 'Ivo' }]);
      expect(await status(ada)).toBe('lapsed');
      expect(valueOf(await w.handlers['rooms/askToJoin'](ada, room)).status).toBe('pending');
      await w.rooms.lapse();
      expect(await status(ada)).toBe('pending');
    });

    test('asking again renews the request, as after a reload of the page that waits (JOIN-9)', async () => {
      const w = await world();
      const [host, ada] = [await w.person('Mara'), await w.person('Ada')];
      const room = await w.roomOf(host, kind);
      for (let asked = 0; asked < 3; asked += 1) {
        expect(valueOf(await w.handlers['rooms/askToJoin'](ada, room)).status).toBe('pending');
        w.clock.advance(50_000);
        await w.rooms.lapse();
      }
      expect(valueOf(await w.handlers['rooms/renewRequest'](ada, room)).status).toBe('pending');
      expect(await answersTo(w, ada)).toEqual([]);
      expect(await requestsSent(w, host, room)).toEqual([[ada.uid, 'pending']]);
    });

    test('a withdrawn request can no longer be accepted, and a lapsed one neither (JOIN-6)', async () => {
      const w = await world();
      const [host, ivo, ada] = [await w.person('Mara'), await w.person('Ivo'), await w.person('Ada')];
      const room = await w.roomOf(host, kind);
      valueOf(await w.handlers['rooms/askToJoin'](ivo, room));
      valueOf(await w.handlers['rooms/cancelRequest'](ivo, room));
      expect(refusalOf(await w.handlers['rooms/acceptRequest'](host, { ...room, uid: ivo.uid }))).toBe(
        'access/not-found',
      );
      valueOf(await w.handlers['rooms/askToJoin'](ada, room));
      w.clock.advance(minuteMs);
      expect(valueOf(await w.handlers['rooms/renewRequest'](ivo, room)).status).toBe('none');
      expect(valueOf(await w.handlers['rooms/renewRequest'](ada, room)).status).toBe('lapsed');
      expect(refusalOf(await w.handlers['rooms/acceptRequest'](host, { ...room, uid: ada.uid }))).toBe(
        'access/not-found',
      );
      expect(await metBy(w, host)).toEqual([]);
    });

    test('the request of a blocked person stays pending and is not shown to the host (JOIN-7)', async () => {
      const w = await world();
      const [host, guest] = [await w.person('Mara'), await w.person('Ivo')];
      const room = await w.roomOf(host, kind);
      valueOf(await w.handlers['chats/block'](host, { uid: guest.uid, isBlocked: true }));
      expect(valueOf(await w.handlers['rooms/askToJoin'](guest, room)).status).toBe('pending');
      expect(await requestsSent(w, host, room)).toEqual([]);
      expect(valueOf(await w.handlers['rooms/enter'](host, room)).requests).toEqual([]);
    });

    test('strangers and pending requesters see nothing of the room; only the host answers requests', async () => {
      const w = await world();
      const [host, guest, pending, stranger] = [
        await w.person('Mara'),
        await w.person('Ivo'),
        await w.person('Ada'),
        await w.person('Theo'),
      ];
      const room = await w.roomOf(host, kind);
      await w.letIn(host, guest, room);
      valueOf(await w.handlers['rooms/askToJoin'](pending, room));
      for (const outsider of [pending, stranger]) {
        expect(refusalOf(await w.handlers['rooms/enter'](outsider, room))).toBe('room/not-member');
        expect(refusalOf(await w.handlers['rooms/leave'](outsider, room))).toBe('room/not-member');
        expect(refusalOf(await w.handlers['rooms/earlierMessages'](outsider, { ...room, before: 'x' }))).toBe(
          'room/not-member',
        );
        expect(
          refusalOf(await w.handlers['rooms/sendMessage'](outsider, { ...room, clientId: newClientId(), text: 'hi' })),
        ).toBe('room/not-member');
        expect(refusalOf(await w.handlers['rooms/acceptRequest'](outsider, { ...room, uid: pending.uid }))).toBe(
          'room/not-member',
        );
      }
      expect(refusalOf(await w.handlers['rooms/acceptRequest'](guest, { ...room, uid: pending.uid }))).toBe(
        'room/host-only',
      );
      expect(refusalOf(await w.handlers['rooms/rejectRequest'](guest, { ...room, uid: pending.uid }))).toBe(
        'room/host-only',
      );
      expect(refusalOf(await w.handlers['rooms/cancelRequest'](stranger, room))).toBe('room/not-found');
      expect(refusalOf(await w.handlers['rooms/renewRequest'](stranger, room))).toBe('room/not-found');
      expect(valueOf(await w.handlers['rooms/enter'](guest, room)).requests).toEqual([]);
    });

    test('a member who leaves loses membership and history, and needs approval again (ROOM-6)', async () => {
      const w = await world();
      const [host, guest] = [await w.person('Mara'), await w.person('Ivo')];
      const room = await w.roomOf(host, kind);
      await w.letIn(host, guest, room);
      valueOf(await w.handlers['rooms/leave'](guest, room));
      expect(refusalOf(await w.handlers['rooms/enter'](guest, room))).toBe('room/not-member');
      expect(valueOf(await w.handlers['rooms/askToJoin'](guest, room)).status).toBe('pending');
    });

    test('the host leaving ends the room for everyone, with its chat and playback (ROOM-7)', async () => {
      const w = await world();
      const [host, guest, pending, stranger] = [
        await w.person('Mara'),
        await w.person('Ivo'),
        await w.person('Ada'),
        await w.person('Theo'),
      ];
      const room = await w.roomOf(host, kind);
      await w.letIn(host, guest, room);
      valueOf(await w.handlers['rooms/askToJoin'](pending, room));
      valueOf(await w.handlers['rooms/sendMessage'](guest, { ...room, clientId: newClientId(), text: 'hello' }));
      const { roomId } = valueOf(await w.handlers['rooms/enter'](guest, room)).room;
      valueOf(await w.handlers['rooms/leave'](host, room));
      expect((await w.changesOf(roomStream(roomId))).at(-1)).toEqual({ type: 'rooms/ended' });
      expect(await w.changesOf(userStream(pending.uid))).toMatchObject([{ answer: 'ended' }]);
      expect(refusalOf(await w.handlers['rooms/enter'](guest, room))).toBe('room/ended');
      expect(refusalOf(await w.handlers['rooms/enter'](host, room))).toBe('room/ended');
      expect(refusalOf(await w.handlers['rooms/acceptRequest'](host, { ...room, uid: pending.uid }))).toBe(
        'room/ended',
      );
      expect(refusalOf(await w.handlers['rooms/enter'](stranger, room))).toBe('room/not-found');
      expect(refusalOf(await w.handlers['rooms/askToJoin'](guest, room))).toBe('room/ended');
      expect(refusalOf(await w.handlers['rooms/askToJoin'](stranger, room))).toBe('room/not-found');
    });

    test('of accepting and ending at once nothing is half done (ROOM-8)', async () => {
      const w = await world();
      const [host, guest] = [await w.person('Mara'), await w.person('Ivo')];
      const room = await w.roomOf(host, kind);
      valueOf(await w.handlers['rooms/askToJoin'](guest, room));
      const [accepted] = await Promise.all([
        w.handlers['rooms/acceptRequest'](host, { ...room, uid: guest.uid }),
        w.handlers['rooms/leave'](host, room),
      ]);
      expect(await metBy(w, host)).toHaveLength(accepted.ok ? 1 : 0);
      expect(refusalOf(await w.handlers['rooms/enter'](host, room))).toBe('room/ended');
    });

    test('a host away for 15 minutes ends the room; one who comes back does not (ROOM-9)', async () => {
      const w = await world();
      const host = await w.person('Mara');
      const room = await w.roomOf(host, kind);
      const { roomId } = valueOf(await w.handlers['rooms/enter'](host, room)).room;
      const table = kind === roomKinds[0] ? ('rooms' as const) : ('audiorooms' as const);
      const markAway = (sinceMs: number | null) =>
        w.database.db
          .updateTable(table)
          .set({ host_away_since_ms: sinceMs, empty_since_ms: null })
          .where('room_id', '=', roomId)
          .execute();
      await markAway(w.clock.now());
      w.clock.advance(10 * minuteMs);
      await w.rooms.sweep();
      valueOf(await w.handlers['rooms/enter'](host, room));
      w.clock.advance(5 * minuteMs);
      await w.rooms.sweep();
      expect(refusalOf(await w.handlers['rooms/enter'](host, room))).toBe('room/ended');
    });

    test('a message carries the server’s sender, name and time, and the same client id is one message, however late', async () => {
      const w = await world();
      const host = await w.person('Mara');
      const room = await w.roomOf(host, kind);
      const clientId = newClientId();
      const sent = valueOf(await w.handlers['rooms/sendMessage'](host, { ...room, clientId, text: 'hello' }));
      expect(sent.message).toMatchObject({ sender: host.uid, senderName: 'Mara', timestamp: w.clock.now() });
      expect(valueOf(await w.handlers['rooms/sendMessage'](host, { ...room, clientId, text: 'hello' }))).toEqual(sent);
      expect(refusalOf(await w.handlers['rooms/sendMessage'](host, { ...room, clientId, text: 'other' }))).toBe(
        'input/conflict',
      );
      // Long after kept answers are forgotten.
      await forgetAnswersUntil(w.database.db, Number.MAX_SAFE_INTEGER);
      expect(valueOf(await w.handlers['rooms/sendMessage'](host, { ...room, clientId, text: 'hello' }))).toEqual(sent);
      expect(valueOf(await w.handlers['rooms/enter'](host, room)).messages).toEqual([sent.message]);
    });

    test('a message carries its number in the answer, on the stream and in pages, and time never goes back (RCHAT-18)', async () => {
      const w = await world();
      const host = await w.person('Mara');
      const room = await w.roomOf(host, kind);
      const say = async (text: string) =>
        valueOf(await w.handlers['rooms/sendMessage'](host, { ...room, clientId: newClientId(), text })).message;
      const first = await say('one');
      // A clock that was set back.
      w.clock.advance(-5000);
      const messages = [first, await say('two'), await say('three')];
      expect(messages.map(({ number }) => number)).toEqual([1, 2, 3]);
      expect(messages.map(({ timestamp }) => timestamp)).toEqual(messages.map(() => first.timestamp));
      const { room: document, ...snapshot } = valueOf(await w.handlers['rooms/enter'](host, room));
      const broadcast = (await w.changesOf(roomStream(document.roomId))).flatMap((each) =>
        each.type === 'rooms/messageSent' ? [each.message] : [],
      );
      expect([snapshot.messages, broadcast]).toEqual([messages, messages]);
    });

    test('messages are read in pages of 50, oldest first', async () => {
      const w = await world();
      const host = await w.person('Mara');
      const room = await w.roomOf(host, kind);
      for (let n = 1; n <= 120; n += 1) {
        valueOf(
          await w.handlers['rooms/sendMessage'](host, { ...room, clientId: newClientId(), text: `m${String(n)}` }),
        );
      }
      const latest = valueOf(await w.handlers['rooms/enter'](host, room));
      expect([latest.messages.length, latest.messages[0]?.text, latest.hasEarlierMessages]).toEqual([50, 'm71', true]);
      const middle = valueOf(
        await w.handlers['rooms/earlierMessages'](host, { ...room, before: latest.messages[0]?.id ?? '' }),
      );
      const first = valueOf(
        await w.handlers['rooms/earlierMessages'](host, { ...room, before: middle.messages[0]?.id ?? '' }),
      );
      expect([middle.messages[0]?.text, first.messages[0]?.text, first.hasEarlierMessages]).toEqual([
        'm21',
        'm1',
        false,
      ]);
    });
  });
});

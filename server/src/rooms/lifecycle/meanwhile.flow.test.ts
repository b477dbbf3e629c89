/** Requests that were looked at before the room changed: how it is when they are decided counts. On both databases. */
import { hostStream, type RoomCode, type RoomKind, type RoomNeed, roomStream, userStream } from '@tunemate/protocol';
import { newClientId, refusalOf, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { openRoomWorld, type RoomWorld } from '@tunemate/testkit/worlds/room-world';
import { ownPeopleOf } from '@tunemate/testkit/worlds/own-people';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { describe, expect, test } from 'vitest';
import { latestLiveRooms } from './rooms-store.ts';
import { markDeleted } from '../../accounts/users-store.ts';
import type { Member, Membership, RoomRow } from '../../access/subjects.ts';
import type { Caller } from '../../access/caller.ts';
import { accept } from '../../system/ports.ts';
import { roomTables } from '../../storage/schema.ts';
import { append } from '../../tunemates/tunemates.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describeEachDialect('a request that the room changes under', (makeDatabaseUrl, dialect) => {
  async function stage(kind: RoomKind) {
    const w: RoomWorld = await openRoomWorld(await makeDatabaseUrl());
    const [mara, ada, ivo] = [await w.person('Mara'), await w.person('Ada'), await w.person('Ivo')];
    const room = await w.roomOf(mara, kind);
    const { roomId } = valueOf(await w.handlers['rooms/enter'](mara, room)).room;
    /** What a handler gets whose first look at the room was at this moment, and what it saw. */
    const seen = async (caller: Caller, need: RoomNeed): Promise<Member & Membership> => {
      const member = w.rooms.resolve(caller, room, need);
      const before = valueOf(await member.read(accept<Membership>));
      let isFirst = true;
      const read: Member['read'] = async (work) => {
        if (!isFirst) return await member.read(work);
        isFirst = false;
        return await work(before);
      };
      return { ...before, ...member, read };
    };
    const handOver = async (to: Caller) => {
      valueOf(await w.handlers['rooms/offerHosting'](mara, { ...room, uid: to.uid, leaves: false }));
      valueOf(await w.handlers['rooms/answerHosting'](to, { ...room, tabId: to.tabId, takes: true }));
    };
    return { w, mara, ada, ivo, room, roomId, seen, handOver };
  }

  describe.each([kindOn(dialect)])('of kind %s', (kind) => {
    test('a join request reaches the new host (ORDER-5)', async () => {
      const { w, mara, ada, ivo, room, roomId, seen, handOver } = await stage(kind);
      await w.letIn(mara, ada, room);
      const asking = await seen(ivo, 'anyone');
      await handOver(ada);
      expect(valueOf(await w.rooms.handlers['rooms/askToJoin'](asking))).toEqual({
        code: room.code,
        status: 'pending',
      });
      expect(await w.changesOf(hostStream(roomId))).toMatchObject([
        ...[{}, {}, { type: 'rooms/hostChanged', host: ada.uid }],
        { type: 'rooms/requestChanged', request: { uid: ivo.uid, status: 'pending' } },
      ]);
      valueOf(await w.handlers['rooms/acceptRequest'](ada, { ...room, uid: ivo.uid }));
    });

    test('a user whom the switch admits becomes a tunemate of the new host (DOOR-2)', async () => {
      const { w, mara, ada, ivo, room, seen, handOver } = await stage(kind);
      await w.letIn(mara, ada, room);
      valueOf(await w.handlers['rooms/set'](mara, { ...room, settings: { admits: 'everybody' } }));
      const asking = await seen(ivo, 'anyone');
      await handOver(ada);
      expect(valueOf(await w.rooms.handlers['rooms/askToJoin'](asking)).status).toBe('member');
      const metBy = async ({ uid }: Caller) => (await ownPeopleOf(w, uid)).tunemates.map((each) => each.uid);
      expect([await metBy(ada), await metBy(ivo)]).toEqual([expect.arrayContaining([ivo.uid]), [ada.uid]]);
    });

    test('an ask of a person who came in meanwhile is answered as a member’s (JOIN-23)', async () => {
      const { w, mara, ivo, room, seen } = await stage(kind);
      const asking = await seen(ivo, 'anyone');
      await w.letIn(mara, ivo, room);
      expect(valueOf(await w.rooms.handlers['rooms/askToJoin'](asking))).toEqual({ code: room.code, status: 'member' });
    });

    test('a request that was accepted meanwhile can’t be withdrawn (JOIN-6)', async () => {
      const { w, mara, ivo, room, seen } = await stage(kind);
      valueOf(await w.handlers['rooms/askToJoin'](ivo, room));
      const withdrawing = await seen(ivo, 'requester');
      valueOf(await w.handlers['rooms/acceptRequest'](mara, { ...room, uid: ivo.uid }));
      expect(refusalOf(await w.rooms.handlers['rooms/cancelRequest'](withdrawing))).toBe('room/request-resolved');
      const { participants } = valueOf(await w.handlers['rooms/enter'](mara, room)).room;
      expect(participants.map(({ uid }) => uid)).toEqual([mara.uid, ivo.uid]);
    });

    test('a request that was answered, or whose room is gone, before it is renewed says so', async () => {
      const { w, mara, ada, ivo, room, seen } = await stage(kind);
      for (const person of [ada, ivo]) valueOf(await w.handlers['rooms/askToJoin'](person, room));
      const [first, second] = [await seen(ada, 'requester'), await seen(ivo, 'requester')];
      const renew = w.rooms.handlers['rooms/renewRequest'];
      valueOf(await w.handlers['rooms/acceptRequest'](mara, { ...room, uid: ada.uid }));
      expect(valueOf(await renew(first))).toEqual({ status: 'accepted' });
      valueOf(await w.handlers['rooms/leave'](mara, { ...room, ends: true }));
      w.clock.advance(25 * hourMs);
      await w.rooms.sweep();
      expect(refusalOf(await renew(second))).toBe('room/not-found');
    });

    test('a person who becomes the host while they enter has the requests too (ORDER-3)', async () => {
      const { w, mara, ada, ivo, room, seen, handOver } = await stage(kind);
      await w.letIn(mara, ada, room);
      valueOf(await w.handlers['rooms/askToJoin'](ivo, room));
      const [entering, hosting] = [await seen(ada, 'member'), await seen(mara, 'member')];
      await handOver(ada);
      const asHost = valueOf(await w.rooms.handlers['rooms/enter'](entering));
      expect([asHost.requests.map(({ uid }) => uid), typeof asHost.hostSeq]).toEqual([[ivo.uid], 'number']);
      // And who was the host follows them no more.
      const asGuest = valueOf(await w.rooms.handlers['rooms/enter'](hosting));
      expect([asGuest.requests, asGuest.hostSeq, asGuest.room.host]).toEqual([[], null, ada.uid]);
    });

    test('a request in a room that has ended does not lapse as well (JOIN-9)', async () => {
      const { w, mara, ivo, room } = await stage(kind);
      valueOf(await w.handlers['rooms/askToJoin'](ivo, room));
      valueOf(await w.handlers['rooms/leave'](mara, { ...room, ends: true }));
      w.clock.advance(hourMs);
      await w.rooms.lapse();
      const sent = await w.changesOf(userStream(ivo.uid));
      expect(sent.flatMap((change) => ('answer' in change ? [change.answer] : []))).toEqual(['ended']);
    });

    test('a room that the operator ends takes back the warning that its host was away too long', async () => {
      const { w, mara, seen } = await stage(kind);
      const awaySince = { host_away_since_ms: w.clock.now() - 11 * minuteMs };
      await w.database.db.updateTable(roomTables[kind].rooms).set(awaySince).execute();
      await w.rooms.sweep();
      const inbox = async () => (await ownPeopleOf(w, mara.uid)).notifications.map(({ type }) => type);
      expect(await inbox()).toEqual(['host-away']);
      const { room } = await seen(mara, 'host');
      expect(await w.rooms.endNow(room, () => Promise.resolve())).toBe(true);
      expect(await inbox()).toEqual([]);
    });

    test('a warning that is stored before the room is ended by its host or the operator is taken back', async () => {
      const { w, mara, ada, room, seen } = await stage(kind);
      const inbox = async (uid: Caller['uid']) => (await ownPeopleOf(w, uid)).notifications.map(({ type }) => type);
      /** The room is read, then its host is warned, then it is ended as it was read. */
      const warn = async () => {
        const awaySince = { host_away_since_ms: w.clock.now() - 11 * minuteMs };
        await w.database.db.updateTable(roomTables[kind].rooms).set(awaySince).where('is_active', '=', 1).execute();
        await w.rooms.sweep();
      };
      const leaving = await seen(mara, 'host');
      await warn();
      expect(await inbox(mara.uid)).toEqual(['host-away']);
      valueOf(await w.rooms.handlers['rooms/leave'](leaving, { ...room, ends: true }));
      expect(await inbox(mara.uid)).toEqual([]);

      const { code } = await w.roomOf(ada, kind);
      const ended = (await latestLiveRooms(w.database.db, kind, code as RoomCode))[0] as RoomRow;
      await warn();
      expect(await inbox(ada.uid)).toEqual(['host-away']);
      expect(await w.rooms.endNow(ended, () => Promise.resolve())).toBe(true);
      expect(await inbox(ada.uid)).toEqual([]);
    });

    test('what the host sets while guests leave stays set, and none of them keeps the remote (REMOTE-2)', async () => {
      const { w, mara, ada, ivo, room, seen } = await stage(kind);
      for (const guest of [ada, ivo]) await w.letIn(mara, guest, room);
      const lendTo = async ({ uid }: Caller) =>
        valueOf(await w.handlers['rooms/lendRemote'](mara, { ...room, uid, isLent: true }));
      await lendTo(ada);
      const leaving = [await seen(ada, 'member'), await seen(ivo, 'member')];
      await lendTo(ivo);
      valueOf(await w.handlers['rooms/set'](mara, { ...room, settings: { isLocked: true } }));
      for (const each of leaving) valueOf(await w.rooms.handlers['rooms/leave'](each, { ...room, ends: false }));
      const now = valueOf(await w.handlers['rooms/enter'](mara, room)).room;
      expect([now.isLocked, now.remoteHolders]).toEqual([true, []]);
    });

    test('votes skip nothing while no voter is connected (VOTE-4)', async () => {
      const { w, mara, ada, room } = await stage(kind);
      await w.letIn(mara, ada, room);
      await w.database.db.updateTable('users').set({ online: 1 }).execute();
      const [own, track] = [{ ...room, tabId: mara.tabId }, trackOf(1)];
      valueOf(await w.handlers['playback/takeControl'](mara, own));
      const choose = { type: 'choose', track } as const;
      valueOf(await w.handlers['playback/write'](mara, { ...own, clientId: newClientId(), intent: choose }));
      valueOf(await w.handlers['rooms/set'](mara, { ...room, settings: { majoritySkips: true } }));
      valueOf(await w.handlers['playback/voteToSkip'](ada, { ...room, videoId: track.videoId, isOn: true }));
      expect(valueOf(await w.handlers['rooms/enter'](mara, room)).playback).toMatchObject({ isPlaying: true });
    });

    test('leaving removes the guest’s own votes, and no others (PROP-7)', async () => {
      const { w, mara, ada, ivo, room } = await stage(kind);
      for (const guest of [ada, ivo]) {
        await w.letIn(mara, guest, room);
        const track = trackOf(guest === ada ? 1 : 2);
        valueOf(await w.handlers['rooms/propose'](guest, { ...room, clientId: newClientId(), track }));
      }
      valueOf(await w.handlers['rooms/leave'](ada, room));
      const { proposals } = valueOf(await w.handlers['rooms/enter'](mara, room)).room;
      expect(proposals).toMatchObject([{ proposer: ivo.uid, votes: 1, track: { videoId: trackOf(2).videoId } }]);
    });

    test('a switch that is set as it was sends no change', async () => {
      const { w, mara, room, roomId } = await stage(kind);
      const turn = (everyoneAdds: boolean) => w.handlers['rooms/set'](mara, { ...room, settings: { everyoneAdds } });
      for (const isOn of [true, true, false, false]) valueOf(await turn(isOn));
      const sent = (await w.changesOf(roomStream(roomId))).filter(({ type }) => type === 'rooms/set');
      expect(sent).toEqual([true, false].map((everyoneAdds) => ({ type: 'rooms/set', settings: { everyoneAdds } })));
    });

    test('a deleted account is on no list and the soulmate of no person, before it is cleared there too', async () => {
      const { w, mara, ada } = await stage(kind);
      await append(w.database.db, kind, [{ uid: mara.uid, mate: ada.uid }], 0);
      await w.database.db.updateTable('users').set({ soulmate: ada.uid }).where('uid', '=', mara.uid).execute();
      const own = async () => {
        const { tunemates, soulmate } = await ownPeopleOf(w, mara.uid);
        return [tunemates.map(({ uid }) => uid), soulmate?.uid];
      };
      expect(await own()).toEqual([[ada.uid], ada.uid]);
      await markDeleted(w.database.db, ada.uid, w.clock.now());
      expect(await own()).toEqual([[], undefined]);
    });

    test('no person types to themselves', async () => {
      const { w, mara } = await stage(kind);
      expect(refusalOf(await w.handlers['chats/typing'](mara, { uid: mara.uid }))).toBe('input/invalid');
    });

    test('a person who is removed while they enter is refused (ORDER-9)', async () => {
      const { w, mara, ada, room, seen } = await stage(kind);
      await w.letIn(mara, ada, room);
      const entering = await seen(ada, 'member');
      valueOf(await w.handlers['rooms/removeParticipant'](mara, { ...room, uid: ada.uid, forGood: false }));
      expect(refusalOf(await w.rooms.handlers['rooms/enter'](entering))).toBe('room/removed');
    });

    test('a room that has ended can’t be ended again, and notes no second order', async () => {
      const { w, mara, seen } = await stage(kind);
      const { room } = await seen(mara, 'host');
      const orders: string[] = [];
      const order = () => w.rooms.endNow(room, () => Promise.resolve(void orders.push('end')));
      expect([await order(), await order(), orders]).toEqual([true, false, ['end']]);
    });

    test('a message to a room that was forgotten is refused, also where this process knew its sender', async () => {
      const { w, mara, room } = await stage(kind);
      const say = (text: string) => w.handlers['rooms/sendMessage'](mara, { ...room, clientId: newClientId(), text });
      valueOf(await say('hello'));
      valueOf(await w.handlers['rooms/leave'](mara, { ...room, ends: true }));
      expect(refusalOf(await say('hello?'))).toBe('room/ended');
      w.clock.advance(25 * hourMs);
      await w.rooms.sweep();
      expect(refusalOf(await say('anybody?'))).toBe('room/not-found');
    });

    test('an account that was deleted a moment ago asks for nothing and says nothing', async () => {
      const { w, mara, ada, ivo, room } = await stage(kind);
      await w.letIn(mara, ada, room);
      for (const { uid } of [ada, ivo]) await markDeleted(w.database.db, uid, w.clock.now());
      const say = { ...room, clientId: newClientId(), text: 'still here' };
      expect([
        refusalOf(await w.handlers['rooms/askToJoin'](ivo, room)),
        refusalOf(await w.handlers['rooms/sendMessage'](ada, say)),
        refusalOf(await w.handlers['soulmate/ask'](ada, { clientId: newClientId(), uid: mara.uid })),
        refusalOf(await w.handlers['notifications/invite'](ada, { clientId: newClientId(), uid: mara.uid })),
      ]).toEqual(['auth/required', 'auth/required', 'auth/required', 'auth/required']);
    });

    test('the request of a disabled account can’t be accepted any more, by one accept or by all', async () => {
      const { w, mara, ada, ivo, room } = await stage(kind);
      for (const person of [ada, ivo]) valueOf(await w.handlers['rooms/askToJoin'](person, room));
      await w.database.db
        .updateTable('users')
        .set({ disabled_at_ms: 1 })
        .where('uid', 'in', [ada.uid, ivo.uid])
        .execute();
      const accepted = await w.handlers['rooms/acceptRequest'](mara, { ...room, uid: ada.uid });
      expect(refusalOf(accepted)).toBe('access/not-found');
      const all = await w.handlers['rooms/acceptAll'](mara, { ...room, uids: [ivo.uid] });
      expect(valueOf(all)).toEqual({ inside: 0, isFull: false });
      expect(valueOf(await w.handlers['rooms/enter'](mara, room)).requests).toEqual([]);
    });

    test('what a deleted account said in a room stays, as ‘Deleted user’', async () => {
      const { w, mara, ada, room } = await stage(kind);
      await w.letIn(mara, ada, room);
      valueOf(await w.handlers['rooms/sendMessage'](ada, { ...room, clientId: newClientId(), text: 'bye' }));
      await markDeleted(w.database.db, ada.uid, w.clock.now());
      const { messages } = valueOf(await w.handlers['rooms/enter'](mara, room));
      expect(messages).toMatchObject([{ sender: ada.uid, senderName: 'Deleted user', text: 'bye' }]);
    });

    test('blocking the host of a room ends the own request to join it (BLOCK-205)', async () => {
      const { w, mara, ivo, room, roomId, seen } = await stage(kind);
      valueOf(await w.handlers['rooms/askToJoin'](ivo, room));
      valueOf(await w.handlers['chats/block'](ivo, { uid: mara.uid, isBlocked: true }));
      expect((await seen(ivo, 'anyone')).role).not.toBe('pending');
      expect(await w.changesOf(userStream(ivo.uid))).toContainEqual({
        ...{ type: 'rooms/requestAnswered', ...room, answer: 'lapsed' },
      });
      const sent = (await w.changesOf(hostStream(roomId))).at(-1);
      expect(sent).toMatchObject({ type: 'rooms/requestChanged', request: { uid: ivo.uid } });
      expect(valueOf(await w.handlers['rooms/enter'](mara, room)).requests).toEqual([]);
    });
  });
});

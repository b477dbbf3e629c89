/** Handing a room over: what the new host gets at once, what the old one loses, and what races with it. */
import { hostStream, limits, roomStream, userStream } from '@tunemate/protocol';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const track = { videoId: 'lib_0123456789abcdef', title: 'Rain', durationSeconds: 90 };

const choose = (tab: Tab, room: Room) =>
  tab.ask('playback/write', {
    ...room,
    tabId: tab.tabId,
    clientId: newClientId(),
    intent: { type: 'choose', track },
  });
const offer = (host: Tab, to: Tab, room: Room, leaves = false) =>
  host.ask('rooms/offerHosting', { ...room, uid: to.uid, leaves });
const take = (tab: Tab, room: Room, takes = true) =>
  tab.ask('rooms/answerHosting', { ...room, tabId: tab.tabId, takes });

describeEachDialect('handing a room over', (makeDatabaseUrl, dialect) => {
  let w: SocketWorld;
  beforeAll(async () => {
    w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
  });
  afterAll(() => w.close());

  describe.each([kindOn(dialect)])('of kind %s', (kind) => {
    /** Mara hosts and controls, Ada and Ivo are inside. */
    async function roomOfThree() {
      const [mara, ada, ivo] = [await w.arrive('Mara'), await w.arrive('Ada'), await w.arrive('Ivo')];
      const { room, roomId } = await w.roomWith(mara, kind, ada, ivo);
      valueOf(await mara.ask('playback/takeControl', { ...room, tabId: mara.tabId }));
      return { mara, ada, ivo, room, roomId };
    }

    test('all inside learn who is asked, and the host keeps everything until they take over (ORDER-1)', async () => {
      const { mara, ada, ivo, room, roomId } = await roomOfThree();
      valueOf(await offer(mara, ada, room));
      const asked = { type: 'rooms/handOver', handOver: { to: ada.uid, leaves: false } };
      for (const tab of [mara, ada, ivo]) {
        await expect.poll(() => tab.changes(roomStream(roomId)).at(-1)).toMatchObject(asked);
      }
      expect(codeOf(await choose(mara, room))).toBe('ok');
      expect(codeOf(await choose(ada, room))).toBe('room/host-only');
      expect(valueOf(await ivo.ask('rooms/enter', room)).room).toMatchObject({
        host: mara.uid,
        handOver: { to: ada.uid },
      });
    });

    test('whose account was disabled a moment ago takes no room over and opens none (ADMIN-8)', async () => {
      const { mara, ada, room } = await roomOfThree();
      valueOf(await offer(mara, ada, room));
      await w.db.updateTable('users').set({ disabled_at_ms: 1 }).where('uid', '=', ada.uid).execute();
      expect(codeOf(await take(ada, room))).toBe('auth/required');
      const create = { clientId: newClientId(), kind, name: 'Mine' };
      expect(codeOf(await ada.ask('rooms/create', create))).toBe('auth/required');
    });

    test('only the person asked can take over, and not after they declined, after a minute, or after it was taken back (ORDER-2)', async () => {
      const { mara, ada, ivo, room } = await roomOfThree();
      expect(codeOf(await offer(mara, mara, room))).toBe('input/invalid');
      expect(codeOf(await offer(mara, await w.arrive('Noor'), room))).toBe('access/not-found');
      expect(codeOf(await take(ada, room))).toBe('room/offer-over');
      valueOf(await offer(mara, ada, room));
      expect(codeOf(await take(ivo, room))).toBe('room/offer-over');
      valueOf(await take(ada, room, false));
      expect(codeOf(await take(ada, room))).toBe('room/offer-over');
      valueOf(await offer(mara, ada, room));
      valueOf(await mara.ask('rooms/takeBackHosting', room));
      expect(codeOf(await take(ada, room))).toBe('room/offer-over');
      valueOf(await offer(mara, ada, room));
      w.clock.advance(limits.handOverMs);
      expect(codeOf(await take(ada, room))).toBe('room/offer-over');
      expect(valueOf(await mara.ask('rooms/enter', room)).room).toMatchObject({ host: mara.uid, handOver: null });
    });

    test('the new host has the requests and the controls at once; the old host is refused and follows no requests (ORDER-3)', async () => {
      const { mara, ada, room, roomId } = await roomOfThree();
      const noor = await w.arrive('Noor');
      valueOf(await offer(mara, ada, room));
      valueOf(await take(ada, room));
      await expect
        .poll(() => mara.changes(hostStream(roomId)).at(-1))
        .toMatchObject({ type: 'rooms/hostChanged', host: ada.uid, hostAwaySince: null });
      expect(codeOf(await choose(ada, room))).toBe('ok');
      expect(codeOf(await choose(mara, room))).toBe('room/host-only');
      expect(codeOf(await mara.ask('playback/takeControl', { ...room, tabId: mara.tabId }))).toBe('room/host-only');
      const { hostSeq } = valueOf(await ada.ask('rooms/enter', room));
      expect(hostSeq).not.toBeNull();
      valueOf(await noor.ask('rooms/askToJoin', room));
      expect(codeOf(await mara.ask('rooms/acceptRequest', { ...room, uid: noor.uid }))).toBe('room/host-only');
      await expect.poll(() => ada.changes(hostStream(roomId)).at(-1)).toMatchObject({ request: { uid: noor.uid } });
      valueOf(await ada.ask('rooms/acceptRequest', { ...room, uid: noor.uid }));
      await expect
        .poll(() => mara.changes(roomStream(roomId)).at(-1))
        .toMatchObject({ type: 'rooms/participantJoined', participant: { uid: noor.uid } });
      expect(mara.changes(hostStream(roomId)).at(-1)).toMatchObject({ type: 'rooms/hostChanged' });
      expect(valueOf(await mara.ask('rooms/enter', room))).toMatchObject({ hostSeq: null, requests: [] });
      for (const tab of [mara, ada]) expect(tab.gaps).toEqual([]);
    });

    test('a host who hands over and leaves is out when it is taken over, and the room goes on (ORDER-4)', async () => {
      const { mara, ada, ivo, room, roomId } = await roomOfThree();
      valueOf(await offer(mara, ada, room, true));
      expect(valueOf(await mara.ask('rooms/enter', room)).room.participants).toHaveLength(3);
      valueOf(await take(ada, room));
      await expect
        .poll(() => mara.changes(roomStream(roomId)).at(-1))
        .toEqual({ type: 'rooms/participantLeft', uid: mara.uid, people: 2 });
      expect(codeOf(await mara.ask('rooms/enter', room))).toBe('room/not-member');
      expect(valueOf(await ivo.ask('rooms/enter', room)).room).toMatchObject({
        host: ada.uid,
        isActive: true,
        participants: [{ uid: ada.uid }, { uid: ivo.uid }],
      });
    });

    test('of taking over and ending the room at once one happens, for all alike (ORDER-5)', async () => {
      const { mara, ada, ivo, room } = await roomOfThree();
      valueOf(await offer(mara, ada, room));
      const [taken, left] = await Promise.all([take(ada, room), mara.ask('rooms/leave', { ...room, ends: true })]);
      const entered = await ivo.ask('rooms/enter', room);
      if (taken.ok) expect(valueOf(entered).room).toMatchObject({ host: ada.uid, isActive: true });
      else expect([taken.error.code, codeOf(entered)]).toEqual(['room/ended', 'room/ended']);
      expect(codeOf(left)).toBe(taken.ok ? 'room/host-changed' : 'ok');
    });

    test('a person asked who leaves and takes over at once never leaves the room without a host (ORDER-5)', async () => {
      const { mara, ada, ivo, room } = await roomOfThree();
      const second = await w.connect(ada);
      valueOf(await offer(mara, ada, room));
      const [taken, left] = await Promise.all([take(ada, room), second.ask('rooms/leave', { ...room, ends: false })]);
      const { host, participants } = valueOf(await ivo.ask('rooms/enter', room)).room;
      expect(participants.map(({ uid }) => uid)).toContain(host);
      expect([host === ada.uid, codeOf(left)]).toEqual(taken.ok ? [true, 'room/host-changed'] : [false, 'ok']);
    });

    test('of two people who are asked at once only the last one can take over (ORDER-5)', async () => {
      const { mara, ada, ivo, room } = await roomOfThree();
      const second = await w.connect(mara);
      await Promise.all([offer(mara, ada, room), offer(second, ivo, room)]);
      const taken = await Promise.all([take(ada, room), take(ivo, room)]);
      expect(taken.map((each) => codeOf(each)).toSorted()).toEqual(['ok', 'room/offer-over']);
      const host = valueOf(await ivo.ask('rooms/enter', room)).room.host;
      expect(host).toBe(taken[0]?.ok ? ada.uid : ivo.uid);
    });

    test('the time without a host is counted for the new host only', async () => {
      const { mara, ada, ivo, room } = await roomOfThree();
      await w.leave(mara);
      const before = valueOf(await ivo.ask('rooms/enter', room)).room.hostAwaySince;
      expect(before).not.toBeNull();
      const again = await w.connect(mara);
      valueOf(await offer(again, ada, room));
      valueOf(await take(ada, room));
      expect(valueOf(await ivo.ask('rooms/enter', room)).room.hostAwaySince).toBeNull();
      again.leave();
      await w.pass(16 * 60 * 1000);
      expect(codeOf(await ivo.ask('rooms/enter', room))).toBe('ok');
      await w.leave(ada);
      await w.pass(16 * 60 * 1000);
      expect(codeOf(await ivo.ask('rooms/enter', room))).toBe('room/ended');
    });

    test('a new host who is in no room at that moment is away from then on', async () => {
      const { mara, ada, ivo, room } = await roomOfThree();
      const elsewhere = await w.connect(ada);
      await w.leave(ada);
      valueOf(await offer(mara, ada, room));
      valueOf(await take(elsewhere, room));
      expect(valueOf(await ivo.ask('rooms/enter', room)).room.hostAwaySince).toBe(w.clock.now());
    });

    test('a person who hosts five rooms can’t take over a sixth (ORDER-7)', async () => {
      const { mara, ada, room } = await roomOfThree();
      for (let count = 0; count < limits.liveRoomsPerHost; count += 1) await w.room(ada, kind);
      valueOf(await offer(mara, ada, room));
      expect(codeOf(await take(ada, room))).toBe('room/too-many-live-rooms');
    });

    test('a person who leaves, or whom the host blocks, is asked no longer', async () => {
      const { mara, ada, ivo, room, roomId } = await roomOfThree();
      for (const [guest, goes, how, refusal] of [
        [ada, () => ada.ask('rooms/leave', room), {}, 'room/not-member'],
        [ivo, () => mara.ask('chats/block', { uid: ivo.uid, isBlocked: true }), { removed: 'for-now' }, 'room/removed'],
      ] as const) {
        valueOf(await offer(mara, guest, room));
        valueOf(await goes());
        await expect
          .poll(() => mara.changes(roomStream(roomId)).slice(-2))
          .toMatchObject([
            { type: 'rooms/handOver', handOver: null },
            { type: 'rooms/participantLeft', uid: guest.uid, ...how },
          ]);
        expect(codeOf(await take(guest, room))).toBe(refusal);
      }
      expect(ada.changes(userStream(ada.uid)).map(({ type }) => type)).not.toContain('rooms/handOver');
    });
  });
});

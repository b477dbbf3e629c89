import { hostStream, userStream, roomKinds, roomStream, type Uid } from '@tunemate/protocol';
import { valueOf, refusalOf, newClientId } from '@tunemate/testkit/answers';
import { openSocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { describe, expect, test } from 'vitest';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { ownPeopleOf } from '@tunemate/testkit/worlds/own-people';
import { openRoomWorld, type RoomWorld } from '@tunemate/testkit/worlds/room-world';
import type { Caller } from '../../access/caller.ts';
import { append } from '../../tunemates/tunemates.ts';
import { saveInvitation } from './invitations.ts';

/** How the host of a room hears of requests to join. */
describe('host stream', () => {
  test.each(roomKinds)(
    'in a room of kind %s requests reach the tabs of the host that are in it, numbered from the snapshot on',
    async (kind) => {
      const w = await openSocketWorld();
      const [mara, guest, early, late] = [
        await w.arrive('Mara'),
        await w.arrive('Ivo'),
        await w.arrive('Ada'),
        await w.arrive('Noor'),
      ];
      const room = await w.room(mara, kind);
      await w.letIn(mara, guest, room);
      const elsewhere = await w.connect(mara);
      valueOf(await early.ask('rooms/askToJoin', room));
      const snapshot = valueOf(await mara.ask('rooms/enter', room));
      expect(snapshot.requests.map(({ uid }) => uid)).toEqual([early.uid]);
      expect(valueOf(await guest.ask('rooms/enter', room)).hostSeq).toBeNull();
      const stream = hostStream(snapshot.room.roomId);
      valueOf(await late.ask('rooms/askToJoin', room));
      valueOf(await mara.ask('rooms/acceptRequest', { ...room, uid: early.uid }));
      const sent = (tab: Tab) =>
        tab
          .changes()
          .flatMap((each) => (each.type === 'rooms/requestChanged' ? [[each.request.uid, each.request.status]] : []));
      await expect
        .poll(() => sent(mara))
        .toEqual([
          [late.uid, 'pending'],
          [early.uid, 'accepted'],
        ]);
      const next = (snapshot.hostSeq ?? 0) + 1;
      expect(mara.numbers(stream)).toEqual([next, next + 1]);
      // By the answer, which was stored with the last of them, each person has what is theirs.
      await expect
        .poll(() => early.changes(userStream(early.uid)).map(({ type }) => type))
        .toContain('rooms/requestAnswered');
      expect([sent(elsewhere), sent(guest)]).toEqual([[], []]);
      expect(mara.gaps).toEqual([]);
      valueOf(await mara.ask('rooms/leave', room));
      await expect.poll(() => mara.changes(stream).at(-1)).toEqual({ type: 'rooms/ended' });
    },
  );
});

/** Coming into a room, over real databases: accepting all at once, and who comes in without approval. */
describeEachDialect('coming into a room', (makeDatabaseUrl, dialect) => {
  const hourMs = 3_600_000;

  describe.each([kindOn(dialect)])('of kind %s', (kind) => {
    const stage = async (...names: string[]) => {
      const w = await openRoomWorld(await makeDatabaseUrl());
      const host = await w.person('Mara');
      const room = await w.roomOf(host, kind);
      const guests: Caller[] = [];
      for (const name of names) guests.push(await w.person(name));
      const { roomId } = valueOf(await w.handlers['rooms/enter'](host, room)).room;
      const ask = (guest: Caller) => w.handlers['rooms/askToJoin'](guest, room);
      const acceptAll = (uids: readonly Uid[]) => w.handlers['rooms/acceptAll'](host, { ...room, uids: [...uids] });
      const set = async (admits: 'nobody' | 'friends' | 'invited' | 'everybody') =>
        valueOf(await w.handlers['rooms/set'](host, { ...room, settings: { admits } }));
      return { w, host, room, roomId, guests, ask, acceptAll, set };
    };
    const inside = async (w: RoomWorld, host: Caller, room: { kind: typeof kind; code: string }) =>
      valueOf(await w.handlers['rooms/enter'](host, room)).room.participants.map(({ name }) => name);
    const uidsOf = (guests: readonly Caller[]) => guests.map(({ uid }) => uid);
    const answersTo = async (w: RoomWorld, { uid }: Caller) =>
      (await w.changesOf(userStream(uid))).flatMap((change) =>
        change.type === 'rooms/requestAnswered' ? [change.answer] : [],
      );
    /** Fills the room up to this many people. */
    async function fill(w: RoomWorld, roomId: string, people: number): Promise<void> {
      const table = kind === 'video' ? 'room_participants' : 'audioroom_participants';
      const others = Array.from({ length: people - 1 }, (_, n) => String(n).padStart(22, '0'));
      const rows = others.map((uid) => ({ room_id: roomId, uid, joined_at_ms: 1 }));
      await w.database.db.insertInto(table).values(rows).execute();
    }

    test('accepting all admits the users whom the host saw, once, and no later request (DOOR-5)', async () => {
      const { w, host, room, guests, ask, acceptAll } = await stage('Ivo', 'Ada', 'Noor');
      for (const guest of guests) valueOf(await ask(guest));
      const seen = uidsOf(guests.slice(0, 2));
      const [first, again] = await Promise.all([acceptAll(seen), acceptAll(seen)]);
      expect([valueOf(first), valueOf(again)]).toEqual([
        { inside: 2, isFull: false },
        { inside: 2, isFull: false },
      ]);
      expect(await inside(w, host, room)).toEqual(['Mara', 'Ivo', 'Ada']);
      expect(valueOf(await w.handlers['rooms/enter'](host, room)).requests).toMatchObject([{ name: 'Noor' }]);
      for (const guest of guests.slice(0, 2)) expect(await answersTo(w, guest)).toEqual(['accepted']);
    });

    test('accepting all fills the room by the time of request, and the others stay pending (DOOR-5)', async () => {
      const { w, host, room, roomId, guests, ask, acceptAll } = await stage('Ivo', 'Ada', 'Noor');
      for (const guest of guests) {
        valueOf(await ask(guest));
        w.clock.advance(1);
      }
      await fill(w, roomId, 998);
      expect(valueOf(await acceptAll(uidsOf(guests).toReversed()))).toEqual({ inside: 2, isFull: true });
      expect(valueOf(await w.handlers['rooms/enter'](host, room)).requests).toMatchObject([{ name: 'Noor' }]);
      expect(valueOf(await w.handlers['rooms/renewRequest'](guests[2] ?? host, room)).status).toBe('pending');
    });

    test('accepting a crowd leaves others their turn, and answers as one acceptance does (DOOR-5)', async () => {
      const names = Array.from({ length: 43 }, (_, n) => `Guest ${String(n)}`);
      const { w, host, roomId, guests, ask, acceptAll } = await stage(...names);
      for (const guest of guests) {
        valueOf(await ask(guest));
        w.clock.advance(1);
      }
      const gone = guests[20] ?? host;
      valueOf(await w.handlers['chats/block'](host, { uid: gone.uid, isBlocked: true }));
      let [inOneTurn, most, isOver] = [0, 0, false];
      w.record.onCommitted((_stream, entries) => {
        const answered = entries.filter(({ change }) => change.includes('rooms/requestAnswered'));
        inOneTurn += answered.length;
        most = Math.max(most, inOneTurn);
      });
      const turn = (): void => {
        inOneTurn = 0;
        if (!isOver) setImmediate(turn);
      };
      turn();
      const answer = valueOf(await acceptAll(uidsOf(guests).toReversed()));
      isOver = true;
      expect(answer).toEqual({ inside: 42, isFull: false });
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(10);
      const cameIn = (await w.changesOf(roomStream(roomId))).flatMap((change) =>
        change.type === 'rooms/participantJoined' ? [change.participant.name] : [],
      );
      expect(cameIn).toEqual(names.filter((_name, index) => index !== 20));
    });

    test('accepting a crowd answers how many came in when the room is handed over meanwhile (DOOR-5)', async () => {
      const names = Array.from({ length: 43 }, (_, n) => `Guest ${String(n)}`);
      const { w, host, room, roomId, guests, ask, acceptAll } = await stage(...names);
      for (const guest of guests) {
        valueOf(await ask(guest));
        w.clock.advance(1);
      }
      const [heir = host] = guests;
      let handedOver: Promise<unknown> | undefined;
      w.record.onCommitted((_stream, entries) => {
        if (!entries.some(({ change }) => change.includes('rooms/requestAnswered'))) return;
        handedOver ??= w.handlers['rooms/offerHosting'](host, { ...room, uid: heir.uid, leaves: false }).then(
          async () => await w.handlers['rooms/answerHosting'](heir, { ...room, tabId: heir.tabId, takes: true }),
        );
      });
      const answer = valueOf(await acceptAll(uidsOf(guests)));
      await handedOver;
      const cameIn = (await w.changesOf(roomStream(roomId))).filter(({ type }) => type === 'rooms/participantJoined');
      expect(answer).toEqual({ inside: cameIn.length, isFull: false });
      expect(cameIn.length).toBeGreaterThan(0);
      expect(cameIn.length).toBeLessThan(43);
    });

    test('of accepting all and a withdrawal at once each person is let in or has withdrawn (DOOR-6)', async () => {
      const { w, host, room, guests, ask, acceptAll } = await stage('Ivo', 'Ada', 'Noor');
      for (const guest of guests) valueOf(await ask(guest));
      const [ivo] = guests;
      if (!ivo) throw new Error('no person asked');
      const [all, withdrawn] = await Promise.all([
        acceptAll(uidsOf(guests)),
        w.handlers['rooms/cancelRequest'](ivo, room),
      ]);
      const isInside = (await inside(w, host, room)).includes('Ivo');
      expect([valueOf(all).inside, withdrawn.ok]).toEqual(isInside ? [3, false] : [2, true]);
      expect(await answersTo(w, ivo)).toEqual(isInside ? ['accepted'] : []);
      expect(valueOf(await w.handlers['rooms/enter'](host, room)).requests).toEqual([]);
    });

    test('a person blocked while all are accepted is not inside afterwards (DOOR-6)', async () => {
      const { w, host, room, guests, ask, acceptAll } = await stage('Ivo', 'Ada');
      for (const guest of guests) valueOf(await ask(guest));
      const [ivo] = guests;
      if (!ivo) throw new Error('no person asked');
      await Promise.all([
        acceptAll(uidsOf(guests)),
        w.handlers['chats/block'](host, { uid: ivo.uid, isBlocked: true }),
      ]);
      expect(await inside(w, host, room)).toEqual(['Mara', 'Ada']);
    });

    test('a blocked person is not let in, by one accept or by all (DOOR-6)', async () => {
      const { w, host, room, guests, ask, acceptAll } = await stage('Ivo');
      for (const guest of guests) valueOf(await ask(guest));
      const uid = uidsOf(guests)[0] ?? host.uid;
      await w.handlers['chats/block'](host, { uid, isBlocked: true });
      expect(valueOf(await acceptAll([uid]))).toEqual({ inside: 0, isFull: false });
      expect(refusalOf(await w.handlers['rooms/acceptRequest'](host, { ...room, uid }))).toBe('access/not-found');
      expect(await inside(w, host, room)).toEqual(['Mara']);
    });

    test('a user whom the switch admits is a participant at once, and the host receives their name (DOOR-2)', async () => {
      const { w, host, room, roomId, guests, ask, set } = await stage('Ivo');
      const [ivo = host] = guests;
      await set('everybody');
      expect(valueOf(await ask(ivo)).status).toBe('member');
      expect(valueOf(await ask(ivo)).status).toBe('member');
      expect(await inside(w, host, room)).toEqual(['Mara', 'Ivo']);
      expect((await w.changesOf(hostStream(roomId))).filter(({ type }) => type === 'rooms/cameIn')).toEqual([
        { type: 'rooms/cameIn', uid: ivo.uid, name: 'Ivo' },
      ]);
      expect(await w.changesOf(roomStream(roomId))).toContainEqual(
        expect.objectContaining({ type: 'rooms/participantJoined', people: 2 }),
      );
      const met = await w.changesOf(userStream(host.uid));
      expect(met).toMatchObject([{ type: 'tunemates/added', tunemate: { uid: ivo.uid, metIn: [kind] } }]);
    });

    test('a full room lets no person in, whatever the switch says (DOOR-2)', async () => {
      const { w, host, roomId, guests, ask, set } = await stage('Ivo');
      await set('everybody');
      await fill(w, roomId, 1000);
      expect(refusalOf(await ask(guests[0] ?? host))).toBe('room/full');
    });

    test('no person comes in by themselves at first; then friends, those invited, or all (DOOR-1)', async () => {
      const { w, host, room, roomId, guests, ask, set } = await stage('Tunemate', 'Soulmate', 'Invited', 'Stranger');
      const [tunemate = host, soulmate = host, invited = host] = guests;
      await append(w.record.db, 'audio', [{ uid: host.uid, mate: tunemate.uid }], 0);
      await w.record.db.updateTable('users').set({ soulmate: soulmate.uid }).where('uid', '=', host.uid).execute();
      await saveInvitation(w.record.db, roomId, invited.uid, w.clock.now() - 12 * hourMs);
      expect(valueOf(await w.handlers['rooms/enter'](host, room)).hostSettings).toEqual({
        admits: 'nobody',
        friendsSee: true,
      });
      const whoComesIn = async () => {
        const statuses = await Promise.all(guests.map(async (guest) => valueOf(await ask(guest)).status));
        const came = guests.filter((_, index) => statuses[index] === 'member');
        // They leave again, so that the next setting is asked anew.
        for (const guest of came) valueOf(await w.handlers['rooms/leave'](guest, room));
        return statuses.map((status) => status === 'member');
      };
      expect(await whoComesIn()).toEqual([false, false, false, false]);
      await set('friends');
      expect(await whoComesIn()).toEqual([true, true, false, false]);
      await set('nobody');
      // The people who came in have met the host since; an invitation holds for the room.
      await append(w.record.db, kind === 'audio' ? 'video' : 'audio', [{ uid: host.uid, mate: invited.uid }], 0);
      await set('invited');
      expect(await whoComesIn()).toEqual([false, false, true, false]);
      await set('everybody');
      expect(await whoComesIn()).toEqual([true, true, true, true]);
    });

    test('an invitation admits its user for twelve hours; after that they ask (DOOR-1)', async () => {
      const { w, host, room, roomId, guests, ask } = await stage('Ivo');
      const [ivo = host] = guests;
      await saveInvitation(w.record.db, roomId, ivo.uid, w.clock.now());
      w.clock.advance(12 * hourMs - 1);
      expect(valueOf(await ask(ivo)).status).toBe('member');
      valueOf(await w.handlers['rooms/leave'](ivo, room));
      w.clock.advance(1);
      expect(valueOf(await ask(ivo)).status).toBe('pending');
    });

    test('a blocked person waits like any other, also where all may come in (DOOR-3)', async () => {
      const { w, host, room, guests, ask, set } = await stage('Ivo');
      const [ivo = host] = guests;
      await set('everybody');
      await w.handlers['chats/block'](host, { uid: ivo.uid, isBlocked: true });
      expect(valueOf(await ask(ivo)).status).toBe('pending');
      expect(valueOf(await w.handlers['rooms/enter'](host, room)).requests).toEqual([]);
    });

    test('a host whom a person has blocked and who lets that person in does not become their tunemate', async () => {
      const { w, host, room, guests, ask, set } = await stage('Ivo', 'Ada');
      const [ivo = host, ada = host] = guests;
      for (const guest of guests) valueOf(await w.handlers['chats/block'](guest, { uid: host.uid, isBlocked: true }));
      valueOf(await ask(ivo));
      valueOf(await w.handlers['rooms/acceptRequest'](host, { ...room, uid: ivo.uid }));
      await set('everybody');
      expect(valueOf(await ask(ada)).status).toBe('member');
      expect(await inside(w, host, room)).toEqual(['Mara', 'Ivo', 'Ada']);
      for (const { uid } of [host, ...guests]) {
        expect((await w.changesOf(userStream(uid))).filter(({ type }) => type === 'tunemates/added')).toEqual([]);
        expect((await ownPeopleOf(w, uid)).tunemates).toEqual([]);
      }
    });

    test('an ask and a change of the switch at once: an admitted user came before the change (DOOR-4)', async () => {
      const { w, host, room, roomId, guests, ask, set } = await stage('Ivo', 'Ada', 'Noor', 'Theo');
      await set('everybody');
      const [asked] = await Promise.all([Promise.all(guests.map((guest) => ask(guest))), set('nobody')]);
      const sent = (await w.changesOf(hostStream(roomId))).map(({ type }) => type);
      const cameIn = asked.filter((each) => valueOf(each).status === 'member').length;
      expect(sent.lastIndexOf('rooms/cameIn')).toBeLessThan(sent.lastIndexOf('rooms/set'));
      expect(sent.filter((type) => type === 'rooms/cameIn')).toHaveLength(cameIn);
      const now = valueOf(await w.handlers['rooms/enter'](host, room));
      expect([now.hostSettings?.admits, now.requests.length, now.room.participants.length]).toEqual([
        'nobody',
        4 - cameIn,
        1 + cameIn,
      ]);
    });

    test('a change of the switch reaches each tab of the host once, and no guest', async () => {
      const { w, host, room, roomId, guests, set } = await stage('Ivo');
      const [ivo = host] = guests;
      await w.letIn(host, ivo, room);
      await set('friends');
      await set('friends');
      const sent = (await w.changesOf(hostStream(roomId))).filter(({ type }) => type === 'rooms/set');
      expect(sent).toEqual([{ type: 'rooms/set', settings: { admits: 'friends' } }]);
      expect(valueOf(await w.handlers['rooms/enter'](ivo, room)).hostSettings).toBeNull();
      expect(refusalOf(await w.handlers['rooms/set'](ivo, { ...room, settings: { admits: 'everybody' } }))).toBe(
        'room/host-only',
      );
    });
  });
});

/** What requests to join cost once their rooms have ended. */
describe('cost of ended rooms', () => {
  test('requests that waited in 50 rooms which have ended cost the timers no statement', async () => {
    const statements: string[] = [];
    const w = await openSocketWorld({ onStatement: (statement) => statements.push(statement) });
    const [host, asker] = [await w.arrive('Mara'), await w.arrive('Ivo')];
    for (let n = 0; n < 50; n += 1) {
      const room = {
        kind: 'audio',
        code: valueOf(await host.ask('rooms/create', { clientId: newClientId(), kind: 'audio', name: 'Radio' })).code,
      } as const;
      valueOf(await asker.ask('rooms/askToJoin', room));
      valueOf(await host.ask('rooms/leave', room));
    }
    await w.pass(70_000);
    statements.length = 0;
    await w.pass(5000);
    const reads = statements.filter((each) => /from "audiorooms" where "room_id" = /.test(each));
    expect(reads).toEqual([]);
  });
});

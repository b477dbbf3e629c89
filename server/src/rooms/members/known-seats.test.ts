/** What a process remembers of seats decides nothing: whoever left is refused, and a code is the room that has it now. */
import { roomKinds } from '@tunemate/protocol';
import { codeOf, newClientId, refusalOf, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { openRoomWorld } from '@tunemate/testkit/worlds/room-world';
import { describe, expect, test } from 'vitest';
import { roomTables } from '../../storage/room-tables.ts';
import { knownSeats } from './known-seats.ts';

describeEachDialect('a seat that was seen before', (makeDatabaseUrl) => {
  describe.each(roomKinds)('in a room of kind %s', (kind) => {
    async function stage() {
      const url = await makeDatabaseUrl();
      const w = await openRoomWorld(url);
      const [host, guest] = [await w.person('Mara'), await w.person('Ivo')];
      const room = await w.roomOf(host, kind);
      await w.letIn(host, guest, room);
      const send = (text: string) => w.handlers['rooms/sendMessage'](guest, { ...room, clientId: newClientId(), text });
      const texts = async () => {
        const rows = await w.database.db.selectFrom(roomTables[kind].chat).select('text').orderBy('text').execute();
        return rows.map(({ text }) => text);
      };
      return { w, host, guest, room, send, texts };
    }

    test('COST-9 gives no right once its person was removed or the room has ended, whoever did it', async () => {
      const { w, host, guest, room, send, texts } = await stage();
      valueOf(await send('a'));
      valueOf(await w.handlers['rooms/removeParticipant'](host, { ...room, uid: guest.uid, forGood: false }));
      expect([codeOf(await send('b')), codeOf(await send('c'))]).toEqual(['room/removed', 'room/removed']);
      const press = { ...room, tabId: guest.tabId, clientId: newClientId(), intent: { type: 'pause' } } as const;
      expect(refusalOf(await w.handlers['playback/write'](guest, press))).toBe('room/removed');
      expect(await texts()).toEqual(['a']);
      valueOf(await w.handlers['rooms/leave'](host, room));
      expect(codeOf(await send('d'))).toBe('room/not-found');
      const answer = w.handlers['rooms/acceptRequest'](host, { ...room, uid: guest.uid });
      expect(refusalOf(await answer)).toBe('room/ended');
      await w.close();
    });

    test('COST-9 is asked for anew where another room has the code since', async () => {
      const { w, host, guest, room, send } = await stage();
      valueOf(await send('before'));
      const { db } = w.database;
      const { rooms, chat } = roomTables[kind];
      const first = await db
        .selectFrom(rooms)
        .select('room_id')
        .where('code', '=', room.code)
        .executeTakeFirstOrThrow();
      valueOf(await w.handlers['rooms/leave'](host, room));
      w.clock.advance(1000);
      const next = await w.roomOf(host, kind);
      await w.letIn(host, guest, next);
      await db.updateTable(rooms).set({ code: room.code }).where('code', '=', next.code).execute();
      valueOf(await send('after'));
      const rows = await db.selectFrom(chat).select('text').where('room_id', '<>', first.room_id).execute();
      expect(rows).toEqual([{ text: 'after' }]);
      await w.close();
    });
  });
});

test('the seats that were noted first are forgotten where there are too many', () => {
  const seats = knownSeats(2);
  const people = ['A', 'B', 'C'] as Parameters<typeof seats.find>[0][];
  for (const uid of people) seats.note(uid, { kind: 'video', code: 'CODE', roomId: `room ${uid}` } as never);
  expect(people.map((uid) => seats.find(uid, 'video', 'CODE'))).toEqual([null, 'room B', 'room C']);
});

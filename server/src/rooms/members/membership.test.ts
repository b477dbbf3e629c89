/**
 * Membership is read as of one moment, and what a process remembers of a room decides nothing: a person who left is
 * refused, and a code is the room that has it now.
 */
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { roomKinds } from '@tunemate/protocol';
import { codeOf, newClientId, refusalOf, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { openRoomWorld } from '@tunemate/testkit/worlds/room-world';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../storage/database.ts';
import { roomTables } from '../../storage/schema.ts';
import { membershipAgain, membershipByCode } from './membership.ts';

test.each(roomKinds)(
  'a person accepted while their membership is read is pending or a member, never a stranger (%s) (JOIN-24)',
  async (kind) => {
    await using dir = await makeTempDir('membership');
    const path = join(dir.path, 'tunemate.sqlite');
    const w = await openRoomWorld(`sqlite:${path}`);
    const [host, guest] = [await w.person('Mara'), await w.person('Ivo')];
    const room = await w.roomOf(host, kind);
    valueOf(await w.handlers['rooms/askToJoin'](guest, room));

    const { requests, participants } = roomTables[kind];
    const another = new DatabaseSync(path);
    let isAccepted = false;
    // The host's answer is committed between the two reads, whichever comes first.
    const reading = openDatabase(`sqlite:${path}`, {
      onStatement: (statement) => {
        if (isAccepted || !(statement.includes(requests) || statement.includes(participants))) return;
        isAccepted = true;
        another.exec(`
        begin;
        insert into ${participants} (room_id, uid, joined_at_ms) select room_id, uid, 1 from ${requests};
        update ${requests} set status = 'accepted', answered_at_ms = 1;
        commit;
      `);
      },
    });
    const found = await membershipByCode(reading.db, kind, room.code, guest.uid);
    if (!found) throw new Error('the room is gone');
    const membership = await membershipAgain(reading.db, found.room, guest.uid, w.clock.now());
    expect(isAccepted).toBe(true);
    expect(['pending', 'participant']).toContain(membership?.role);
    another.close();
    await reading.close();
  },
);

describeEachDialect('a room that this process found before', (makeDatabaseUrl, dialect) => {
  describe.each([kindOn(dialect)])('in a room of kind %s', (kind) => {
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

    test('gives no right once the user was removed or the room has ended', async () => {
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
    });

    test('is asked for anew where another room has the code since', async () => {
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
    });
  });
});

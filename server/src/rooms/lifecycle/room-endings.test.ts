/** What a database stores of a room after its end, for both kinds. */
import { type Payload, roomStream } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { openRoomWorld, type RoomWorld } from '@tunemate/testkit/worlds/room-world';

const word = 'marmalade';

describeEachDialect('after the end of a room', (makeDatabaseUrl, dialect) => {
  describe.each([kindOn(dialect)])('of kind %s', (kind) => {
    /** Everything that is stored of changes, answers and queues, as text. */
    async function stored({ database: { db } }: RoomWorld): Promise<string> {
      const tables = ['stream_entries', 'idempotency', 'queue_items'] as const;
      return JSON.stringify(await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute())));
    }

    async function roomWithWords(w: RoomWorld) {
      const [host, guest] = [await w.person('Mara'), await w.person('Ivo')];
      const room = await w.roomOf(host, kind);
      await w.letIn(host, guest, room);
      const { roomId } = valueOf(await w.handlers['rooms/enter'](guest, room)).room;
      valueOf(
        await w.handlers['rooms/sendMessage'](guest, { ...room, clientId: newClientId(), text: `${word} for two` }),
      );
      valueOf(await w.handlers['playback/takeControl'](host, { ...room, tabId: host.tabId }));
      const track = { videoId: 'lib_0123456789abcdef', title: word, durationSeconds: 9 };
      const intent = { type: 'choose', track } as Payload<'playback/write'>['intent'];
      const write = { ...room, tabId: host.tabId, clientId: newClientId(), intent };
      valueOf(await w.handlers['playback/write'](host, write));
      return { host, guest, room, roomId };
    }

    async function expectNothingLeft(w: RoomWorld, roomId: Parameters<typeof roomStream>[0]): Promise<void> {
      expect(await stored(w)).not.toContain(word);
      expect(await w.changesOf(roomStream(roomId))).toEqual([{ type: 'rooms/ended' }]);
      const rows = w.database.db.selectFrom('idempotency').select('client_id').where('room_id', '=', roomId);
      expect(await rows.execute()).toEqual([]);
    }

    test('nothing that was said or played in it is stored any more once the host has left (ROOM-41)', async () => {
      const w = await openRoomWorld(await makeDatabaseUrl());
      const { host, room, roomId } = await roomWithWords(w);
      const other = await roomWithWords(w);
      expect(await stored(w)).toContain(word);
      valueOf(await w.handlers['rooms/leave'](host, room));
      expect(await w.changesOf(roomStream(roomId))).toEqual([{ type: 'rooms/ended' }]);
      expect(valueOf(await w.handlers['rooms/enter'](other.host, other.room)).messages).toHaveLength(1);
      expect((await w.changesOf(roomStream(other.roomId))).length).toBeGreaterThan(1);
      valueOf(await w.handlers['rooms/leave'](other.host, other.room));
      await expectNothingLeft(w, roomId);
      await expectNothingLeft(w, other.roomId);
    });

    test('nor once the account of its host was deleted (ROOM-41)', async () => {
      const w = await openRoomWorld(await makeDatabaseUrl());
      const { host, roomId } = await roomWithWords(w);
      await w.rooms.accountHook.onDeleting?.(host.uid);
      await expectNothingLeft(w, roomId);
    });

    test('a day later its numbers are forgotten too (ROOM-42)', async () => {
      const w = await openRoomWorld(await makeDatabaseUrl());
      const { host, room, roomId } = await roomWithWords(w);
      valueOf(await w.handlers['rooms/leave'](host, room));
      expect(await w.record.head(roomStream(roomId))).toBeGreaterThan(0);
      w.clock.advance(25 * 60 * 60 * 1000);
      await w.rooms.sweep();
      expect(await w.record.head(roomStream(roomId))).toBe(0);
    });
  });
});

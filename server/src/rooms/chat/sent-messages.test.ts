/** What the host deletes of a room's chat, and the stamps of its members, over real databases. */
import { limits, roomStream, type RoomMessage } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import type { Caller } from '../../access/caller.ts';
import { ownRoomMessages, ownRoomStamps } from '../lifecycle/account-rooms.ts';
import { roomTables } from '../../storage/schema.ts';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { newClientId, refusalOf, valueOf } from '@tunemate/testkit/answers';
import { openRoomWorld, type RoomWorld } from '@tunemate/testkit/worlds/room-world';

async function all(rows: AsyncIterable<object>): Promise<object[]> {
  const read: object[] = [];
  for await (const row of rows) read.push(row);
  return read;
}

const secret = 'the-ending-is-that-the-butler-did-it';

describeEachDialect('the chat of a room', (makeDatabaseUrl, dialect) => {
  describe.each([kindOn(dialect)])('of kind %s', (kind) => {
    async function roomOfThree() {
      const w = await openRoomWorld(await makeDatabaseUrl());
      const [host, ivo, ada] = [await w.person('Mara'), await w.person('Ivo'), await w.person('Ada')];
      const room = await w.roomOf(host, kind);
      await w.letIn(host, ivo, room);
      await w.letIn(host, ada, room);
      const { roomId } = valueOf(await w.handlers['rooms/enter'](host, room)).room;
      const clientId = newClientId();
      const say = () => w.handlers['rooms/sendMessage'](ivo, { ...room, clientId, text: secret });
      const { id } = valueOf(await say()).message;
      const read = async (reader: Caller): Promise<RoomMessage | undefined> =>
        valueOf(await w.handlers['rooms/enter'](reader, room)).messages[0];
      return { w, host, ivo, ada, room, roomId, id, say, read };
    }

    /** Every row of every table that holds these words. */
    async function rowsWith(w: RoomWorld, words: string): Promise<string[]> {
      // The index of private chats can't be read as a table.
      const tables = (await w.database.db.introspection.getTables()).filter(({ name }) => name !== 'private_search');
      const found = await Promise.all(
        tables.map(async ({ name }) => {
          const rows = await w.database.db
            .selectFrom(name as 'users')
            .selectAll()
            .execute();
          return rows.some((row) => JSON.stringify(row).includes(words)) ? [name] : [];
        }),
      );
      return found.flat();
    }

    test('what the host deletes is gone for all, from rows, stream and the export', async () => {
      const { w, host, ivo, ada, room, roomId, id, say, read } = await roomOfThree();
      expect(await rowsWith(w, secret)).toEqual(expect.arrayContaining([roomTables[kind].chat, 'stream_entries']));
      valueOf(await w.handlers['rooms/deleteMessage'](host, { ...room, messageId: id }));
      expect(await rowsWith(w, secret)).toEqual([]);
      const deleted = { id, number: 1, sender: ivo.uid, senderName: 'Ivo', text: '', isDeleted: true, stamps: [] };
      expect(await read(ada)).toMatchObject(deleted);
      expect((await w.changesOf(roomStream(roomId))).slice(-2)).toMatchObject([
        { type: 'rooms/messageSent', message: deleted },
        { type: 'rooms/messageDeleted', messageId: id },
      ]);
      // Sent again by a tab that never read the answer.
      expect(valueOf(await say()).message).toMatchObject(deleted);
      expect(await all(ownRoomMessages(w.database.db, ivo.uid))).toMatchObject([{ text: '', isDeletedByHost: true }]);
      await w.close();
    });

    test('keeps the latest ten thousand messages and their stamps, however long a room lives', async () => {
      const { w, ivo, room, roomId, id } = await roomOfThree();
      const { chat, stamps } = roomTables[kind];
      valueOf(await w.handlers['rooms/stamp'](ivo, { ...room, messageId: id, stamp: 'fire', isOn: true }));
      const put = (number: number) =>
        w.database.db
          .insertInto(chat)
          .values({
            ...{ room_id: roomId, number, message_id: `m${String(number)}`, client_id: newClientId() },
            ...{ sender: ivo.uid, text: 'words', timestamp_ms: number },
          })
          .execute();
      const say = async () =>
        valueOf(await w.handlers['rooms/sendMessage'](ivo, { ...room, clientId: newClientId(), text: 'more' })).message;
      for (const number of [100, 101, 10_098]) await put(number);
      const numbers = async () =>
        (await w.database.db.selectFrom(chat).select('number').orderBy('number').execute()).map((row) => row.number);
      await say();
      expect(await numbers()).toEqual([1, 100, 101, 10_098, 10_099]);
      await say();
      expect(await numbers()).toEqual([101, 10_098, 10_099, 10_100]);
      expect(await w.database.db.selectFrom(stamps).selectAll().execute()).toEqual([]);
      const entered = valueOf(await w.handlers['rooms/enter'](ivo, room));
      expect(entered.messages.map(({ number }) => number)).toEqual([101, 10_098, 10_099, 10_100]);
      await w.close();
    });

    test('its sender deletes a message for 15 minutes, and no other guest (CHAT-35)', async () => {
      const { w, ivo, ada, room, roomId } = await roomOfThree();
      const remove = (who: Caller, messageId: string) => w.handlers['rooms/deleteMessage'](who, { ...room, messageId });
      const say = async (text: string) =>
        valueOf(await w.handlers['rooms/sendMessage'](ivo, { ...room, clientId: newClientId(), text })).message.id;
      const [first, second] = [await say('quicksand'), await say('marmalade')];
      expect(refusalOf(await remove(ada, first))).toBe('room/host-only');
      w.clock.advance(limits.editableMs - 1);
      valueOf(await remove(ivo, first));
      valueOf(await remove(ivo, first));
      w.clock.advance(1);
      expect(refusalOf(await remove(ivo, second))).toBe('access/forbidden');
      const texts = valueOf(await w.handlers['rooms/enter'](ivo, room)).messages.map(({ text }) => text);
      expect([texts.includes('quicksand'), texts.includes('marmalade')]).toEqual([false, true]);
      const sent = JSON.stringify(await w.changesOf(roomStream(roomId)));
      expect([sent.includes('quicksand'), sent.includes('marmalade')]).toEqual([false, true]);
      await w.close();
    });

    test('only the host deletes others’ messages, once; nobody deletes what is not in the room', async () => {
      const { w, host, ivo, ada, room, roomId, id } = await roomOfThree();
      const remove = (who: Caller, messageId: string) => w.handlers['rooms/deleteMessage'](who, { ...room, messageId });
      for (const each of [id, 'x']) expect(refusalOf(await remove(ada, each))).toBe('room/host-only');
      expect(refusalOf(await remove(ivo, 'x'))).toBe('room/host-only');
      expect(refusalOf(await remove(host, 'x'))).toBe('access/not-found');
      const other = await w.roomOf(host, kind);
      expect(refusalOf(await w.handlers['rooms/deleteMessage'](host, { ...other, messageId: id }))).toBe(
        'access/not-found',
      );
      await Promise.all([remove(host, id), remove(host, id)]);
      valueOf(await remove(host, id));
      const sent = (await w.changesOf(roomStream(roomId))).filter(({ type }) => type === 'rooms/messageDeleted');
      expect(sent).toHaveLength(1);
      await w.close();
    });

    test('stamps are counted once a person and kind, are each one’s own, and can be taken back', async () => {
      const { w, host, ivo, ada, room, roomId, id, read } = await roomOfThree();
      const press = async (who: Caller, stamp: 'love' | 'fire', isOn = true) =>
        valueOf(await w.handlers['rooms/stamp'](who, { ...room, messageId: id, stamp, isOn }));
      await Promise.all([press(ivo, 'love'), press(ada, 'love'), press(ada, 'love')]);
      await press(ada, 'fire');
      expect((await read(ada))?.stamps).toEqual([
        { stamp: 'love', count: 2, isMine: true },
        { stamp: 'fire', count: 1, isMine: true },
      ]);
      expect((await read(host))?.stamps).toEqual([
        { stamp: 'love', count: 2, isMine: false },
        { stamp: 'fire', count: 1, isMine: false },
      ]);
      await press(ada, 'love', false);
      await press(ada, 'love', false);
      expect((await read(ivo))?.stamps[0]).toEqual({ stamp: 'love', count: 1, isMine: true });
      const sent = (await w.changesOf(roomStream(roomId))).flatMap((change) =>
        change.type === 'rooms/stamped' ? [[change.stamp, change.isOn, change.count]] : [],
      );
      expect(sent).toEqual([
        ['love', true, 1],
        ['love', true, 2],
        ['fire', true, 1],
        ['love', false, 1],
      ]);
      await w.close();
    });

    test('a deleted message takes no stamps, and loses those it had', async () => {
      const { w, host, ivo, room, id, read } = await roomOfThree();
      const press = () => w.handlers['rooms/stamp'](ivo, { ...room, messageId: id, stamp: 'wow', isOn: true });
      valueOf(await press());
      valueOf(await w.handlers['rooms/deleteMessage'](host, { ...room, messageId: id }));
      expect((await read(ivo))?.stamps).toEqual([]);
      expect(refusalOf(await press())).toBe('access/not-found');
      await w.close();
    });

    test('stamps go with the room, and with the account of who pressed them', async () => {
      const { w, host, ivo, ada, room, id, read } = await roomOfThree();
      for (const who of [ivo, ada]) {
        valueOf(await w.handlers['rooms/stamp'](who, { ...room, messageId: id, stamp: 'tune', isOn: true }));
      }
      await w.rooms.accountHook.onDeleting?.(ada.uid);
      expect((await read(host))?.stamps).toEqual([{ stamp: 'tune', count: 1, isMine: false }]);
      const own = await all(ownRoomStamps(w.database.db, ivo.uid));
      expect(own).toEqual([{ kind, code: room.code, stamp: 'tune' }]);
      valueOf(await w.handlers['rooms/leave'](host, room));
      expect(await w.database.db.selectFrom(roomTables[kind].stamps).selectAll().execute()).toEqual([]);
      await w.close();
    });

    test('a stamp thrown at the picture is broadcast and stored on no message', async () => {
      const { w, ivo, room, roomId, read } = await roomOfThree();
      valueOf(await w.handlers['rooms/cheer'](ivo, { ...room, stamp: 'fire' }));
      expect((await w.changesOf(roomStream(roomId))).at(-1)).toEqual({
        type: 'rooms/cheered',
        uid: ivo.uid,
        stamp: 'fire',
      });
      expect((await read(ivo))?.stamps).toEqual([]);
      await w.close();
    });
  });
});

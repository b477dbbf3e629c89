import { limits, roomStream, type RoomMessage } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { newClientId, refusalOf, valueOf } from '@tunemate/testkit/answers';
import { openRoomWorld, type RoomWorld } from '@tunemate/testkit/worlds/room-world';
import type { Caller } from '../../access/caller.ts';
import { ownRoomMessages, ownRoomStamps } from '../lifecycle/account-rooms.ts';
import { roomTables } from '../../storage/schema.ts';
import { pruneEarlierWords } from '../../storage/earlier-words.ts';

/** What the host deletes of a room's chat, and the stamps of its members, over real databases. */
describeEachDialect('the chat of a room', (makeDatabaseUrl, dialect) => {
  async function all(rows: AsyncIterable<object>): Promise<object[]> {
    const read: object[] = [];
    for await (const row of rows) read.push(row);
    return read;
  }

  const secret = 'the-ending-is-that-the-butler-did-it';

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
      // For a report of a person who has read it, for a day.
      expect(await rowsWith(w, secret)).toEqual(['earlier_words']);
      await pruneEarlierWords(w.database.db, Date.parse('9999-01-01'));
      expect(await rowsWith(w, secret)).toEqual([]);
      const by = { isDeletedByHost: true };
      const deleted = {
        id,
        number: 1,
        sender: ivo.uid,
        senderName: 'Ivo',
        text: '',
        isDeleted: true,
        ...by,
        stamps: [],
      };
      expect(await read(ada)).toMatchObject(deleted);
      expect((await w.changesOf(roomStream(roomId))).slice(-2)).toMatchObject([
        { type: 'rooms/messageSent', message: deleted },
        { type: 'rooms/messageDeleted', messageId: id, ...by },
      ]);
      // Sent again by a tab that never read the answer.
      expect(valueOf(await say()).message).toMatchObject(deleted);
      expect(await all(ownRoomMessages(w.database.db, ivo.uid))).toMatchObject([{ text: '', isDeletedByHost: true }]);
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
      expect(sent).not.toContain('isDeletedByHost');
    });

    test('only the host deletes others’ messages, once; what is not in the room can’t be deleted', async () => {
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
    });

    test('a deleted message takes no stamps, and loses those it had', async () => {
      const { w, host, ivo, room, id, read } = await roomOfThree();
      const press = () => w.handlers['rooms/stamp'](ivo, { ...room, messageId: id, stamp: 'wow', isOn: true });
      valueOf(await press());
      valueOf(await w.handlers['rooms/deleteMessage'](host, { ...room, messageId: id }));
      expect((await read(ivo))?.stamps).toEqual([]);
      expect(refusalOf(await press())).toBe('access/not-found');
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
    });

    test('of a crowd that claps each clap is accepted, and as many are sent as a picture shows', async () => {
      const { w, ivo, room } = await roomOfThree();
      const before = w.passed.length;
      const clap = () => w.handlers['rooms/cheer'](ivo, { ...room, stamp: 'fire' });
      for (const answer of await Promise.all(Array.from({ length: 500 }, clap))) valueOf(answer);
      const sent = w.passed.length - before;
      expect(sent).toBeGreaterThanOrEqual(40);
      expect(sent).toBeLessThan(500);
    });

    test('a stamp thrown at the picture is stored nowhere, neither on a message nor as a change of the room', async () => {
      const { w, ivo, room, roomId, read } = await roomOfThree();
      const before = await w.changesOf(roomStream(roomId));
      valueOf(await w.handlers['rooms/cheer'](ivo, { ...room, stamp: 'fire' }));
      expect(await w.changesOf(roomStream(roomId))).toEqual(before);
      expect((await read(ivo))?.stamps).toEqual([]);
    });
  });
});

/** Replies to messages of a room, and edits of them, over real databases. */
describeEachDialect('replies and edits in a room', (makeDatabaseUrl, dialect) => {
  describe.each([kindOn(dialect)])('of kind %s', (kind) => {
    async function stage() {
      const w = await openRoomWorld(await makeDatabaseUrl());
      const [host, ivo, ada] = [await w.person('Mara'), await w.person('Ivo'), await w.person('Ada')];
      const room = await w.roomOf(host, kind);
      for (const guest of [ivo, ada]) await w.letIn(host, guest, room);
      const { roomId } = valueOf(await w.handlers['rooms/enter'](host, room)).room;
      const send = (who: Caller, text: string, more: { replyTo?: string } = {}, clientId = newClientId()) =>
        w.handlers['rooms/sendMessage'](who, { ...room, clientId, text, ...more });
      const say = async (...sent: Parameters<typeof send>) => valueOf(await send(...sent)).message;
      const edit = (who: Caller, messageId: string, text: string, edits = 1, clientId = newClientId()) =>
        w.handlers['rooms/editMessage'](who, { ...room, messageId, clientId, text, edits });
      const remove = (who: Caller, messageId: string) => w.handlers['rooms/deleteMessage'](who, { ...room, messageId });
      const read = async (who: Caller, id: string): Promise<RoomMessage | undefined> =>
        valueOf(await w.handlers['rooms/enter'](who, room)).messages.find((message) => message.id === id);
      const broadcast = () => w.changesOf(roomStream(roomId));
      return { w, host, ivo, ada, room, roomId, send, say, edit, remove, read, broadcast };
    }

    test('a reply has the quoted line as it is now: edited, deleted, or no longer stored (CHAT-36)', async () => {
      const { w, ivo, ada, say, edit, remove, read, broadcast } = await stage();
      const first = await say(ivo, 'quicksand');
      const reply = await say(ada, 'yes', { replyTo: first.id });
      const quote = { id: first.id, sender: ivo.uid, senderName: 'Ivo', text: 'quicksand', isGone: false };
      expect(reply.reply).toEqual(quote);
      expect((await broadcast()).at(-1)).toEqual({ type: 'rooms/messageSent', message: reply });
      expect((await read(ivo, reply.id))?.reply).toEqual(quote);
      valueOf(await edit(ivo, first.id, 'marmalade'));
      expect((await read(ivo, reply.id))?.reply).toEqual({ ...quote, text: 'marmalade' });
      valueOf(await remove(ivo, first.id));
      expect((await read(ada, reply.id))?.reply).toEqual({ ...quote, text: '', isGone: true });
      const words = JSON.stringify(await broadcast());
      expect([words.includes('quicksand'), words.includes('marmalade')]).toEqual([false, false]);
      await w.database.db
        .deleteFrom(kind === 'video' ? 'room_chat' : 'audioroom_chat')
        .where('message_id', '=', first.id)
        .execute();
      await say(ada, 'more');
      expect((await read(ada, reply.id))?.reply).toEqual({
        ...{ id: first.id, sender: null, senderName: '', text: '', isGone: true },
      });
    });

    test('a reply that is sent again is the same one, and another quote under its client id is refused', async () => {
      const { ivo, ada, send, say, edit } = await stage();
      const [one, two] = [await say(ivo, 'one'), await say(ivo, 'two')];
      const clientId = newClientId();
      const sent = await say(ada, 'yes', { replyTo: one.id }, clientId);
      expect(await say(ada, 'yes', { replyTo: one.id }, clientId)).toEqual(sent);
      expect(refusalOf(await send(ada, 'yes', { replyTo: two.id }, clientId))).toBe('input/conflict');
      expect(refusalOf(await send(ada, 'yes', {}, clientId))).toBe('input/conflict');
      valueOf(await edit(ada, sent.id, 'no'));
      expect(await say(ada, 'yes', { replyTo: one.id }, clientId)).toMatchObject({ id: sent.id, text: 'no', edits: 1 });
    });

    test('a message of another room, a deleted one, and one that never was can’t be quoted', async () => {
      const { w, host, ivo, say, remove, send, broadcast } = await stage();
      const other = await w.roomOf(host, kind);
      const elsewhere = valueOf(
        await w.handlers['rooms/sendMessage'](host, { ...other, clientId: newClientId(), text: 'elsewhere' }),
      ).message;
      const gone = await say(ivo, 'gone');
      valueOf(await remove(ivo, gone.id));
      const before = (await broadcast()).length;
      for (const replyTo of [elsewhere.id, gone.id, 'x', '%'])
        expect(refusalOf(await send(ivo, 'hi', { replyTo }))).toBe('access/not-found');
      expect((await broadcast()).length).toBe(before);
    });

    test('its sender edits a message for 15 minutes by the server’s clock, each edit once, in order (CHAT-36)', async () => {
      const { w, ivo, ada, say, edit, read, broadcast } = await stage();
      const { id } = await say(ivo, 'helo');
      const clientId = newClientId();
      valueOf(await edit(ivo, id, 'hello', 1, clientId));
      valueOf(await edit(ivo, id, 'hello', 1, clientId));
      expect(refusalOf(await edit(ivo, id, 'hullo', 2, clientId))).toBe('input/conflict');
      // From another tab, which has not seen that edit.
      expect(refusalOf(await edit(ivo, id, 'hallo', 1))).toBe('input/conflict');
      expect(refusalOf(await edit(ivo, id, 'hallo', 3))).toBe('input/conflict');
      w.clock.advance(limits.editableMs - 1);
      valueOf(await edit(ivo, id, 'hello!', 2));
      w.clock.advance(1);
      expect(refusalOf(await edit(ivo, id, 'late', 3))).toBe('access/forbidden');
      expect(await read(ada, id)).toMatchObject({ text: 'hello!', edits: 2 });
      const edits = (await broadcast()).filter(({ type }) => type === 'rooms/messageEdited');
      expect(edits).toMatchObject([
        { messageId: id, text: 'hello', edits: 1 },
        { messageId: id, text: 'hello!', edits: 2 },
      ]);
      const own: object[] = [];
      for await (const message of ownRoomMessages(w.database.db, ivo.uid)) own.push(message);
      expect(own).toMatchObject([{ text: 'hello!' }]);
    });

    test('a message of another person, of another room, or a deleted one can’t be edited; a removed guest edits none', async () => {
      const { w, host, ivo, ada, room, say, edit, remove, broadcast } = await stage();
      const { id } = await say(ivo, 'mine');
      for (const who of [host, ada]) expect(refusalOf(await edit(who, id, 'theirs'))).toBe('access/forbidden');
      const other = await w.roomOf(ivo, kind);
      const there = { ...other, messageId: id, clientId: newClientId(), text: 'there', edits: 1 };
      expect(refusalOf(await w.handlers['rooms/editMessage'](ivo, there))).toBe('access/not-found');
      for (const unknown of ['x', '%']) expect(refusalOf(await edit(ivo, unknown, 'hi'))).toBe('access/not-found');
      const gone = await say(ivo, 'gone');
      valueOf(await remove(host, gone.id));
      expect(refusalOf(await edit(ivo, gone.id, 'back'))).toBe('access/not-found');
      valueOf(await w.handlers['rooms/removeParticipant'](host, { ...room, uid: ivo.uid, forGood: false }));
      expect(refusalOf(await edit(ivo, id, 'still here'))).toBe('room/removed');
      expect((await broadcast()).some(({ type }) => type === 'rooms/messageEdited')).toBe(false);
    });

    test('a guest who is blocked by the host edits and quotes nothing more', async () => {
      const { w, host, ivo, say, edit, send } = await stage();
      const { id } = await say(ivo, 'mine');
      valueOf(await w.handlers['chats/block'](host, { uid: ivo.uid, isBlocked: true }));
      expect(refusalOf(await edit(ivo, id, 'still'))).toMatch(/^room\//);
      expect(refusalOf(await send(ivo, 'hi', { replyTo: id }))).toMatch(/^room\//);
    });

    test('pages of history have edits and quotes, and reach down to a quoted message', async () => {
      const { w, ivo, ada, room, say, edit } = await stage();
      const first = await say(ivo, 'message 0');
      for (let n = 1; n < 120; n += 1) await say(ivo, `message ${String(n)}`);
      const reply = await say(ada, 'this one', { replyTo: first.id });
      valueOf(await edit(ivo, first.id, 'message zero'));
      const { messages } = valueOf(await w.handlers['rooms/enter'](ada, room));
      expect(messages.at(-1)).toMatchObject({ id: reply.id, reply: { text: 'message zero' } });
      const before = messages[0]?.id ?? '';
      const page = async (more: { downTo?: string }) =>
        valueOf(await w.handlers['rooms/earlierMessages'](ada, { ...room, before, ...more }));
      expect((await page({})).messages).toHaveLength(limits.chatPage);
      const long = await page({ downTo: first.id });
      expect(long.messages[0]).toMatchObject({ id: first.id, text: 'message zero', edits: 1 });
      expect(long.hasEarlierMessages).toBe(false);
      expect((await page({ downTo: 'x' })).messages).toHaveLength(limits.chatPage);
    });

    test('an edit that meets a deletion or the host’s moderation, over two connections, leaves no word behind', async () => {
      const url = await makeDatabaseUrl();
      const one = await openRoomWorld(url);
      const two = await openRoomWorld(url, one.clock, 2);
      const [host, ivo] = [await one.person('Mara'), await one.person('Ivo')];
      const room = await one.roomOf(host, kind);
      await one.letIn(host, ivo, room);
      const { roomId } = valueOf(await one.handlers['rooms/enter'](host, room)).room;
      for (let round = 0; round < 6; round += 1) {
        const sent = { ...room, clientId: newClientId(), text: `words ${String(round)}` };
        const { id: messageId } = valueOf(await one.handlers['rooms/sendMessage'](ivo, sent)).message;
        const change = { ...room, messageId, clientId: newClientId(), text: `changed ${String(round)}`, edits: 1 };
        const who = round % 2 === 0 ? host : ivo;
        const [edited, removed] = await Promise.all([
          one.handlers['rooms/editMessage'](ivo, change),
          two.handlers['rooms/deleteMessage'](who, { ...room, messageId }),
        ]);
        valueOf(removed);
        if (!edited.ok) expect(refusalOf(edited)).toBe('access/not-found');
      }
      const entries = await one.record.entriesAfter(roomStream(roomId), 0);
      expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
      expect(JSON.stringify(entries)).not.toMatch(/words|changed/);
      const { messages } = valueOf(await two.handlers['rooms/enter'](ivo, room));
      expect(messages.every(({ text, isDeleted, edits }) => text === '' && isDeleted && edits === undefined)).toBe(
        true,
      );
      await Promise.all([one.close(), two.close()]);
    });
  });
});

/** Replies to messages of a room, and edits of them, over real databases. */
import { limits, roomStream, type RoomMessage } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import type { Caller } from '../../access/caller.ts';
import { ownRoomMessages } from '../lifecycle/account-rooms.ts';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { newClientId, refusalOf, valueOf } from '@tunemate/testkit/answers';
import { openRoomWorld } from '@tunemate/testkit/worlds/room-world';

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
      await w.close();
    });

    test('a reply that is sent again is the same one, and another quote under its client id is refused', async () => {
      const { w, ivo, ada, send, say, edit } = await stage();
      const [one, two] = [await say(ivo, 'one'), await say(ivo, 'two')];
      const clientId = newClientId();
      const sent = await say(ada, 'yes', { replyTo: one.id }, clientId);
      expect(await say(ada, 'yes', { replyTo: one.id }, clientId)).toEqual(sent);
      expect(refusalOf(await send(ada, 'yes', { replyTo: two.id }, clientId))).toBe('input/conflict');
      expect(refusalOf(await send(ada, 'yes', {}, clientId))).toBe('input/conflict');
      valueOf(await edit(ada, sent.id, 'no'));
      expect(await say(ada, 'yes', { replyTo: one.id }, clientId)).toMatchObject({ id: sent.id, text: 'no', edits: 1 });
      await w.close();
    });

    test('nobody quotes a message of another room, a deleted one, or one that never was', async () => {
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
      await w.close();
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
      await w.close();
    });

    test('nobody edits a message of somebody else, of another room, or a deleted one; a removed guest edits none', async () => {
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
      await w.close();
    });

    test('a guest who is blocked by the host edits and quotes nothing more', async () => {
      const { w, host, ivo, say, edit, send } = await stage();
      const { id } = await say(ivo, 'mine');
      valueOf(await w.handlers['chats/block'](host, { uid: ivo.uid, isBlocked: true }));
      expect(refusalOf(await edit(ivo, id, 'still'))).toMatch(/^room\//);
      expect(refusalOf(await send(ivo, 'hi', { replyTo: id }))).toMatch(/^room\//);
      await w.close();
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
      await w.close();
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

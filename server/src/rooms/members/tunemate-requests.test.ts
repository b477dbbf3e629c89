/** Two guests of one room become tunemates: one asks, the other answers. */
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect, kindOn } from '@tunemate/testkit/services/dialects';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

describeEachDialect('requests to be tunemates', (makeDatabaseUrl, dialect) => {
  let w: SocketWorld;
  beforeAll(async () => {
    w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
  });
  afterAll(() => w.close());

  const ask = (who: Tab, room: Room, whom: Tab) =>
    who.ask('tunemates/ask', { ...room, clientId: newClientId(), uid: whom.uid });
  /** What a tab that opens now is shown. */
  const look = async (who: Tab) => {
    const tab = await w.connect(who);
    tab.leave();
    const { tunemates, notifications } = tab.snapshot;
    const asked = notifications.filter(({ type }) => type === 'tunemate');
    return { mates: tunemates.map(({ name, metIn }) => [name, ...metIn]), asked };
  };
  const idOf = async (who: Tab) => (await look(who)).asked[0]?.id ?? '';

  describe.each([kindOn(dialect)])('in a %s room', (kind) => {
    async function evening() {
      w.clock.advance(60 * 60_000);
      const [mara, ada, ivo] = [await w.arrive('Mara'), await w.arrive('Ada'), await w.arrive('Ivo')];
      const { room } = await w.roomWith(mara, kind, ada, ivo);
      return { mara, ada, ivo, room };
    }

    test('the other gets one request however often it is sent, accepts, and each is on the list of the other (MATE-7)', async () => {
      const { ada, ivo, room } = await evening();
      for (const _time of [1, 2]) valueOf(await ask(ada, room, ivo));
      const { asked } = await look(ivo);
      expect(asked).toMatchObject([{ message: 'Ada asks you to be tunemates', senderUid: ada.uid }]);
      const id = asked[0]?.id ?? '';
      expect(codeOf(await ada.ask('tunemates/accept', { id }))).toBe('access/not-found');
      for (const _time of [1, 2]) valueOf(await ivo.ask('tunemates/accept', { id }));
      expect((await look(ada)).mates).toContainEqual(['Ivo', kind]);
      expect(await look(ivo)).toMatchObject({ mates: expect.arrayContaining([['Ada', kind]]), asked: [] });
      valueOf(await ask(ada, room, ivo));
      expect((await look(ivo)).asked).toEqual([]);
    });

    test('a decline leaves both as they were, and two who ask each other are tunemates without an answer', async () => {
      const { ada, ivo, room } = await evening();
      valueOf(await ask(ada, room, ivo));
      const id = await idOf(ivo);
      expect(codeOf(await ada.ask('tunemates/decline', { id }))).toBe('access/not-found');
      valueOf(await ivo.ask('tunemates/decline', { id }));
      expect(codeOf(await ivo.ask('tunemates/accept', { id }))).toBe('access/not-found');
      expect((await look(ada)).mates).not.toContainEqual(['Ivo', kind]);
      valueOf(await ask(ada, room, ivo));
      valueOf(await ask(ivo, room, ada));
      expect(await look(ivo)).toMatchObject({ mates: expect.arrayContaining([['Ada', kind]]), asked: [] });
      expect((await look(ada)).asked).toEqual([]);
    });

    test('strangers to the room, people outside of it and the caller themselves are refused', async () => {
      const { ada, ivo, room } = await evening();
      const noor = await w.arrive('Noor');
      expect(codeOf(await ask(noor, room, ada))).toBe('room/not-member');
      expect(codeOf(await ask(ada, room, noor))).toBe('access/not-found');
      expect(codeOf(await ask(ada, room, ada))).toBe('input/invalid');
      valueOf(await ivo.ask('rooms/leave', room));
      expect(codeOf(await ask(ada, room, ivo))).toBe('access/not-found');
      expect((await look(ivo)).asked).toEqual([]);
    });

    test('a blocked person is not refused, and nothing arrives; a block after the request takes it back (MATE-7)', async () => {
      const { ada, ivo, room } = await evening();
      valueOf(await ask(ada, room, ivo));
      const id = await idOf(ivo);
      valueOf(await ivo.ask('chats/block', { uid: ada.uid, isBlocked: true }));
      expect((await look(ivo)).asked).toEqual([]);
      expect(codeOf(await ivo.ask('tunemates/accept', { id }))).toBe('access/not-found');
      valueOf(await ask(ada, room, ivo));
      expect((await look(ivo)).asked).toEqual([]);
      expect((await look(ada)).mates).not.toContainEqual(['Ivo', kind]);
    });
  });
});

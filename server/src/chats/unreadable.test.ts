/** What no person can read any more goes, with its pictures; what one of the two still reads stays. */
import { pairIdOf } from '@tunemate/domain';
import type { PairId, Uid } from '@tunemate/protocol';
import { newClientId } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { openPeopleWorld, type PeopleWorld } from '@tunemate/testkit/worlds/people-world';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetUnreadable } from './unreadable.ts';

const hourMs = 60 * 60 * 1000;

describeEachDialect('what no person can read', (makeDatabaseUrl, dialect) => {
  let world: PeopleWorld;
  beforeAll(async () => {
    world = await openPeopleWorld(makeDatabaseUrl, dialect, { processes: 1 });
  });
  afterAll(() => world.close());

  /** A chat of four messages, the third with a picture. */
  async function chat() {
    const [ada, bob] = [await world.addPerson('Ada'), await world.addPerson('Bob')];
    const pairId = pairIdOf(ada, bob);
    const imageId = `${ada.slice(0, 21)}1`;
    const size = { width: 1, height: 1, bytes: 4, state: 'unsent', created_at_ms: world.clock.now() } as const;
    await world.record.db
      .insertInto('images')
      .values({ image_id: imageId, pair_id: pairId, uploader: ada, ...size })
      .execute();
    for (const n of [1, 2, 3, 4]) {
      const [from, to] = n === 2 ? [bob, ada] : [ada, bob];
      const more = n === 3 ? { imageId } : {};
      await world.said(from, 'chats/send', { uid: to, clientId: newClientId(), text: `words ${String(n)}`, ...more });
    }
    return { ada, bob, pairId, imageId };
  }
  const clear = (uid: Uid, pairId: PairId, upTo: number) => world.said(uid, 'chats/clear', { pairId, upTo });
  const hide = (uid: Uid, pairId: PairId, number: number) =>
    world.said(uid, 'chats/hide', { pairId, number, isHidden: true });
  const stored = async (pairId: PairId) => {
    const rows = world.record.db
      .selectFrom('private_messages')
      .select(['number', 'text'])
      .where('pair_id', '=', pairId);
    return (await rows.orderBy('number').execute()).map(({ number, text }) => `${String(number)} ${text}`);
  };
  const stateOf = async (imageId: string) =>
    (await world.record.db.selectFrom('images').select('state').where('image_id', '=', imageId).executeTakeFirst())
      ?.state;
  const round = () => forgetUnreadable(world.record, world.clock.now());
  const sentBytes = async (pairId: PairId) => {
    const rows = await world.record.db
      .selectFrom('conversations')
      .select('sent_bytes')
      .where('pair_id', '=', pairId)
      .execute();
    return rows.reduce((sum, row) => sum + row.sent_bytes, 0);
  };

  test('the part of a chat that both have deleted goes, with its pictures and its weight', async () => {
    const { ada, bob, pairId, imageId } = await chat();
    await clear(ada, pairId, 4);
    await round();
    expect(await stored(pairId)).toHaveLength(4);
    await clear(bob, pairId, 3);
    await round();
    expect([await stored(pairId), await stateOf(imageId)]).toEqual([['4 words 4'], 'going']);
    await clear(bob, pairId, 4);
    await round();
    expect([await stored(pairId), await sentBytes(pairId)]).toEqual([[], 0]);
    // The chat goes on where it was.
    await world.said(bob, 'chats/send', { uid: ada, clientId: newClientId(), text: 'again' });
    expect(await stored(pairId)).toEqual(['5 again']);
  });

  test('a message that each of them hid or deleted goes once it can’t be shown again', async () => {
    const { ada, bob, pairId, imageId } = await chat();
    await hide(ada, pairId, 3);
    await hide(bob, pairId, 3);
    await hide(bob, pairId, 1);
    await clear(ada, pairId, 1);
    await hide(ada, pairId, 4);
    await round();
    expect(await stored(pairId)).toContain('3 words 3');
    world.clock.advance(2 * hourMs);
    await round();
    expect([await stored(pairId), await stateOf(imageId)]).toEqual([['1 ', '2 words 2', '3 ', '4 words 4'], 'going']);
  });

  test('a chat of which one account is gone goes when the other deletes it', async () => {
    const { ada, bob, pairId } = await chat();
    await world.record.db.updateTable('users').set({ deleted_at_ms: 1 }).where('uid', '=', bob).execute();
    await round();
    expect(await stored(pairId)).toHaveLength(4);
    await clear(ada, pairId, 4);
    await round();
    expect(await stored(pairId)).toEqual([]);
  });
});

/** Who sees that a person is typing in a room, and how often at most. */
import { limits, type Uid } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { refusalOf, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { insertUsers } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';

const seenBy = (tab: Tab) => tab.ephemeral.flatMap((event) => (event.type === 'rooms/typing' ? [event.uid] : []));

describeEachDialect('typing in a room', (makeDatabaseUrl) => {
  async function stage(names: readonly string[]) {
    const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
    const host = await w.arrive('Mara');
    const room = await w.room(host, 'video');
    const { roomId } = valueOf(await host.ask('rooms/enter', room)).room;
    const guests: Tab[] = [];
    for (const name of names) {
      const guest = await w.arrive(name);
      await w.letIn(host, guest, room);
      valueOf(await guest.ask('rooms/enter', room));
      guests.push(guest);
    }
    const types = async (tab: Tab) => valueOf(await tab.ask('rooms/typing', room));
    return { w, host, room, roomId, guests, types };
  }

  test('three people who type are shown at a time, each once in two seconds, however many ask', async () => {
    const { host, guests, types } = await stage(['Ivo', 'Ada', 'Bea', 'Cid', 'Dov']);
    for (let round = 0; round < 3; round += 1) for (const guest of guests) await types(guest);
    const shown = guests.slice(0, 3).map(({ uid }) => uid);
    await expect.poll(() => seenBy(host)).toEqual(shown);
  });

  test('a person who has a block with another in the room is not shown, nor one outside or removed', async () => {
    const { w, host, room, guests, types } = await stage(['Ivo', 'Ada', 'Bea']);
    const [ivo, ada, bea] = guests as [Tab, Tab, Tab];
    valueOf(await ivo.ask('chats/block', { uid: ada.uid, isBlocked: true }));
    const stranger = await w.arrive('Eve');
    expect(refusalOf(await stranger.ask('rooms/typing', room))).toBe('room/not-member');
    for (const guest of [ivo, ada, bea]) await types(guest);
    await expect.poll(() => seenBy(host)).toEqual([bea.uid]);
    valueOf(await host.ask('rooms/removeParticipant', { ...room, uid: bea.uid, forGood: false }));
    expect(refusalOf(await bea.ask('rooms/typing', room))).toBe('room/removed');
    await types(host);
    await expect.poll(() => seenBy(host)).toEqual([bea.uid, host.uid]);
    expect([seenBy(stranger), seenBy(bea)]).toEqual([[], [bea.uid]]);
  });

  test('in a room of more people than the limit no typing is shown', async () => {
    const { w, host, roomId, guests, types } = await stage(['Ivo']);
    const uids = Array.from({ length: limits.typingPeople - 1 }, (_, n) => String(n).padStart(22, '0') as Uid);
    await insertUsers(
      w.db,
      uids.map((uid) => ({ uid, name: 'Eve', nowMs: w.clock.now() })),
    );
    const rows = uids.map((uid) => ({ room_id: roomId, uid, joined_at_ms: w.clock.now() }));
    await w.db.insertInto('room_participants').values(rows).execute();
    await types(guests[0] as Tab);
    // Answered after it.
    await types(host);
    expect(seenBy(host)).toEqual([]);
  });
});

/** What suggestions know of a room and of its people, what no person learns by them, and what is forgotten, on both databases. */
import type { PlaybackIntent, RoomKind } from '@tunemate/protocol';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { openRoomWorld, type RoomWorld } from '@tunemate/testkit/worlds/room-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Caller } from '../../access/caller.ts';
import { keepHistories } from '../history/history-store.ts';
import { byItself, countHeard, exportedCounts, pruneCounts } from './heard-counts-store.ts';
import { roomFacts } from './room-facts-store.ts';

const minute = 60_000;
const inOrder = (a: readonly unknown[], b: readonly unknown[]): number => (String(a) < String(b) ? -1 : 1);
const idOf = (n: number): string => trackOf(n).videoId;

describeEachDialect('what suggestions know of a room', (makeDatabaseUrl) => {
  let w: RoomWorld;
  let mara: Caller;
  let ivo: Caller;
  beforeEach(async () => {
    w = await openRoomWorld(await makeDatabaseUrl());
    [mara, ivo] = [await w.person('Mara'), await w.person('Ivo')];
  });
  afterEach(() => w.close());

  interface Opened {
    host: Caller;
    room: { kind: RoomKind; code: string };
  }

  async function roomWith(host: Caller, ...guests: Caller[]): Promise<Opened> {
    const room = await w.roomOf(host, 'audio');
    valueOf(await w.handlers['playback/takeControl'](host, { ...room, tabId: host.tabId }));
    for (const guest of guests) await w.letIn(host, guest, room);
    return { host, room };
  }
  const write = async ({ host, room }: Opened, intent: PlaybackIntent) =>
    valueOf(await w.handlers['playback/write'](host, { ...room, tabId: host.tabId, clientId: newClientId(), intent }));
  /** Plays each for two minutes, then counts. */
  async function play(opened: Opened, ...numbers: number[]): Promise<void> {
    for (const n of numbers) {
      await write(opened, { type: 'choose', track: trackOf(n, 300) });
      w.clock.advance(2 * minute);
    }
    await countHeard(w);
  }
  const factsOf = async ({ host, room }: Opened) => {
    const { roomId } = valueOf(await w.handlers['rooms/enter'](host, room)).room;
    return await roomFacts(w.database.db, { kind: room.kind, roomId }, w.clock.now());
  };
  const afterIn = async (opened: Opened) => {
    const { after } = await factsOf(opened);
    return [...after]
      .flatMap(([id, next]) => [...next].map(([then, times]) => [id, then, times] as const))
      .toSorted(inOrder);
  };
  const togetherIn = async (opened: Opened, ...numbers: number[]) => {
    const { togetherOf } = await factsOf(opened);
    const found = await togetherOf(numbers.map((n) => trackOf(n).videoId));
    return Object.fromEntries([...found].map(([id, { times, skipped }]) => [id, [times, skipped]]));
  };
  const counts = async () => await w.database.db.selectFrom('heard_counts').selectAll().execute();

  test('what both have heard together counts, how often after which, and what was left early is a skip', async () => {
    const evening = await roomWith(mara, ivo);
    await play(evening, 1, 2);
    await write(evening, { type: 'choose', track: trackOf(3, 300) });
    w.clock.advance(20_000);
    await play(evening, 1, 2, 4);
    expect((await factsOf(evening)).played.map(({ title, isSkipped }) => [title, isSkipped])).toEqual([
      ...[
        ['Track 1', false],
        ['Track 2', false],
        ['Track 3', true],
        ['Track 1', false],
        ['Track 2', false],
      ],
      ['Track 4', false],
    ]);
    expect(await togetherIn(evening, 1, 2, 3, 4, 5)).toEqual({
      ...{ [idOf(1)]: [2, 0], [idOf(2)]: [2, 0], [idOf(3)]: [0, 1], [idOf(4)]: [1, 0] },
    });
    await play(evening, 1);
    expect(await afterIn(evening)).toEqual([
      [idOf(1), idOf(2), 2],
      [idOf(2), idOf(4), 1],
      [idOf(4), idOf(1), 1],
    ]);
  });

  test('no list tells one person what another has heard without them (ROOM-48)', async () => {
    const alone = await roomWith(mara);
    await play(alone, 1, 2, 1, 2, 3);
    expect(Object.keys(await togetherIn(alone, 1, 2, 3))).toHaveLength(3);
    const both = await roomWith(mara, ivo);
    await write(both, { type: 'choose', track: trackOf(1, 300) });
    const facts = await factsOf(both);
    expect([await togetherIn(both, 1, 2, 3), facts.often, [...facts.after]]).toEqual([{}, [], []]);
    const other = await roomWith(ivo);
    await write(other, { type: 'choose', track: trackOf(1, 300) });
    expect(await afterIn(other)).toEqual([]);
  });

  test('what three people chose is of the house, and one who plays it a thousand times counts three times', async () => {
    const people = [mara, ivo, await w.person('Ada')];
    for (const person of people.slice(0, 2)) await play(await roomWith(person), 1, 2);
    const stranger = await roomWith(await w.person('Jonas'));
    await write(stranger, { type: 'choose', track: trackOf(1, 300) });
    expect(await afterIn(stranger)).toEqual([]);
    await play(await roomWith(people[2]!), 1, 2);
    await w.database.db.updateTable('heard_counts').set({ chosen: 1000 }).where('uid', '=', mara.uid).execute();
    expect(await afterIn(stranger)).toEqual([[idOf(1), idOf(2), 5]]);
  });

  test('votes count with the name of the last person who voted, while they are in the room', async () => {
    const evening = await roomWith(mara, ivo);
    valueOf(await w.handlers['rooms/propose'](ivo, { ...evening.room, clientId: newClientId(), track: trackOf(7) }));
    expect((await factsOf(evening)).votes).toEqual(new Map([[idOf(7), { name: 'Ivo', count: 1 }]]));
    valueOf(await w.handlers['rooms/leave'](ivo, evening.room));
    expect((await factsOf(evening)).votes.size).toBe(0);
  });

  test('what the house chose is heard and no person’s choice, so that it does not confirm itself', async () => {
    const evening = await roomWith(mara);
    await write(evening, { type: 'choose', track: trackOf(1, 300) });
    w.clock.advance(2 * minute);
    await w.database.db.updateTable('played_tracks').set({ by_house: 1 }).execute();
    await play(evening, 2);
    expect(
      (await counts())
        .map(({ track_id: id, after_id: after, chosen }) => [id, after, chosen] as const)
        .toSorted(inOrder),
    ).toEqual(
      [
        [idOf(1), byItself, 0],
        [idOf(2), byItself, 1],
        [idOf(2), idOf(1), 1],
      ].toSorted(inOrder),
    );
  });

  test('is forgotten with the history of a room, with all histories, and by who keeps none', async () => {
    const evening = await roomWith(mara, ivo);
    valueOf(await w.handlers['rooms/keepHistory'](ivo, { isKept: false }));
    await play(evening, 1, 2);
    expect(new Set((await counts()).map(({ uid }) => uid))).toEqual(new Set([mara.uid]));
    const exported: object[] = [];
    for await (const each of exportedCounts(w.database.db, mara.uid)) exported.push(each);
    expect(exported).toHaveLength(3);
    const other = await roomWith(mara);
    await play(other, 5);
    const { roomId } = valueOf(await w.handlers['rooms/enter'](mara, evening.room)).room;
    valueOf(await w.handlers['rooms/forgetHistory'](mara, { roomId }));
    expect((await counts()).map(({ track_id: id }) => id)).toEqual([idOf(5)]);
    valueOf(await w.handlers['rooms/keepHistory'](mara, { isKept: false }));
    expect(await counts()).toEqual([]);
  });

  test('counts each track once, also of a room that was left before, and of one that many processes count', async () => {
    const evening = await roomWith(mara, ivo);
    await write(evening, { type: 'choose', track: trackOf(1, 300) });
    w.clock.advance(2 * minute);
    const { roomId, name } = valueOf(await w.handlers['rooms/enter'](mara, evening.room)).room;
    await keepHistories(w.database.db, { kind: 'audio', roomId, name }, ivo.uid, w.clock.now());
    await w.database.db.deleteFrom('audioroom_participants').where('uid', '=', ivo.uid).execute();
    await Promise.all([countHeard(w), countHeard(w), countHeard(w)]);
    const found = (await counts()).map(({ uid, heard, chosen }) => [uid, heard, chosen] as const);
    expect(found.toSorted(inOrder)).toEqual(
      [
        [mara.uid, 1, 1],
        [ivo.uid, 1, 0],
      ].toSorted(inOrder),
    );
  });

  test('keeps the latest 5,000 counts of a person, for 400 days', async () => {
    const { db } = w.database;
    const rows = Array.from({ length: 5010 }, (_, at) => ({
      ...{ uid: mara.uid, after_id: byItself, track_id: `track ${String(at)}`, heard: 1, chosen: 0, skipped: 0 },
      last_at_ms: w.clock.now() + at,
    }));
    for (let at = 0; at < rows.length; at += 1000)
      await db
        .insertInto('heard_counts')
        .values(rows.slice(at, at + 1000))
        .execute();
    await pruneCounts(db, w.clock.now());
    expect((await counts()).length).toBe(5000);
    expect((await counts()).some(({ track_id: id }) => id === 'track 9')).toBe(false);
    await pruneCounts(db, w.clock.now() + 401 * 24 * 60 * minute);
    expect(await counts()).toEqual([]);
  });
});

/** With whom a person has just had an evening, which the question on home names: who it is, when, and who never. */
import type { PlaybackIntent, Uid } from '@tunemate/protocol';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { openRoomWorld, type RoomWorld } from '@tunemate/testkit/worlds/room-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Caller } from '../../access/caller.ts';
import { addBlock } from '../../people/blocks.ts';
import { saveAudience } from '../../presence/hearing-store.ts';

const minute = 60_000;

describeEachDialect('the evening that a person has just had', (makeDatabaseUrl) => {
  let w: RoomWorld;
  let mara: Caller;
  let ivo: Caller;
  let room: { kind: 'audio'; code: string };
  beforeEach(async () => {
    w = await openRoomWorld(await makeDatabaseUrl());
    [mara, ivo] = [await w.person('Mara'), await w.person('Ivo')];
    room = { ...(await w.roomOf(mara, 'audio')), kind: 'audio' };
    valueOf(await w.handlers['playback/takeControl'](mara, { ...room, tabId: mara.tabId }));
  });
  afterEach(() => w.close());

  async function play(n: number, minutes: number): Promise<void> {
    const intent: PlaybackIntent = { type: 'choose', track: trackOf(n, 300) };
    valueOf(await w.handlers['playback/write'](mara, { ...room, tabId: mara.tabId, clientId: newClientId(), intent }));
    w.clock.advance(minutes * minute);
  }
  const leave = async (caller: Caller) => valueOf(await w.handlers['rooms/leave'](caller, room));
  const evening = async (caller: Caller) => valueOf(await w.handlers['rooms/firstEvening'](caller, {})).evening;
  /** Ivo comes when the first track plays, and hears two more. */
  async function heardTogether(minutes = 4): Promise<void> {
    await play(1, 1);
    await w.letIn(mara, ivo, room);
    w.clock.advance(minute);
    await play(2, minutes);
    await play(3, minutes);
    w.clock.advance(3 * minute);
  }

  test('names the other with what both were there for, once the person has left (PRES-54)', async () => {
    await heardTogether();
    expect(await evening(ivo)).toBeNull();
    await leave(ivo);
    expect(await evening(ivo)).toMatchObject({ uid: mara.uid, name: 'Mara', tracks: 3, last: { title: 'Track 3' } });
    expect(await evening(mara)).toBeNull();
    await leave(mara);
    expect(await evening(mara)).toMatchObject({ uid: ivo.uid, tracks: 3 });
  });

  test('is none after less than ten minutes, a day later, and once the person has chosen (PRES-54)', async () => {
    await heardTogether(1);
    await leave(ivo);
    expect(await evening(ivo)).toBeNull();
    await w.letIn(mara, ivo, room);
    w.clock.advance(5 * minute);
    await leave(ivo);
    expect(await evening(ivo)).not.toBeNull();
    await saveAudience(w.database.db, ivo.uid, 'nobody');
    expect(await evening(ivo)).toBeNull();
    await leave(mara);
    expect(await evening(mara)).not.toBeNull();
    w.clock.advance(24 * 60 * minute);
    expect(await evening(mara)).toBeNull();
  });

  test('is none with a person who is no tunemate any more, who is blocked, or who keeps no history (PRES-54)', async () => {
    await heardTogether();
    await leave(ivo);
    await w.handlers['rooms/keepHistory'](mara, { isKept: false });
    expect(await evening(ivo)).toBeNull();
    await w.handlers['rooms/keepHistory'](mara, { isKept: true });
    expect(await evening(ivo)).not.toBeNull();
    const { db } = w.database;
    await addBlock(db, mara.uid, ivo.uid, false, w.clock.now());
    expect(await evening(ivo)).toBeNull();
    await db.deleteFrom('blocks').execute();
    expect(await evening(ivo)).not.toBeNull();
    for (const table of ['tunemates', 'audio_connections'] as const) {
      await db
        .deleteFrom(table)
        .where('uid', '=', mara.uid satisfies Uid)
        .execute();
    }
    expect(await evening(ivo)).toBeNull();
  });
});

/** What presence makes good after a write that failed or never came, on both databases. */
import type { RoomId, Uid } from '@tunemate/protocol';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { callerOf } from '@tunemate/testkit/worlds/people';
import { openPeopleWorld, type PeopleWorld } from '@tunemate/testkit/worlds/people-world';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLog } from '../system/logging.ts';
import { Failure } from '../system/ports.ts';
import type { RoomRef } from '../storage/schema.ts';
import type { MembersRoom } from './online-state.ts';
import { presenceService } from './presence-service.ts';

describeEachDialect('presence after a failure', (makeDatabaseUrl, dialect) => {
  let world: PeopleWorld;
  beforeAll(async () => {
    world = await openPeopleWorld(makeDatabaseUrl, dialect);
  });
  afterAll(() => world.close());

  /** Its reads of rooms, which every change of presence needs, fail as long as `isBroken`. */
  async function process(processId: string, { limitScale = 1 } = {}) {
    const faults = { isBroken: false, mostPeople: Infinity };
    const rooms = new Map<Uid, MembersRoom[]>();
    const sent: RoomRef[] = [];
    const presence = presenceService({
      record: world.record,
      clock: world.clock,
      log: createLog('silent'),
      processId,
      limitScale,
      shownChanged: () => undefined,
      roomsOf: (_db, uids) =>
        faults.isBroken || uids.length > faults.mostPeople
          ? Promise.reject(new Error('database away'))
          : Promise.resolve(rooms),
      occupancyChanged: (room) => Promise.resolve(void sent.push(room)),
      onlineChangedIn: () => undefined,
      mayHaveMoved: () => Promise.resolve(),
    });
    await presence.tick();
    return { presence, faults, rooms, sent };
  }

  const statesOf = async (uid: Uid) =>
    (await world.changesOf(uid)).flatMap((each) => (each.type === 'presence/changed' ? [each.presence.state] : []));

  test('the connections of a crowd are restored in statements that databases take', async () => {
    const { presence, faults } = await process('crowded');
    const callers = Array.from({ length: 1100 }, (_, n) => callerOf(`crowd${String(n).padStart(17, '0')}` as Uid));
    for (const caller of callers) void presence.opened(caller);
    const countOfCrowd = async () =>
      (await world.record.db.selectFrom('connections').select('uid').where('process_id', '=', 'crowded').execute())
        .length;
    const deleteAll = () => world.record.db.deleteFrom('connections').where('process_id', '=', 'crowded').execute();
    await expect.poll(countOfCrowd).toBe(1100);
    faults.mostPeople = 500;
    await deleteAll();
    world.clock.advance(31_000);
    await presence.tick();
    expect(await countOfCrowd()).toBe(1100);
    await presence.stop();
    await deleteAll();
  });

  test('a process that was thought dead restores its connections, also where that failed once', async () => {
    const [one, two] = [await process('one'), await process('two')];
    const uid = await world.addPerson();
    await one.presence.opened(callerOf(uid));
    world.clock.advance(31_000);
    await two.presence.tick();
    expect(await statesOf(uid)).toEqual(['online', 'offline']);
    world.clock.advance(5000);
    one.faults.isBroken = true;
    await expect(one.presence.tick()).rejects.toThrow('database away');
    one.faults.isBroken = false;
    await one.presence.tick();
    expect(await statesOf(uid)).toEqual(['online', 'offline', 'online']);
  });

  test.each([
    [35_000, 'online'],
    [150_000, 'offline'],
  ])(
    'after all processes were away for %i ms, a connected person is %s when the first is back',
    async (awayMs, state) => {
      const one = await process(`before-${String(awayMs)}`);
      const uid = await world.addPerson();
      await one.presence.opened(callerOf(uid));
      world.clock.advance(awayMs);
      await process(`after-${String(awayMs)}`);
      expect((await statesOf(uid)).at(-1)).toBe(state);
    },
  );

  test('a person who does not come back after a restart is offline 30 s later (PRES-17)', async () => {
    const one = await process('before-restart');
    const uid = await world.addPerson();
    await one.presence.opened(callerOf(uid));
    world.clock.advance(35_000);
    const { presence } = await process('after-restart');
    world.clock.advance(29_999);
    await presence.tick();
    expect(await statesOf(uid)).toEqual(['online']);
    world.clock.advance(1);
    await presence.tick();
    expect(await statesOf(uid)).toEqual(['online', 'offline']);
  });

  test('who comes, or goes to another room, on a full disk is seen there once it has room (FAULT-4)', async () => {
    const one = await process('full-disk');
    const [comes, moves] = [await world.addPerson(), await world.addPerson()];
    const at = (roomId: string): RoomRef => ({ kind: 'audio', roomId: roomId as RoomId });
    const [room, earlier] = [at(`${'r'.repeat(21)}2`), at(`${'r'.repeat(21)}1`)];
    await one.presence.opened(callerOf(moves));
    await one.presence.moveTo(callerOf(moves), earlier);
    const write = vi
      .spyOn(world.record, 'write')
      .mockRejectedValue(new Failure('server/storage-full', 'database.full'));
    expect(await one.presence.opened(callerOf(comes))).toMatchObject({ ok: true });
    expect(await one.presence.moveTo(callerOf(comes), room)).toBeNull();
    expect(await one.presence.moveTo(callerOf(moves), room)).toEqual(earlier);
    write.mockRestore();
    for (const uid of [comes, moves]) one.rooms.set(uid, [{ ...room, isLarge: false, majoritySkips: false }]);
    one.sent.length = 0;
    await one.presence.tick();
    const rows = await world.record.db.selectFrom('connections').select(['uid', 'room']).execute();
    const roomOf = (uid: Uid) => rows.filter((row) => row.uid === uid).map((row) => row.room);
    const stored = [`audio:${room.roomId}`];
    expect([roomOf(comes), roomOf(moves)]).toEqual([stored, stored]);
    expect(one.sent).toEqual([room]);
    expect(await statesOf(comes)).toEqual(['online']);
    for (const uid of [comes, moves]) await one.presence.closed(callerOf(uid), { type: 'closed' });
  });

  test('who is still a member of their room is in it again, and who has left it meanwhile is not', async () => {
    const [one, two] = [await process('five'), await process('six')];
    const [stays, left] = [await world.addPerson(), await world.addPerson()];
    const room: RoomRef = { kind: 'audio', roomId: 'room-that-goes-on' as RoomId };
    const seat = (roomId: string) => ({ ...room, roomId: roomId as RoomId, isLarge: false, majoritySkips: false });
    for (const uid of [stays, left]) {
      await one.presence.opened(callerOf(uid));
      await one.presence.moveTo(callerOf(uid), room);
    }
    world.clock.advance(31_000);
    await two.presence.tick();
    expect(two.sent).toEqual([room]);
    one.rooms.set(stays, [seat(room.roomId)]);
    one.rooms.set(left, [seat('another-room')]);
    one.sent.length = 0;
    await one.presence.tick();
    const rows = await world.record.db.selectFrom('connections').select(['uid', 'room']).execute();
    expect(new Map(rows.map((row) => [row.uid, row.room]))).toEqual(
      new Map([
        [stays, 'audio:room-that-goes-on'],
        [left, null],
      ]),
    );
    expect(one.sent).toEqual([room]);
  });

  test('a tab whose place a newer one has taken is not restored (PRES-20)', async () => {
    const [one, two] = [await process('seven', { limitScale: 0.1 }), await process('eight')];
    const caller = callerOf(await world.addPerson());
    const newer = { ...caller, connectionId: 'newer' };
    for (const each of [caller, newer]) expect(await one.presence.opened(each)).toMatchObject({ ok: true });
    await one.presence.closed(caller, { type: 'closed' });
    world.clock.advance(31_000);
    await two.presence.tick();
    await one.presence.tick();
    const rows = world.record.db.selectFrom('connections').select('connection_id').where('uid', '=', caller.uid);
    expect(await rows.execute()).toEqual([{ connection_id: newer.connectionId }]);
  });

  test('a process that starts corrects at once who was left online (PRES-6)', async () => {
    const uid = await world.addPerson();
    await world.record.db
      .updateTable('users')
      .set({ online: 1, presence_changed_at_ms: world.clock.now() })
      .where('uid', '=', uid)
      .execute();
    world.clock.advance(61_000);
    await process('nine');
    expect(await statesOf(uid)).toEqual(['offline']);
  });

  test('a change that had to wait and could not be written is written a second later', async () => {
    const { presence, faults } = await process('three');
    const caller = callerOf(await world.addPerson());
    await presence.opened(caller);
    world.clock.advance(60_000);
    await presence.closed(caller, { type: 'closed' });
    await presence.opened(caller);
    expect(await statesOf(caller.uid)).toEqual(['online', 'offline']);
    world.clock.advance(5000);
    faults.isBroken = true;
    await expect(presence.publishDue()).rejects.toThrow('database away');
    faults.isBroken = false;
    world.clock.advance(1000);
    await presence.publishDue();
    expect(await statesOf(caller.uid)).toEqual(['online', 'offline', 'online']);
  });
});

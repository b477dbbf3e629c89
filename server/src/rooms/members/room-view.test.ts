import { limits, type Uid, type RoomChange, type RoomId, roomStream } from '@tunemate/protocol';
import { valueOf, codeOf, newClientId } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { insertUsers } from '@tunemate/testkit/worlds/people';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test, vi } from 'vitest';
import { roomTables } from '../../storage/schema.ts';
import { type SharedView, sharedViews } from './room-view.ts';

/** The statements of a host who enters: the same with one request that waits and with two hundred. */
describeEachDialect('entering a room at whose door people wait', (makeDatabaseUrl) => {
  test('a host enters with as many statements whether one waits or two hundred, and sees no person they blocked', async () => {
    const statements: string[] = [];
    const w = await openSocketWorld({
      databaseUrl: await makeDatabaseUrl(),
      onStatement: (statement) => statements.push(statement),
    });
    const host = await w.arrive('Mara');
    const room = await w.room(host, 'video');
    const { roomId } = valueOf(await host.ask('rooms/enter', room)).room;

    async function ask(uids: readonly Uid[]): Promise<void> {
      const nowMs = w.clock.now();
      const times = { asked_at_ms: nowMs, renewed_at_ms: nowMs, answered_at_ms: null, times_asked: 0 };
      await insertUsers(
        w.db,
        uids.map((uid) => ({ uid, name: 'Ivo', nowMs })),
      );
      await w.db
        .insertInto('room_requests')
        .values(uids.map((uid) => ({ room_id: roomId, uid, name: 'Ivo', status: 'pending' as const, ...times })))
        .execute();
    }
    /** The least of several rounds: what the background asks for meanwhile is not counted. */
    async function enter(): Promise<{ cost: number; seen: string[] }> {
      const costs: number[] = [];
      let seen: string[] = [];
      for (let round = 0; round < 4; round += 1) {
        statements.length = 0;
        seen = valueOf(await host.ask('rooms/enter', room)).requests.map(({ uid }) => uid);
        costs.push(statements.length);
      }
      return { cost: Math.min(...costs), seen };
    }

    const [first, ...others] = Array.from(
      { length: limits.pendingPerRoom },
      (_, index) => String(index).padStart(22, '0') as Uid,
    );
    await ask([first as Uid]);
    const one = await enter();
    await ask(others);
    const blocked = others.slice(0, 3);
    await w.db
      .insertInto('blocks')
      .values(blocked.map((uid) => ({ uid: host.uid, blocked: uid, at_ms: 0 })))
      .execute();
    const all = await enter();
    expect(one.seen).toEqual([first]);
    expect(all.seen.toSorted()).toEqual([first, ...others.slice(3)]);
    expect(all.cost).toBe(one.cost);
  });
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const emptyView: SharedView = {
  roster: { people: 0, participants: [] },
  proposals: [],
  skipVotes: [],
  playback: null,
  messages: [],
  hasEarlierMessages: false,
};

/** People who enter a room at one number of its stream: read once, and never older than that number. */
describe('shared view', () => {
  describeEachDialect('entering a room', (makeDatabaseUrl) => {
    test('the members are read once for all who enter at one number, and again after a change', async () => {
      const log: string[] = [];
      const onStatement = (statement: string) => log.push(statement);
      const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl(), onStatement });
      const host = await w.arrive('Mara');
      const room = await w.room(host, 'audio');
      const [ada, bea] = [await w.arrive('Ada'), await w.arrive('Bea')];
      const guests = [ada, bea, await w.arrive('Cem'), await w.arrive('Dov')];
      for (const guest of guests) await w.letIn(host, guest, room);
      valueOf(await host.ask('rooms/enter', room));
      const reads = () => log.filter((each) => each.includes('"member"."joined_at_ms"')).length;
      log.length = 0;
      const entered = await Promise.all(guests.map(async (guest) => valueOf(await guest.ask('rooms/enter', room))));
      expect(reads()).toBeLessThanOrEqual(1);
      expect(new Set(entered.map(({ room: { participants } }) => participants.length))).toEqual(new Set([5]));
      valueOf(await host.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: 'hello' }));
      const again = valueOf(await ada.ask('rooms/enter', room));
      expect(again.messages.map(({ text }) => text)).toEqual(['hello']);
      valueOf(await bea.ask('rooms/leave', room));
      const last = valueOf(await host.ask('rooms/enter', room));
      expect(last.room.participants.map(({ name }) => name).sort()).toEqual(['Ada', 'Cem', 'Dov', 'Mara']);
    });

    test('a room whose rows go while a person enters answers that it has ended', async () => {
      const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
      const host = await w.arrive('Mara');
      const room = await w.room(host, 'audio');
      const guest = await w.arrive('Ada');
      await w.letIn(host, guest, room);
      // As where it ends after the guest's membership was read.
      await w.db.deleteFrom(roomTables.audio.playback).execute();
      expect(codeOf(await guest.ask('rooms/enter', room))).toBe('room/ended');
    });

    test('who enters a room that fills up is shown what a read of that moment shows', async () => {
      const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
      const host = await w.arrive('Mara');
      const room = await w.room(host, 'video');
      valueOf(await host.ask('rooms/enter', room));
      const names: string[] = ['Mara'];
      for (const name of ['Ada', 'Bea', 'Cem', 'Dov']) {
        // Who comes in at one moment has no order of their own.
        w.clock.advance(1);
        const guest = await w.arrive(name);
        await w.letIn(host, guest, room);
        names.push(name);
        const { seq, room: seen } = valueOf(await guest.ask('rooms/enter', room));
        expect(seen.participants.map((each) => each.name)).toEqual(names);
        expect(seen.participants.map(({ online }) => online)).toEqual(names.map(() => true));
        expect(seen.people).toBe(names.length);
        const { head } = await w.db
          .selectFrom('streams')
          .select('head')
          .where('stream', '=', roomStream(seen.roomId))
          .executeTakeFirstOrThrow();
        expect(seq).toBe(head);
      }
    });
  });

  /** A room's stream, of which each change is numbered, and what is read meanwhile. */
  function streamOf(people: number) {
    const uidOf = (n: number) => String(n).padStart(22, 'u') as Uid;
    const personOf = (n: number) => ({ uid: uidOf(n), name: `Guest ${String(n)}`, online: true });
    const changes: RoomChange[] = [];
    const roster = { people, participants: Array.from({ length: Math.min(people, 50) }, (_, n) => personOf(n)) };
    let reads = 0;
    const viewAt = sharedViews(() => 0);
    return {
      uidOf,
      personOf,
      changes,
      reads: () => reads,
      forgotten: 0,
      async view() {
        const { forgotten } = this;
        const reading = {
          read: () => {
            reads += 1;
            return Promise.resolve({ roster } as unknown as SharedView);
          },
          changesAfter: (seq: number, most: number) =>
            Promise.resolve(
              changes
                .map((change, index) => ({ seq: index + 1, change }))
                .filter((entry) => entry.seq > Math.max(seq, forgotten))
                .slice(0, most),
            ),
        };
        return (await viewAt('R'.repeat(22) as RoomId, changes.length, reading)).roster;
      },
    };
  }

  test('a view goes on with the people who come, without another read', async () => {
    const w = streamOf(2);
    await w.view();
    w.changes.push({ type: 'rooms/participantJoined', participant: w.personOf(2), people: 3 });
    w.changes.push({ type: 'rooms/participantPresence', uid: w.uidOf(1), online: false });
    // Delivered again: the read that came first may have found it.
    w.changes.push({ type: 'rooms/participantJoined', participant: w.personOf(2), people: 3 });
    expect(await w.view()).toEqual({
      people: 3,
      participants: [w.personOf(0), { ...w.personOf(1), online: false }, w.personOf(2)],
    });
    expect(w.reads()).toBe(1);
  });

  test('the view of a large room goes on with its count', async () => {
    const w = streamOf(400);
    await w.view();
    for (const people of [401, 402]) w.changes.push({ type: 'rooms/headCount', people });
    const { people, participants } = await w.view();
    expect([people, participants.length, w.reads()]).toEqual([402, 50, 1]);
  });

  const guest = { uid: 'g'.repeat(22) as Uid, name: 'Eve', online: true };

  test.each<[why: string, people: number, changes: RoomChange[]]>([
    ['of anything else', 5, [{ type: 'rooms/participantLeft', uid: 'u'.repeat(22) as Uid, people: 4 }]],
    ['that do not fit to it', 5, [{ type: 'rooms/participantJoined', participant: guest, people: 9 }]],
    ['of a room that no longer names all its people', 100, [{ type: 'rooms/headCount', people: 101 }]],
    [
      'of more than two hundred',
      400,
      Array.from({ length: 201 }, (_, n) => ({ type: 'rooms/headCount', people: n + 401 })),
    ],
  ])('a view is read anew behind changes %s', async (_why, people, changes) => {
    const w = streamOf(people);
    await w.view();
    w.changes.push(...changes);
    await w.view();
    expect(w.reads()).toBe(2);
  });

  test('a view is read anew where changes in between are no longer stored', async () => {
    const w = streamOf(400);
    await w.view();
    for (const people of [401, 402]) w.changes.push({ type: 'rooms/headCount', people });
    w.forgotten = 1;
    await w.view();
    expect(w.reads()).toBe(2);
  });

  test('what was read is not kept for longer than a second, nor after a failure', async () => {
    let nowMs = 0;
    let reads = 0;
    const viewAt = sharedViews(() => nowMs);
    const ask = (fails = false) =>
      viewAt('R'.repeat(22) as RoomId, 1, {
        changesAfter: () => Promise.resolve([]),
        read: () => {
          reads += 1;
          return fails ? Promise.reject(new Error('no database')) : Promise.resolve(emptyView);
        },
      });
    await expect(ask(true)).rejects.toThrow('no database');
    for (const at of [0, 999, 1000, 1999]) {
      nowMs = at;
      await ask();
    }
    expect(reads).toBe(3);
  });

  test('a view that no other person enters with is out of memory after a second', async () => {
    vi.useFakeTimers();
    const viewAt = sharedViews();
    const view = new WeakRef(
      await viewAt('R'.repeat(22) as RoomId, 1, {
        changesAfter: () => Promise.resolve([]),
        read: () => Promise.resolve({ ...emptyView }),
      }),
    );
    collectGarbage();
    expect(view.deref()).toBeDefined();
    vi.advanceTimersByTime(1000);
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect(view.deref()).toBeUndefined();
  });

  test('of more than two hundred rooms the view of the one read longest ago is given up', async () => {
    const read: string[] = [];
    const viewAt = sharedViews(() => 0);
    const ask = (n: number) => {
      const roomId = String(n).padStart(22, 'R') as RoomId;
      return viewAt(roomId, 1, {
        changesAfter: () => Promise.resolve([]),
        read: () => {
          read.push(roomId);
          return Promise.resolve({ messages: [] } as unknown as SharedView);
        },
      });
    };
    for (let n = 0; n <= 200; n += 1) await ask(n);
    expect(read).toHaveLength(201);
    await ask(200);
    await ask(1);
    expect(read).toHaveLength(201);
    await ask(0);
    expect(read).toHaveLength(202);
  });
});

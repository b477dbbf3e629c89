/** People who enter a room at one number of its stream: read once, and never older than that number. */
import type { RoomId } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { type SharedView, sharedViews } from './room-view.ts';

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
    await w.close();
  });
});

test('what was read is not kept for longer than a second, nor after a failure', async () => {
  let nowMs = 0;
  let reads = 0;
  const viewAt = sharedViews(() => nowMs);
  const empty: SharedView = {
    roster: { people: 0, participants: [] },
    proposals: [],
    skipVotes: [],
    playback: null,
    messages: [],
    hasEarlierMessages: false,
  };
  const ask = (fails = false) =>
    viewAt('R'.repeat(22) as RoomId, 1, () => {
      reads += 1;
      return fails ? Promise.reject(new Error('no database')) : Promise.resolve(empty);
    });
  await expect(ask(true)).rejects.toThrow('no database');
  for (const at of [0, 999, 1000, 1999]) {
    nowMs = at;
    await ask();
  }
  expect(reads).toBe(3);
});

test('of more than two hundred rooms the view of the one read longest ago is given up', async () => {
  const read: string[] = [];
  const viewAt = sharedViews(() => 0);
  const ask = (n: number) => {
    const roomId = String(n).padStart(22, 'R') as RoomId;
    return viewAt(roomId, 1, () => {
      read.push(roomId);
      return Promise.resolve({ messages: [] } as unknown as SharedView);
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

/** The judge of the faults finds what it is there to find. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrate, openDatabase } from '../../server/src/storage/database.ts';
import { insertPerson, type Person } from '@tunemate/testkit/worlds/people';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import type { Scenario } from './scenario.ts';
import { judge } from './judge.ts';

const room = { kind: 'video', code: 'ABC123' } as const;
const view = JSON.stringify({ people: [], queue: ['first', 'second'], timeline: {} });

/** A scenario of two whose messages and queue are all stored; `wrong` is what one page saw or keeps otherwise. */
async function judged(wrong: {
  chat?: readonly string[];
  queued?: readonly string[];
  view?: string;
  audiences?: readonly string[];
  complaints?: readonly string[];
  offline?: number;
  soulmate?: boolean;
}): Promise<string[]> {
  await using dir = await makeTempDir('judge');
  const url = `sqlite:${join(dir.path, 'tunemate.sqlite')}`;
  const database = openDatabase(url);
  await migrate(database);
  const { db } = database;
  const host = await insertPerson(db, { name: 'Listener 0', nowMs: 0 });
  const guest = await insertPerson(db, { name: 'Listener 1', nowMs: 0 });
  const times = { created_at_ms: 0, is_active: 1, ended_at_ms: null, host_away_since_ms: null, empty_since_ms: null };
  await db
    .insertInto('rooms')
    .values({ room_id: 'room', code: room.code, name: 'Kitchen Radio', host: host.uid, ...times })
    .execute();
  const chat = wrong.chat ?? ['one', 'two', 'three'];
  for (const [index, text] of chat.entries()) {
    const ids = { room_id: 'room', message_id: String(index), client_id: String(index), number: index + 1 };
    await db
      .insertInto('room_chat')
      .values({ ...ids, sender: host.uid, text, timestamp_ms: 0 })
      .execute();
  }
  if (wrong.soulmate) await db.updateTable('users').set({ soulmate: guest.uid }).where('uid', '=', host.uid).execute();
  await database.close();
  const texts = () => chat.map((text, index) => `${String(index + 1)} ${text}`);
  const pageOf = (person: Person, audiences: readonly string[] = ['[room]']) => ({
    person,
    audiences: new Set(audiences),
    complaints: person === host ? (wrong.complaints ?? []) : [],
    failed: new Set(),
    written: [],
    outbox: { waiting: { get: () => [] } },
    longestAwayMs: () => 0,
  });
  const seatOf = (person: Person, said: readonly string[], queued: readonly string[], seen: string) => ({
    page: pageOf(person),
    room: {
      said,
      queued,
      texts,
      view: () => seen,
      waiting: () => 0,
      tryAgain: () => undefined,
      offlineShown: () => wrong.offline ?? 0,
    },
  });
  const participants = [
    seatOf(host, ['one', 'two', 'three'], wrong.queued ?? ['second'], view),
    seatOf(guest, [], [], wrong.view ?? view),
  ];
  const stranger = await makeStranger(url, wrong.audiences ?? []);
  const scenario = {
    room,
    participants,
    host: participants[0],
    pages: [...participants.map(({ page }) => page), stranger],
  };
  return (await judge(scenario as unknown as Scenario, url, { inStepWithinMs: 50 })).problems;

  async function makeStranger(where: string, audiences: readonly string[]) {
    const opened = openDatabase(where);
    const person = await insertPerson(opened.db, { name: 'Listener 5', nowMs: 0 });
    await opened.close();
    return pageOf(person, audiences);
  }
}

test('a scenario on which all is well has no problems', async () => {
  expect(await judged({})).toEqual([]);
});

test.each([
  ['a lost message', { chat: ['one', 'three'] }, /messages of Listener 0: at 1 of 3/],
  ['a doubled message', { chat: ['one', 'two', 'two', 'three'] }, /messages of Listener 0: at 2 of 3/],
  ['messages out of order', { chat: ['two', 'one', 'three'] }, /messages of Listener 0: at 0 of 3/],
  ['a track that was queued and is not there', { queued: ['second', 'third'] }, /the queue: at 1 of 2/],
  ['a guest who sees another room', { view: '{"other":1}' }, /not in step/],
  ['a stranger who saw a word', { audiences: ['[room]'] }, /Listener 5 saw \[room\]/],
  ['half a couple', { soulmate: true }, /has the soulmate/],
  ['a person shown as offline', { offline: 1 }, /shown as offline/],
  ['what a page complains of', { complaints: ['a message came twice'] }, /a message came twice/],
])('the judge finds %s (FAULT-1, FAULT-2, FAULT-3)', async (_what, wrong, problem) => {
  const problems = await judged(wrong);
  expect(problems.join('\n')).toMatch(problem);
});

import type { Hearing } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { aSnapshot, batchOf, maraUid, uidOf } from '../../testing/connection-fixtures.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { aLiveConnection } from '../../testing/fake-link.ts';
import { cell } from '../store/cell.ts';
import { followHearing, type Hears } from './hearing-model.ts';

const [jonas, ivo] = [uidOf('Jonas'), uidOf('Ivo')];
const hearing = (uid: Hearing['uid'], untilMs: number | null = null): Hearing => ({
  ...{ uid, title: 'Walking Home', artist: 'Lena Vogt', thumbnail: null, untilMs },
});

async function setUp() {
  const { connection, server, welcome } = aLiveConnection(createFakeClock());
  const model = cell<Hears>(new Map());
  const soulmate = { uid: jonas, name: 'Jonas', presence: { uid: jonas, state: 'online', last_changed: 1 } } as const;
  const snapshot = aSnapshot({ soulmate, hears: [hearing(jonas), hearing(ivo, 5)] });
  await welcome(snapshot);
  followHearing(connection, model, snapshot);
  let seq = 0;
  const tell = (...changes: Parameters<typeof batchOf>[2]) =>
    server.push(batchOf(`user:${maraUid}`, (seq += 1), changes));
  const shown = () => [...model.get()].map(([uid, { untilMs }]) => [uid, untilMs]);
  return { server, tell, shown };
}

test('what people hear follows the snapshot and each event', async () => {
  const { server, shown } = await setUp();
  expect(shown()).toEqual([
    [jonas, null],
    [ivo, 5],
  ]);
  server.sendEphemeral({ type: 'presence/hears', uid: ivo, hears: hearing(ivo) });
  server.sendEphemeral({ type: 'presence/hears', uid: jonas, hears: null });
  expect(shown()).toEqual([[ivo, null]]);
});

test('the end of a tie, and of being shown it, ends it at once', async () => {
  const { tell, shown } = await setUp();
  tell({ type: 'tunemates/removed', uid: ivo, metIn: ['video'] });
  expect(shown()).toEqual([[jonas, null]]);
  tell({ type: 'soulmate/changed', soulmate: null });
  expect(shown()).toEqual([]);
  const other = await setUp();
  other.tell({ type: 'presence/hearingEnded', uid: jonas });
  expect(other.shown()).toEqual([[ivo, 5]]);
});

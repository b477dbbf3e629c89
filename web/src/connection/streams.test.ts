import type { RoomChange } from '@tunemate/protocol';
import { beforeEach, expect, test } from 'vitest';
import { createFakeClock, settle, type FakeClock } from '../../testing/fake-clock.ts';
import { batchOf, uidOf } from '../../testing/connection-fixtures.ts';
import { createStreams } from './connection.ts';

const stream = `room:${'r'.repeat(22)}` as const;

let clock: FakeClock;
let streams: ReturnType<typeof createStreams>;
let seen: string[];
let snapshots: ((seq: number | null) => void)[];

const left = (letter: string): RoomChange => ({ type: 'rooms/participantLeft', uid: uidOf(letter), people: 1 });

function subscribe(fromSeq: number) {
  return streams.subscribe(stream, {
    fromSeq,
    onChange: (change, seq) => seen.push(`${seq}${'uid' in change ? change.uid[0] : ''}`),
    resnapshot: () => new Promise((resolve) => snapshots.push(resolve)),
  });
}

async function snapshotIs(seq: number | null): Promise<void> {
  snapshots.shift()?.(seq);
  await settle();
}

beforeEach(() => {
  clock = createFakeClock();
  streams = createStreams(clock);
  streams.connectionLive();
  seen = [];
  snapshots = [];
});

test('changes are applied once and in order; numbers already passed are dropped (CONN-10)', () => {
  subscribe(2);
  streams.receive(batchOf(stream, 1, [left('a'), left('b'), left('c')]));
  streams.receive(batchOf(stream, 3, [left('c')]));
  streams.receive(batchOf(stream, 4, [left('d'), left('e')]));
  expect(seen).toEqual(['3c', '4d', '5e']);
  expect(snapshots).toHaveLength(0);
});

test('changes that arrive before their stream has a subscriber are not lost (CONN-10)', () => {
  streams.receive(batchOf(stream, 6, [left('a')]));
  streams.receive(batchOf(stream, 7, [left('b')]));
  subscribe(6);
  expect(seen).toEqual(['7b']);
});

test('a missing number fetches one snapshot, and changes that arrive meanwhile are applied after it (CONN-11)', async () => {
  subscribe(1);
  streams.receive(batchOf(stream, 3, [left('c')]));
  streams.receive(batchOf(stream, 4, [left('d')]));
  streams.receive(batchOf(stream, 5, [left('e')]));
  await settle();
  expect(snapshots).toHaveLength(1);
  expect(seen).toEqual([]);
  await snapshotIs(4);
  expect(seen).toEqual(['5e']);
});

test('a snapshot that leaves a gap behind it is fetched again (CONN-11)', async () => {
  subscribe(1);
  streams.receive(batchOf(stream, 5, [left('e')]));
  await snapshotIs(2);
  expect(snapshots).toHaveLength(1);
  await snapshotIs(4);
  expect(seen).toEqual(['5e']);
});

test('a snapshot that failed is fetched again after 2 s (CONN-11)', async () => {
  subscribe(1);
  streams.receive(batchOf(stream, 3, [left('c')]));
  await snapshotIs(null);
  expect(snapshots).toHaveLength(0);
  clock.advance(2000);
  expect(snapshots).toHaveLength(1);
});

test('while a failed snapshot waits for its next attempt, further changes do not ask for it', async () => {
  subscribe(1);
  streams.receive(batchOf(stream, 3, [left('c')]));
  await snapshotIs(null);
  for (const from of [4, 5, 6]) streams.receive(batchOf(stream, from, [left('d')]));
  clock.advance(1999);
  expect(snapshots).toHaveLength(0);
  clock.advance(1);
  expect(snapshots).toHaveLength(1);
  await snapshotIs(5);
  expect(seen).toEqual(['6d']);
});

test('a new connection asks for a snapshot at once, also during the pause after a failed one', async () => {
  subscribe(1);
  streams.receive(batchOf(stream, 3, [left('c')]));
  await snapshotIs(null);
  streams.connectionLost();
  streams.connectionLive();
  expect(snapshots).toHaveLength(1);
  clock.advance(5000);
  expect(snapshots).toHaveLength(1);
});

test('on a new connection every subscriber fetches a snapshot, and an answer from the old connection is ignored (CONN-12)', async () => {
  subscribe(1);
  streams.receive(batchOf(stream, 3, [left('c')]));
  streams.connectionLost();
  streams.connectionLive();
  expect(snapshots).toHaveLength(2);
  await snapshotIs(3);
  streams.receive(batchOf(stream, 8, [left('h')]));
  await snapshotIs(7);
  expect(seen).toEqual(['8h']);
});

test('a subscriber that has ended receives no more changes, even in the middle of a batch', () => {
  const stop = streams.subscribe(stream, {
    fromSeq: 0,
    onChange: (_change, seq) => {
      seen.push(String(seq));
      stop();
    },
    resnapshot: () => Promise.resolve(null),
  });
  streams.receive(batchOf(stream, 1, [left('a'), left('b')]));
  streams.receive(batchOf(stream, 3, [left('c')]));
  expect(seen).toEqual(['1']);
});

import { beforeEach, describe, expect, test } from 'vitest';
import type { RoomChange } from '@tunemate/protocol';
import { createFakeClock, settle, type FakeClock } from '../../testing/fake-clock.ts';
import { createConnection, createStreams } from './connection.ts';
import { createFakeLinks } from '../../testing/fake-link.ts';
import { aSnapshot, aTabId, batchOf, uidOf } from '../../testing/connection-fixtures.ts';

const userStream = `user:${uidOf('M')}`;

function setUp() {
  const clock = createFakeClock();
  const server = createFakeLinks();
  const connection = createConnection({
    openLink: server.openLink,
    clock,
    random: () => 0.5,
    tabId: aTabId,
    protocolVersion: 7,
    owner: () => null,
  });
  return { clock, server, connection };
}

async function setUpLive() {
  const parts = setUp();
  parts.connection.start();
  await parts.server.welcome(aSnapshot());
  return parts;
}

test('the first request of a link is hello with the version and the tab; after its answer the connection is live (CONN-1)', async () => {
  const { server, connection } = setUp();
  expect(connection.status.get()).toEqual({ status: 'closed' });
  connection.start();
  expect(connection.status.get()).toEqual({ status: 'connecting' });
  await server.open();
  expect(server.waiting.map(({ name, payload }) => ({ name, payload }))).toEqual([
    { name: 'session/hello', payload: { protocolVersion: 7, tabId: aTabId } },
  ]);
  await server.answer('session/hello', { ok: true, value: aSnapshot() });
  expect(connection.status.get()).toEqual({ status: 'live' });
});

test('a lost connection is opened again after a jittered wait that grows (CONN-2)', async () => {
  const { clock, server, connection } = await setUpLive();
  server.lose();
  expect(connection.status.get()).toEqual({ status: 'reconnecting', attempt: 1, retryAtMs: clock.now() + 250 });
  clock.advance(250);
  expect(server.opened()).toBe(2);
  server.lose();
  expect(connection.status.get()).toMatchObject({ status: 'reconnecting', attempt: 2, retryAtMs: clock.now() + 500 });
  clock.advance(500);
  await server.welcome(aSnapshot());
  expect(connection.status.get()).toEqual({ status: 'live' });
  server.lose();
  expect(connection.status.get()).toMatchObject({ attempt: 1 });
});

test('the wait is at least what the server asks for (CONN-2)', async () => {
  const { clock, server, connection } = setUp();
  connection.start();
  server.lose({ code: 'limit/too-many', retryAfterMs: 9000 });
  expect(connection.status.get()).toMatchObject({ retryAtMs: clock.now() + 9250 });
});

test('a hello without an answer counts as a lost connection (CONN-2)', async () => {
  const { clock, server, connection } = setUp();
  connection.start();
  await server.open();
  await clock.advanceAsync(10_000);
  expect(connection.status.get()).toMatchObject({ status: 'reconnecting', attempt: 1 });
  expect(server.isBrokenOff()).toBe(true);
});

test('a refused session is not tried again until a user signs in (CONN-3)', async () => {
  const { clock, server, connection } = await setUpLive();
  server.lose({ code: 'auth/required' });
  expect(connection.status.get()).toEqual({ status: 'refused', code: 'auth/required' });
  await clock.advanceAsync(120_000);
  expect(server.opened()).toBe(1);
  connection.start();
  expect(server.opened()).toBe(2);
});

test('a page older than the server becomes outdated and does not reconnect', async () => {
  const { server, connection } = setUp();
  connection.start();
  await server.open();
  await server.answer('session/hello', { ok: false, error: { code: 'client/outdated' } });
  expect(connection.status.get()).toEqual({ status: 'outdated' });
  connection.wake();
  connection.start();
  expect(server.opened()).toBe(1);
});

test('waking up or coming back online tries at once', async () => {
  const { server, connection } = await setUpLive();
  server.lose();
  connection.wake();
  expect(server.opened()).toBe(2);
});

test('waking up probes a live connection and drops it when no answer comes', async () => {
  const { clock, server, connection } = await setUpLive();
  connection.wake();
  await server.answer('clock/probe', { ok: true, value: { serverReceivedMs: 1, serverSentMs: 1 } });
  expect(connection.status.get()).toEqual({ status: 'live' });
  connection.wake();
  await clock.advanceAsync(3000);
  expect(connection.status.get()).toMatchObject({ status: 'reconnecting' });
});

test('a connection on which neither a request nor a probe is answered is given up after 5.5 s (CONN-21)', async () => {
  const { clock, server, connection } = await setUpLive();
  void connection.request('soulmate/part', {});
  await clock.advanceAsync(5499);
  expect(server.waiting.map(({ name }) => name)).toEqual(['soulmate/part', 'clock/probe']);
  expect(connection.status.get()).toEqual({ status: 'live' });
  await clock.advanceAsync(1);
  expect(connection.status.get()).toMatchObject({ status: 'reconnecting' });
});

test('a connection whose probe is answered is kept while a request takes long (CONN-21)', async () => {
  const { clock, server, connection } = await setUpLive();
  for (let n = 0; n < 2; n += 1) void connection.request('soulmate/part', {});
  await clock.advanceAsync(2500);
  expect(server.waiting.filter(({ name }) => name === 'clock/probe')).toHaveLength(1);
  await server.answer('clock/probe', { ok: true, value: { serverReceivedMs: 1, serverSentMs: 1 } });
  await clock.advanceAsync(6000);
  expect(connection.status.get()).toEqual({ status: 'live' });
});

test('a request without a connection, and one whose connection is lost, is server/unavailable (CONN-6)', async () => {
  const { server, connection } = setUp();
  const unavailable = { ok: false, error: { code: 'server/unavailable' } };
  await expect(connection.request('soulmate/part', {})).resolves.toEqual(unavailable);
  connection.start();
  await server.welcome(aSnapshot());
  const asked = connection.request('soulmate/part', {});
  server.lose();
  await expect(asked).resolves.toEqual(unavailable);
});

test('a request without an answer ends after its timeout (CONN-6)', async () => {
  const { clock, connection } = await setUpLive();
  const asked = connection.request('soulmate/part', {}, { timeoutMs: 1000 });
  await clock.advanceAsync(1000);
  await expect(asked).resolves.toEqual({ ok: false, error: { code: 'server/unavailable' } });
});

test('an idempotent request is sent again on the next connection until it is answered (CONN-7)', async () => {
  const { clock, server, connection } = await setUpLive();
  const asked = connection.requestUntilAnswered('chats/typing', { uid: uidOf('T') });
  await settle();
  server.lose();
  await clock.advanceAsync(250);
  await server.welcome(aSnapshot());
  await server.answer('chats/typing', { ok: false, error: { code: 'server/busy', retryAfterMs: 100 } });
  await clock.advanceAsync(700);
  await server.answer('chats/typing', { ok: true, value: {} });
  await expect(asked).resolves.toEqual({ ok: true, value: {} });
});

test('an idempotent request is sent right behind the hello, and again if the hello is refused (CONN-17)', async () => {
  const { clock, server, connection } = setUp();
  connection.start();
  const asked = connection.requestUntilAnswered('chats/typing', { uid: uidOf('T') });
  await server.open();
  expect(server.waiting.map(({ name }) => name)).toEqual(['session/hello', 'chats/typing']);
  expect(connection.status.get()).toEqual({ status: 'connecting' });
  await server.answer('session/hello', { ok: false, error: { code: 'server/unavailable' } });
  expect(server.isBrokenOff()).toBe(true);
  await clock.advanceAsync(250);
  await server.open();
  await server.answer('chats/typing', { ok: false, error: { code: 'server/busy' } });
  expect(server.waiting.map(({ name }) => name)).toEqual(['session/hello']);
  await clock.advanceAsync(500);
  await server.answer('chats/typing', { ok: true, value: {} });
  await expect(asked).resolves.toEqual({ ok: true, value: {} });
});

test('repeating a request can be cancelled (CONN-7)', async () => {
  const { server, connection } = await setUpLive();
  server.lose();
  const givingUp = new AbortController();
  const asked = connection.requestUntilAnswered('chats/typing', { uid: uidOf('T') }, { signal: givingUp.signal });
  givingUp.abort();
  await expect(asked).resolves.toEqual({ ok: false, error: { code: 'server/unavailable' } });
});

test('each hello returns the snapshot of the user stream, and its changes follow (CONN-8)', async () => {
  const { clock, server, connection } = setUp();
  const seen: string[] = [];
  connection.onUserSnapshot((snapshot) => seen.push(`snapshot ${snapshot.seq}`));
  connection.onUserChange((change) => seen.push(change.type));
  connection.start();
  await server.open();
  server.push(batchOf(userStream, 4, [{ type: 'notifications/read' }]));
  await server.answer('session/hello', { ok: true, value: aSnapshot({ seq: 3 }) });
  expect(seen).toEqual(['snapshot 3', 'notifications/read']);
  server.lose();
  await clock.advanceAsync(250);
  await server.welcome(aSnapshot({ seq: 9 }));
  expect(seen.at(-1)).toBe('snapshot 9');
});

test('a gap in the user stream leads to a new connection with a new snapshot (CONN-8)', async () => {
  const { clock, server, connection } = await setUpLive();
  const seqs: number[] = [];
  connection.onUserSnapshot((snapshot) => seqs.push(snapshot.seq));
  server.push(batchOf(userStream, 5, [{ type: 'notifications/read' }]));
  await clock.advanceAsync(250);
  await server.welcome(aSnapshot({ seq: 5 }));
  expect(seqs).toEqual([5]);
  expect(server.opened()).toBe(2);
});

test('stopping closes the link at once and opens no other', async () => {
  const { clock, server, connection } = await setUpLive();
  connection.stop();
  expect(server.isClosed()).toBe(true);
  await clock.advanceAsync(60_000);
  expect(server.opened()).toBe(1);
  expect(connection.status.get()).toEqual({ status: 'closed' });
});

test('a link that the page gives up is broken off without saying that the user leaves; only a stop says so', async () => {
  const { server, connection, clock } = await setUpLive();
  connection.wake();
  await clock.advanceAsync(3000);
  expect(connection.status.get()).toMatchObject({ status: 'reconnecting' });
  expect([server.isBrokenOff(), server.isClosed()]).toEqual([true, false]);
  await clock.advanceAsync(1000);
  await server.welcome(aSnapshot());
  connection.stop();
  expect([server.isBrokenOff(), server.isClosed()]).toEqual([false, true]);
});

describe('streams', () => {
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
});

import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { openRoomWorld } from '@tunemate/testkit/worlds/room-world';
import { roomStream, type VideoId, type PairId, type Uid } from '@tunemate/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pairIdOf } from '@tunemate/domain';
import { documentTable } from '@tunemate/testkit/document-table';
import { insertSession, insertUser } from '@tunemate/testkit/worlds/people';
import { emailOf, goodPassword, startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { pruneChanges } from './retention.ts';
import { markDeleted } from '../accounts/users-store.ts';
import { saveMessage } from '../chats/chats-store.ts';
import { type Database, openDatabase } from './database.ts';

/** How long changes and answers are kept. */
describeEachDialect('pruning', (makeDatabaseUrl) => {
  const minuteMs = 60_000;

  async function stage() {
    const w = await openRoomWorld(await makeDatabaseUrl());
    const [host, guest] = [await w.person('Mara'), await w.person('Ivo')];
    const room = await w.roomOf(host, 'video');
    await w.letIn(host, guest, room);
    const stream = roomStream(valueOf(await w.handlers['rooms/enter'](host, room)).room.roomId);
    const say = (text: string) => w.handlers['rooms/sendMessage'](host, { ...room, clientId: newClientId(), text });
    const kept = async () => (await w.changesOf(stream)).map(({ type }) => type);
    const round = pruneChanges(w);
    return { w, host, guest, room, stream, say, kept, round };
  }

  test('changes are forgotten after ten minutes, and numbers go on rising', async () => {
    const { w, say, kept, round, stream } = await stage();
    valueOf(await say('one'));
    const head = await w.record.head(stream);
    w.clock.advance(9 * minuteMs);
    await round();
    expect(await kept()).toEqual(['rooms/participantJoined', 'rooms/messageSent']);
    valueOf(await say('two'));
    w.clock.advance(2 * minuteMs);
    await round();
    expect(await kept()).toEqual(['rooms/messageSent']);
    expect(await w.record.head(stream)).toBe(head + 1);
  });

  test('rows written since the last round survive a jump of the clock', async () => {
    const { w, say, kept, round } = await stage();
    w.clock.advance(minuteMs);
    await round();
    valueOf(await say('before the machine slept'));
    w.clock.advance(600 * minuteMs);
    await round();
    expect(await kept()).toEqual(['rooms/messageSent']);
  });

  test('the deletion of an account is kept for a day, so that no process misses it', async () => {
    const { w, guest, room, kept, round } = await stage();
    valueOf(await w.handlers['rooms/leave'](guest, room));
    w.clock.advance(23 * 60 * minuteMs);
    await round();
    await round();
    expect(await kept()).toEqual(['rooms/participantLeft']);
    w.clock.advance(2 * 60 * minuteMs);
    await round();
    expect(await kept()).toEqual([]);
  });

  test('a message sent again within a day is the same message; later its answer is forgotten', async () => {
    const { w, host, room, round } = await stage();
    const message = { ...room, clientId: newClientId(), text: 'one' };
    const first = valueOf(await w.handlers['rooms/sendMessage'](host, message));
    const kept = async () => (await w.database.db.selectFrom('idempotency').select('room_id').execute()).length;
    const before = await kept();
    w.clock.advance(23 * 60 * minuteMs);
    await round();
    expect(valueOf(await w.handlers['rooms/sendMessage'](host, message))).toEqual(first);
    expect(await kept()).toBe(before);
    w.clock.advance(2 * 60 * minuteMs);
    await round();
    expect(await kept()).toBe(0);
  });

  test('the answer to a playback request is deleted after an hour', async () => {
    const { w, host, room, round } = await stage();
    const { tabId } = host;
    valueOf(await w.handlers['playback/takeControl'](host, { ...room, tabId }));
    const track = { videoId: 'lib_0123456789abcdef' as VideoId, title: 'Rain', durationSeconds: 90 };
    const press = { ...room, tabId, clientId: newClientId(), intent: { type: 'choose' as const, track } };
    valueOf(await w.handlers['playback/write'](host, press));
    const kept = () =>
      w.database.db.selectFrom('idempotency').select('client_id').where('client_id', '=', press.clientId).execute();
    w.clock.advance(59 * minuteMs);
    await round();
    expect(await kept()).toHaveLength(1);
    w.clock.advance(2 * minuteMs);
    await round();
    expect(await kept()).toEqual([]);
  });
});

/** How long data is kept; the features test what they delete themselves. */
describeEachDialect('retention', (makeDatabaseUrl) => {
  const dayMs = 24 * 60 * 60 * 1000;

  let app: TestApp;
  let database: Database;
  beforeAll(async () => {
    const databaseUrl = await makeDatabaseUrl();
    app = await startTestApp({ databaseUrl });
    database = openDatabase(databaseUrl);
  });
  afterAll(async () => {
    await database.close();
    await app.close();
  });
  const pass = async (days: number) => {
    app.clock.advance(days * dayMs);
    await app.app.runBackground();
  };

  test('the handbook says of every table how long its rows are kept', async () => {
    const all = (await database.db.introspection.getTables()).map(({ name }) => name);
    // The index of private messages on SQLite, which has no rows of its own.
    const tables = all.filter((name) => !name.startsWith('private_search'));
    const documented = documentTable('docs/operating.md', 'How long data is kept').flatMap(([names = '']) =>
      names.split(', ').map((name) => name.replaceAll('`', '')),
    );
    expect(documented.toSorted()).toEqual(tables.toSorted());
  });

  test('a sign-up that is never verified is deleted after 30 days, and its address is free', async () => {
    const email = emailOf('Late');
    const signUp = () =>
      app.visitor().call('POST /api/accounts/sign-up', { name: 'Late', email, password: goodPassword });
    const kept = async () =>
      (await database.db.selectFrom('users').select('uid').where('email', '=', email).execute()).length;
    const member = await app.member('Kept');
    await signUp();
    await pass(29);
    expect(await kept()).toBe(1);
    // The person tries again: that link can be opened for a day.
    await signUp();
    await pass(0.9);
    expect(await kept()).toBe(1);
    await pass(2);
    expect(await kept()).toBe(0);
    expect(await database.db.selectFrom('users').select('name').where('name', '=', 'Kept').execute()).toHaveLength(1);
    expect((await signUp()).result.ok).toBe(true);
    expect(member.cookie()).not.toBe('');
  });

  test('a device for push messages is deleted when its session has ended', async () => {
    const nowMs = app.clock.now();
    const uid = await insertUser(database.db, { name: 'Pia', nowMs });
    const live = await insertSession(database.db, uid, nowMs);
    for (const [endpoint, sessionId] of [
      ['https://push.example/live', live.sessionId],
      ['https://push.example/ended', 'a session that has ended'],
    ] as const) {
      const keys = JSON.stringify({ p256dh: 'p', auth: 'a', sessionId });
      await database.db
        .insertInto('push_subscriptions')
        .values({ endpoint, uid, keys, created_at_ms: nowMs })
        .execute();
    }
    const endpoints = async () =>
      (await database.db.selectFrom('push_subscriptions').select('endpoint').where('uid', '=', uid).execute()).map(
        ({ endpoint }) => endpoint,
      );
    await pass(0);
    expect(await endpoints()).toEqual(['https://push.example/live']);
    await pass(8);
    expect(await endpoints()).toEqual([]);
  });

  test('mails of the outbox folder are deleted after 30 days, and nothing else in it', async () => {
    await app.member('Ina');
    await writeFile(join(app.outbox, 'notes.txt'), 'of the operator');
    await pass(29);
    expect((await readdir(app.outbox)).some((name) => name.endsWith('.eml'))).toBe(true);
    await pass(2);
    expect(await readdir(app.outbox)).toEqual(['notes.txt']);
  });

  test('the operator’s log is kept for a year, an invitation link until 30 days after it has expired', async () => {
    const nowMs = app.clock.now();
    const order = { id: 'order', at_ms: nowMs, operator: 'ann', action: 'sign-up', subject: 'open' };
    await database.db.insertInto('operator_log').values(order).execute();
    const link = { token_hash: 'h', created_at_ms: nowMs, expires_at_ms: nowMs + dayMs, uses_left: 3 };
    await database.db.insertInto('sign_up_invitations').values(link).execute();
    const counts = async () => [
      (await database.db.selectFrom('operator_log').select('id').execute()).length,
      (await database.db.selectFrom('sign_up_invitations').select('token_hash').execute()).length,
    ];
    await pass(0.5);
    expect(await counts()).toEqual([1, 1]);
    await pass(30);
    expect(await counts()).toEqual([1, 1]);
    await pass(1);
    expect(await counts()).toEqual([1, 0]);
    await pass(334);
    expect(await counts()).toEqual([0, 0]);
  });

  test('what two people wrote each other goes when both accounts are deleted, and not before', async () => {
    const { db } = database;
    const nowMs = app.clock.now();
    const person = (name: string) => insertUser(db, { name, nowMs });
    const [ada, bob, eve] = [await person('Ada'), await person('Bob'), await person('Eve')];
    const gone = await writtenBetween(ada, bob, 401);
    const kept = await writtenBetween(ada, eve, 3);
    const counts = async (pairId: PairId) =>
      await Promise.all(
        (['private_messages', 'conversations', 'images'] as const).map(
          async (table) =>
            (await db.selectFrom(table).select('pair_id').where('pair_id', '=', pairId).execute()).length,
        ),
      );
    await markDeleted(db, ada, nowMs);
    await pass(0);
    expect([await counts(gone), await counts(kept)]).toEqual([
      [401, 2, 2],
      [3, 2, 2],
    ]);
    await markDeleted(db, bob, nowMs);
    await pass(0);
    expect([await counts(gone), await counts(kept)]).toEqual([
      [0, 0, 0],
      [3, 2, 2],
    ]);
  });

  /** So many messages of one to the other, and a picture of each. */
  async function writtenBetween(sender: Uid, other: Uid, count: number): Promise<PairId> {
    const pairId = pairIdOf(sender, other);
    const { db } = database;
    const timestamp = app.clock.now();
    for (let number = 1; number <= count; number += 1) {
      const message = { pairId, number, clientId: newClientId(), sender, text: 'hello', image: null, timestamp };
      await saveMessage(db, message, { recipient: other, isToStranger: false });
    }
    const picture = {
      pair_id: pairId,
      width: 1,
      height: 1,
      bytes: 4,
      created_at_ms: timestamp,
      state: 'sent' as const,
    };
    await db
      .insertInto('images')
      .values([sender, other].map((uploader) => ({ ...picture, uploader, image_id: newClientId() })))
      .execute();
    return pairId;
  }
});

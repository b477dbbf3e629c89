/** How long data is kept. pruning.test.ts has changes and answers; the features test what they delete themselves. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pairIdOf } from '@tunemate/domain';
import type { PairId, Uid } from '@tunemate/protocol';
import { newClientId } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { documentTable } from '@tunemate/testkit/document-table';
import { insertSession, insertUser } from '@tunemate/testkit/worlds/people';
import { emailOf, goodPassword, startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { markDeleted } from './accounts/users-store.ts';
import { recordingOf } from './chats/chats-store.ts';
import { insertionOf } from './chats/messages-store.ts';
import { type Database, openDatabase } from './storage/database.ts';

const dayMs = 24 * 60 * 60 * 1000;

describeEachDialect('retention', (makeDatabaseUrl) => {
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

  test('a sign-up that nobody verifies is deleted after 30 days, and its address is free', async () => {
    const email = emailOf('Late');
    const signUp = () =>
      app.visitor().call('POST /api/accounts/sign-up', { name: 'Late', email, password: goodPassword });
    const kept = async () =>
      (await database.db.selectFrom('users').select('uid').where('email', '=', email).execute()).length;
    const member = await app.member('Kept');
    await signUp();
    await pass(29);
    expect(await kept()).toBe(1);
    // Somebody tries again: that link can be opened for a day.
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
      await insertionOf(db, message)(db).execute();
      await recordingOf(message, other, false)(db).execute();
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

/** A database of version 0.1.0, with rows in each of its tables, becomes one of this version and keeps everything. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '@tunemate/testkit/worlds/crowd';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { insertSession } from '@tunemate/testkit/worlds/people';
import { emailOf, goodPassword, startTestApp } from '@tunemate/testkit/worlds/test-app';
import type { Uid } from '@tunemate/protocol';
import { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import { type Database, migrate, openDatabase } from './database.ts';
import type { Schema } from './schema.ts';

/** Columns that have another name since. */
const renamed: Readonly<Record<string, string>> = { lingers_until_ms: 'grace_until_ms' };

const [ada, ben] = [`${'A'.repeat(21)}1` as Uid, `${'B'.repeat(21)}2` as Uid];

async function openReleased(url: string): Promise<Database> {
  const text = await readFile(join(import.meta.dirname, 'migrations', 'until-0.2.0', 'version-0.1.0.sql'), 'utf8');
  const database = openDatabase(url);
  for (const statement of text.split(/;\n/)) {
    const withoutNotes = statement.replaceAll(/^--.*\n/gm, '').trim();
    if (withoutNotes !== '') await database.db.executeQuery(CompiledQuery.raw(withoutNotes));
  }
  return database;
}

/** Tables with their columns, in one order. */
async function tablesOf({ db }: Database): Promise<Record<string, string[]>> {
  const tables = await db.introspection.getTables();
  const columns = tables.map(({ name, columns }) => [name, columns.map((column) => column.name).toSorted()] as const);
  return Object.fromEntries(columns.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

async function indexesOf({ db, dialect }: Database): Promise<string[]> {
  const query =
    dialect === 'sqlite'
      ? `select name from sqlite_master where type = 'index' and sql is not null`
      : `select indexname as name from pg_indexes where schemaname = 'public'`;
  const { rows } = await db.executeQuery(CompiledQuery.raw(query));
  return rows.map((row) => (row as { name: string }).name).toSorted();
}

describeEachDialect('a database of version 0.1.0', (makeDatabaseUrl) => {
  test('has, once migrated, the tables, columns and indexes of a new one (DEPLOY-6)', async () => {
    const old = await openReleased(await makeDatabaseUrl({ isEmpty: true }));
    await migrate(old);
    const fresh = openDatabase(await makeDatabaseUrl({ isEmpty: true }));
    await migrate(fresh);
    expect(await tablesOf(old)).toEqual(await tablesOf(fresh));
    expect(await indexesOf(old)).toEqual(await indexesOf(fresh));
    await Promise.all([old.close(), fresh.close()]);
  });

  test('keeps every row of every table (DEPLOY-7)', async () => {
    const database = await openReleased(await makeDatabaseUrl({ isEmpty: true }));
    const tables = Object.entries(await tablesOf(database));
    const rowsOf = async (nameOf: (column: string) => string) => {
      const all: Record<string, unknown[]> = {};
      for (const [table, columns] of tables) {
        all[table] = await database.db
          .selectFrom(table as keyof Schema)
          .select(columns.map((column) => `${nameOf(column)} as ${column}`) as never)
          .execute();
      }
      return all;
    };
    const before = await rowsOf((column) => column);
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
    await migrate(database);
    expect(await rowsOf((column) => renamed[column] ?? column)).toEqual(before);
    await database.close();
  });

  test('serves its people, rooms and chats (DEPLOY-7)', async () => {
    const databaseUrl = await makeDatabaseUrl({ isEmpty: true });
    await (await openReleased(databaseUrl)).close();
    const app = await startTestApp({ databaseUrl });
    const visitor = app.visitor();
    const credentials = { email: emailOf('Ada'), password: goodPassword };
    expect((await visitor.call('POST /api/accounts/sign-in', credentials)).result).toMatchObject({
      value: { user: { name: 'Ada', soulmate: ben, tunemates: [ben], audioConnections: [ben] } },
    });
    const database = openDatabase(databaseUrl);
    const session = await insertSession(database.db, ada, app.clock.now());
    await database.close();
    const { ask, line } = await connect(app.url, { uid: ada, name: 'Ada', ...session });
    const chats = await ask('chats/open', { uid: ben });
    expect(JSON.stringify(chats)).toContain('Always.');
    const video = await ask('rooms/enter', { kind: 'video', code: 'ABC123' });
    expect(video).toMatchObject({ room: { name: 'Kitchen Radio' } });
    expect(JSON.stringify(video)).toMatch(/Hello from the Kitchen Radio.*|Rain/);
    const audio = await ask('rooms/enter', { kind: 'audio', code: 'DEF456' });
    expect(JSON.stringify(audio)).toContain('Hello from the Garden');
    line.disconnect();
    await app.close();
  });
});

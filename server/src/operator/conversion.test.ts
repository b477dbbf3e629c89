/** A database of version 0.1.0, with rows in each of its tables, becomes one of this version and keeps everything. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Uid } from '@tunemate/protocol';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { operate } from '@tunemate/testkit/services/operate';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { connect } from '@tunemate/testkit/worlds/crowd';
import { insertSession } from '@tunemate/testkit/worlds/people';
import { emailOf, goodPassword, startTestApp } from '@tunemate/testkit/worlds/test-app';
import { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import { appliedMigrations, type Database, migrate, openDatabase } from '../storage/database.ts';
import { namesOf020 } from '../storage/migrations/migrations.ts';
import { up } from '../storage/migrations/version-0.2.0.ts';
import type { Schema } from '../storage/schema.ts';
import { convert } from './conversion.ts';

const said = (pattern: RegExp) => expect.stringMatching(pattern) as string;

describeEachDialect('a database of version 0.1.0', (makeDatabaseUrl, dialect) => {
  /** Columns that have another name since. */
  const renamed: Readonly<Record<string, string>> = { lingers_until_ms: 'grace_until_ms' };

  const [ada, ben] = [`${'A'.repeat(21)}1` as Uid, `${'B'.repeat(21)}2` as Uid];

  async function makeReleased(given?: string): Promise<string> {
    const url = given ?? (await makeDatabaseUrl({ isEmpty: true }));
    const text = await readFile(join(import.meta.dirname, '../storage/migrations/version-0.1.0.sql'), 'utf8');
    const database = openDatabase(url);
    for (const statement of text.split(/;\n/)) {
      const withoutNotes = statement.replaceAll(/^--.*\n/gm, '').trim();
      if (withoutNotes !== '') await database.db.executeQuery(CompiledQuery.raw(withoutNotes));
    }
    await database.close();
    return url;
  }

  async function makeConverted(): Promise<Database> {
    const databaseUrl = await makeReleased();
    await convert({ databaseUrl }, new Date());
    return openDatabase(databaseUrl);
  }

  /** Tables with their columns, in one order. */
  async function tablesOf({ db }: Database): Promise<Record<string, string[]>> {
    const tables = await db.introspection.getTables();
    const columns = tables.map(({ name, columns }) => [name, columns.map((column) => column.name).toSorted()] as const);
    return Object.fromEntries(columns.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** All that decides what can be stored: columns, indexes and triggers, in one order. */
  async function schemaOf({ db }: Database): Promise<string[]> {
    const tables = await db.introspection.getTables();
    const columns = tables.flatMap(({ name, columns }) =>
      columns.map((column) => JSON.stringify({ table: name, ...column })),
    );
    const query =
      dialect === 'sqlite'
        ? `select type || ' ' || replace(lower(sql), '"', '') as text from sqlite_master
             where type <> 'table' and sql is not null
           union all select m.name || ' ' || l.origin || ' ' || l."unique" || ' ' ||
             (select group_concat(name) from pragma_index_info(l.name))
             from sqlite_master m, pragma_index_list(m.name) l where m.type = 'table'`
        : `select indexdef as text from pg_indexes where schemaname = 'public'
           union all select conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
             where connamespace = 'public'::regnamespace`;
    const { rows } = await db.executeQuery<{ text: string }>(CompiledQuery.raw(query));
    return [...columns, ...rows.map(({ text }) => text.replaceAll(/\s+/g, ' '))].toSorted();
  }

  test('has, once converted, all that one of version 0.2.0 has, and once migrated what a new one has (DEPLOY-6)', async () => {
    const old = await makeConverted();
    expect(await appliedMigrations(old.db)).toEqual([...namesOf020]);
    const of020 = openDatabase(await makeDatabaseUrl({ isEmpty: true }));
    await up(of020.db as never);
    const notOfKysely = (lines: string[]) => lines.filter((line) => !line.includes('kysely'));
    expect(notOfKysely(await schemaOf(old))).toEqual(notOfKysely(await schemaOf(of020)));
    await migrate(old);
    const fresh = openDatabase(await makeDatabaseUrl({ isEmpty: true }));
    await migrate(fresh);
    expect(notOfKysely(await schemaOf(old))).toEqual(notOfKysely(await schemaOf(fresh)));
    await Promise.all([old.close(), of020.close(), fresh.close()]);
  });

  test('keeps every row of every table (DEPLOY-7)', async () => {
    const url = await makeReleased();
    const released = openDatabase(url);
    const tables = Object.entries(await tablesOf(released));
    const rowsOf = async ({ db }: Database, nameOf: (column: string) => string) => {
      const all: Record<string, unknown[]> = {};
      for (const [table, columns] of tables) {
        all[table] = await db
          .selectFrom(table as keyof Schema)
          .select(columns.map((column) => `${nameOf(column)} as ${column}`) as never)
          .execute();
      }
      return all;
    };
    const before = await rowsOf(released, (column) => column);
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
    await released.close();
    await convert({ databaseUrl: url }, new Date());
    const database = openDatabase(url);
    await migrate(database);
    expect(await rowsOf(database, (column) => renamed[column] ?? column)).toEqual(before);
    await database.close();
  });

  test('serves its people, rooms and chats (DEPLOY-7)', async () => {
    const databaseUrl = await makeReleased();
    await convert({ databaseUrl }, new Date());
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
  });

  test('is converted by a command, once, and not under a program that uses it', async () => {
    await using dir = await makeTempDir('conversion');
    const ofFolder = `sqlite:${join(dir.path, 'tunemate.sqlite')}`;
    const url = await makeReleased(dialect === 'sqlite' ? ofFolder : undefined);
    const env = { DATA_DIR: dir.path, ...(dialect === 'sqlite' ? {} : { DATABASE_URL: url }) };
    const other = openDatabase(url);
    await appliedMigrations(other.db);
    expect(await operate(['convert'], env)).toEqual({ exitCode: 1, said: said(/^A server or another program /) });
    await other.close();
    expect(await operate(['convert'], env)).toEqual({ exitCode: 0, said: said(/^Converted the database\. /) });
    expect(await operate(['convert'], env)).toEqual({ exitCode: 1, said: said(/ is of version 0\.2\.0 or newer: /) });
  });
});

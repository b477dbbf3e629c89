/** Whether the database can be used, asked while everything else waits for it. */
import { describe, expect, test } from 'vitest';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { describeWithService, requestService } from '@tunemate/testkit/services/request-service';
import { operate } from '@tunemate/testkit/services/operate';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import SqliteDatabase from 'better-sqlite3';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate, openDatabase, appliedMigrations } from './database.ts';
import { isReachable, openStorage } from './state.ts';
import { readConfig, sqlitePathOf } from '../config.ts';
import { startFailureLine } from '../system/start-failure.ts';
import { migrations, namesOf020 } from './migrations/migrations.ts';

describeEachDialect('whether the database answers', (makeDatabaseUrl) => {
  test('it is asked over a connection of its own, while all others are held', async () => {
    const database = openDatabase(await makeDatabaseUrl());
    await migrate(database);
    const { promise: letGo, resolve: release } = Promise.withResolvers<undefined>();
    const holding = Array.from({ length: 20 }, () => database.db.transaction().execute(() => letGo));
    expect(await isReachable(database)).toBe(true);
    release(undefined);
    await Promise.all(holding);
    await database.close();
    expect(await isReachable(database)).toBe(false);
  });
});

/** Databases that a version must not touch, and upgrades that fail. main.test.ts has damaged files. */
describe('known schema', () => {
  /** The line that the operator reads when the server can't open this. */
  async function lineOf(databaseUrl: string): Promise<string | null> {
    await using dir = await makeTempDir('boot');
    const config = { ...readConfig({ DATA_DIR: dir.path }), databaseUrl };
    try {
      await (await openStorage(config)).close();
      return 'it opened';
    } catch (error) {
      return startFailureLine(error, config);
    }
  }

  describeEachDialect('a database that this version must not touch', (makeDatabaseUrl) => {
    test('of a newer version stops the start with one line, and is left as it was (DEPLOY-1)', async () => {
      const url = await makeDatabaseUrl({ isEmpty: true });
      const database = openDatabase(url);
      await migrate(database);
      await sql`insert into kysely_migration values ('9999-of-tomorrow', '2099-01-01')`.execute(database.db);
      await database.close();
      expect(await lineOf(url)).toMatch(
        /^The database was made by a newer version of Tunemate\. It was not changed; [^\n]+$/,
      );
    });

    test('of another program stops the start with one line', async () => {
      const url = await makeDatabaseUrl({ isEmpty: true });
      const database = openDatabase(url);
      await sql`create table invoices (number integer)`.execute(database.db);
      await database.close();
      expect(await lineOf(url)).toMatch(/^The database holds tables of another program\. It was not changed; [^\n]+$/);
    });

    /** Opens a new database that has these migrations alone. */
    async function madeBy(url: string, names: readonly string[]) {
      const database = openDatabase(url);
      const some = Object.fromEntries(Object.entries(migrations).filter(([name]) => names.includes(name)));
      const provider = { getMigrations: () => Promise.resolve(some) };
      const { error } = await new Migrator({ db: database.db, provider }).migrateToLatest();
      expect(error).toBeUndefined();
      return database;
    }

    async function appliedIn(url: string): Promise<string[]> {
      const database = openDatabase(url);
      const applied = await appliedMigrations(database.db);
      await database.close();
      return applied;
    }

    test('of before version 0.2.0 stops the start with the command that converts it, and is left as it was (DEPLOY-9)', async () => {
      const url = await makeDatabaseUrl({ isEmpty: true });
      await (await madeBy(url, namesOf020.slice(0, -1))).close();
      const path = sqlitePathOf(url);
      const before = path === null ? null : await readFile(path);
      expect(await lineOf(url)).toMatch(
        /^The database was made by a version of Tunemate before 0\.2\.0\. It was not changed; [^\n]+admin -- convert$/,
      );
      if (path !== null) expect(await readFile(path)).toEqual(before);
      expect(await appliedIn(url)).toEqual(namesOf020.slice(0, -1));
    });

    test('an upgrade that fails half way changes nothing (DEPLOY-3)', async () => {
      const url = await makeDatabaseUrl({ isEmpty: true });
      const database = await madeBy(url, namesOf020);
      // One of the last migrations finds its name taken, after all others have been applied.
      await sql`create index earlier_words_time on users (uid)`.execute(database.db);
      await database.close();
      expect(await lineOf(url)).toMatch(/^The database could not be brought to this version: [^\n]+$/);
      expect(await appliedIn(url)).toEqual([...namesOf020]);
    });
  });

  describeWithService(
    'a database of PostgreSQL that can not be used',
    () => requestService('postgres'),
    ({ url: serverUrl }) => {
      async function ask(url: string, ...statements: string[]): Promise<void> {
        const client = new Client({ connectionString: url });
        await client.connect();
        try {
          for (const statement of statements) await client.query(statement);
        } finally {
          await client.end();
        }
      }

      /** What is said of a database that is made for one look at it, and of an account that may not make tables there. */
      async function linesOf(made: string): Promise<(string | null)[]> {
        const name = `unusable_${randomBytes(6).toString('hex')}`;
        const url = new URL(serverUrl);
        url.pathname = `/${name}`;
        const own = new URL(url);
        [own.username, own.password] = [name, 'secret'];
        await ask(
          serverUrl,
          `create database ${name} template template0 ${made}`,
          `create role ${name} login password 'secret'`,
        );
        try {
          await ask(url.href, 'revoke create on schema public from public');
          return [await lineOf(own.href), await lineOf(url.href)];
        } finally {
          await ask(serverUrl, `drop database ${name} with (force)`, `drop role ${name}`);
        }
      }

      test('because of its encoding stops the start with one line', async () => {
        expect((await linesOf(`encoding 'LATIN1' locale 'C'`))[1]).toMatch(
          /^The database of DATABASE_URL can not keep all letters: its encoding is LATIN1\. [^\n]+$/,
        );
      });

      test('by this account stops the start with one line', async () => {
        expect((await linesOf(''))[0]).toMatch(
          /^The account of DATABASE_URL has too few rights: permission denied for schema public\. [^\n]+$/,
        );
      });

      test('that is not there is said with the reason', async () => {
        const url = new URL(serverUrl);
        url.pathname = '/no-such-database';
        expect(await lineOf(url.href)).toMatch(
          /^PostgreSQL can not be used at DATABASE_URL \(database "no-such-database" does not exist\)\. [^\n]+$/,
        );
      });
    },
  );

  test('a file of another program is not changed by a byte', async () => {
    await using dir = await makeTempDir('boot');
    const path = join(dir.path, 'tunemate.sqlite');
    const file = new SqliteDatabase(path);
    file.exec('create table invoices (number integer)');
    file.close();
    const before = await readFile(path);
    expect(await lineOf(`sqlite:${path}`)).toMatch(/another program/);
    expect(await readFile(path)).toEqual(before);
    // A backup of it is no backup of Tunemate either.
    expect((await operate(['backup', join(dir.path, 'b.tar.gz')], { DATA_DIR: dir.path })).exitCode).toBe(1);
  });
});

/** Statements for SQLite are planned once, and use the indexes that have a condition. */
import { join } from 'node:path';
import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { type Database, migrate, openDatabase } from '../database.ts';
import { namedByIndexes } from './sqlite-compiler.ts';

let folder: TempDir;
let database: Database;
beforeAll(async () => {
  folder = await makeTempDir('compiler');
  database = openDatabase(`sqlite:${join(folder.path, 'compiler.sqlite')}`);
  await migrate(database);
});
afterAll(async () => {
  await database.close();
  await folder.remove();
});

test('a statement is planned for its first execution alone, whatever its values', async () => {
  const { db } = database;
  const rows = ['a', 'b'].map((key) => ({ key, value: '1' }));
  await db.insertInto('settings').values(rows).execute();
  const ask = (value: string, most: number) =>
    db.selectFrom('settings').select('key as found').where('value', '=', value).limit(most).execute();
  // `better-sqlite3` makes a function for the rows of each new plan.
  const planned = vi.spyOn(globalThis, 'Function');
  const found = [await ask('1', 1), await ask('1', 5), await ask('1', 5)];
  expect([found.map(({ length }) => length), planned.mock.calls.length]).toEqual([[1, 2, 2], 1]);
  planned.mockRestore();
});

test('what the conditions of indexes name is written out, and they are used', async () => {
  const { db } = database;
  const { rows } = await sql<{ condition: string }>`
    select substr(sql, instr(lower(sql), ' where ')) as condition from sqlite_schema
    where type = 'index' and instr(lower(sql), ' where ') > 0`.execute(db);
  for (const { condition } of rows) {
    for (const [, column = '', number, word] of condition.matchAll(/"?(\w+)"? [=<>]+ (?:(\d+)|'(\w+)')/g)) {
      expect(namedByIndexes[column], column).toContain(word ?? Number(number));
    }
  }
  expect(rows.length).toBeGreaterThan(10);
  const query = db.selectFrom('room_requests').select('uid').where('room_id', '=', 'a').where('status', '=', 'pending');
  const { sql: text, parameters } = query.compile();
  const plan = await db.executeQuery(CompiledQuery.raw(`explain query plan ${text}`, [...parameters]));
  expect(JSON.stringify(plan.rows)).toContain('room_requests_pending');
});

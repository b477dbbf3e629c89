/** Queries that are built once: each call gets its own values, on whichever database. */
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { builtOnce } from './queries.ts';
import { migrate, openDatabase } from './database.ts';

const built: string[] = [];
/** One query for all databases; the second value comes first, and twice. */
const query = builtOnce((db, key: string, value: string) => {
  built.push('build');
  return db
    .selectFrom('settings')
    .select(['key', 'value', sql<string>`cast(${value} as text)`.as('asked')])
    .where('value', '=', value)
    .where('key', 'like', 'k%')
    .where('key', '=', key);
});
const insert = builtOnce((db, key: string, value: string) => db.insertInto('settings').values({ key, value }));

describeEachDialect('a query that is built once', (makeDatabaseUrl) => {
  test('is built for the first call, and each call has its own values', async () => {
    const database = openDatabase(await makeDatabaseUrl());
    await migrate(database);
    built.length = 0;
    await insert(database.db, 'ka', '1');
    await insert(database.db, 'kb', '2');
    const rows = [
      await query(database.db, 'ka', '1'),
      await query(database.db, 'kb', '2'),
      await query(database.db, 'kb', '1'),
      // As good as any other value: nothing of it is part of the statement.
      await query(database.db, "' or 1 = 1 --", '1'),
    ];
    const row = (key: string, value: string) => [{ key, value, asked: value }];
    expect([rows, built]).toEqual([[row('ka', '1'), row('kb', '2'), [], []], ['build']]);
    await database.db.transaction().execute(async (transaction) => {
      expect(await query(transaction, 'ka', '1')).toEqual(row('ka', '1'));
    });
    await database.close();
  });
});

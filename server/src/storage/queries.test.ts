/** Queries that are built once: each call gets its own values, on whichever database. */
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { builtByName, builtForEach, builtOnce, changesByName } from './queries.ts';
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

  test('of a list is built for each of few lengths, and finds those of its list alone', async () => {
    const lengths: number[] = [];
    const among = builtForEach((db, keys: readonly string[], value: string) => {
      lengths.push(keys.length);
      return db.selectFrom('settings').select('key').where('key', 'in', keys).where('value', '=', value).orderBy('key');
    });
    const database = openDatabase(await makeDatabaseUrl());
    await migrate(database);
    for (const key of ['ka', 'kb', 'kc', 'kd', 'ke']) await insert(database.db, key, '1');
    const found: string[][] = [];
    for (const [keys, value] of [
      [['kb'], '1'],
      [['ka'], '1'],
      [['ka', 'kc', 'ke'], '1'],
      [['kb', 'kd', 'unknown', 'ka'], '1'],
      [['ke', 'kc', 'kb', 'ka', 'kd'], '1'],
      [['ka', 'kc', 'ke'], '2'],
    ] as const) {
      found.push((await among(database.db, keys, value)).map(({ key }) => key));
    }
    expect(found).toEqual([['kb'], ['ka'], ['ka', 'kc', 'ke'], ['ka', 'kb', 'kd'], ['ka', 'kb', 'kc', 'kd', 'ke'], []]);
    expect(lengths).toEqual([1, 4, 8]);
    await database.close();
  });

  test('by the names of its values, and changes of two tables', async () => {
    let builds = 0;
    const saving = changesByName(({ key, value, stream }: { key: string; value: string; stream: string }) => {
      builds += 1;
      return [
        (on) => on.insertInto('settings').values({ key, value }),
        (on) => on.insertInto('streams').values({ stream, head: 0, at_ms: 1 }),
      ];
    });
    const valueOf = builtByName((db, { key }: { key: string }) =>
      db.selectFrom('settings').select('value').where('key', '=', key),
    );
    const database = openDatabase(await makeDatabaseUrl());
    await migrate(database);
    const { db } = database;
    await saving(db, { key: 'na', value: '1', stream: 'one' });
    await saving(db, { key: 'nb', value: '2', stream: 'two' });
    expect([await valueOf(db, { key: 'nb' }), await valueOf(db, { key: 'na' })]).toEqual([
      [{ value: '2' }],
      [{ value: '1' }],
    ]);
    const streams = await db.selectFrom('streams').select('stream').where('stream', 'in', ['one', 'two']).execute();
    expect([streams.length, builds]).toEqual([2, 1]);
    await database.close();
  });
});

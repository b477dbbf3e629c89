/** The SQLite dialect on a real file: statements prepared once, and turns in the order of asking. */
import SqliteFile from 'better-sqlite3';
import { Kysely } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { PreparingSqliteDialect } from './database.ts';

interface Tables {
  people: { name: string; age: number };
}

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function open() {
  const dir = await makeTempDir('sqlite');
  const file = new SqliteFile(`${dir.path}/people.sqlite`);
  const prepare = vi.spyOn(file, 'prepare');
  const db = new Kysely<Tables>({ dialect: new PreparingSqliteDialect(file) });
  closers.push(() => db.destroy(), dir.remove);
  await db.schema.createTable('people').addColumn('name', 'text').addColumn('age', 'integer').execute();
  const add = (name: string, age: number) => db.insertInto('people').values({ name, age }).execute();
  return { db, add, prepare, file };
}

test('a statement that is asked again with other values is not prepared again', async () => {
  const { db, add, prepare } = await open();
  await add('Ann', 30);
  const before = prepare.mock.calls.length;
  await add('Ben', 40);
  await add('Cem', 50);
  expect(prepare.mock.calls.length).toBe(before);
  expect((await db.selectFrom('people').selectAll().execute()).map(({ name }) => name)).toEqual(['Ann', 'Ben', 'Cem']);
});

test('a statement sees a column that was added after it was prepared', async () => {
  const { db, add } = await open();
  await add('Ann', 30);
  const all = () => db.selectFrom('people').selectAll().execute();
  await all();
  await db.schema.alterTable('people').addColumn('town', 'text').execute();
  expect(await all()).toEqual([{ name: 'Ann', age: 30, town: null }]);
});

test('rows can be read one by one while the same statement is asked again afterwards', async () => {
  const { db, add } = await open();
  await add('Ann', 30);
  await add('Ben', 40);
  const query = db.selectFrom('people').select('name');
  const streamed: string[] = [];
  for await (const { name } of query.stream()) streamed.push(name);
  expect(streamed).toEqual(['Ann', 'Ben']);
  expect(await query.execute()).toEqual([{ name: 'Ann' }, { name: 'Ben' }]);
});

test('the statement used longest ago is let go when there are too many', async () => {
  const { db, prepare } = await open();
  const limited = (n: number) =>
    db.selectFrom('people').select('name').where('name', 'in', Array(n).fill('x')).execute();
  for (let n = 1; n <= 520; n += 1) await limited(n);
  const before = prepare.mock.calls.length;
  await limited(520);
  expect(prepare.mock.calls.length).toBe(before);
  await limited(1);
  expect(prepare.mock.calls.length).toBe(before + 1);
});

test('requests that wait for the connection are served in their order', async () => {
  const { db, add } = await open();
  const served: number[] = [];
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const held = db.transaction().execute(() => {
    begun.resolve();
    return end.promise;
  });
  await begun.promise;
  const ask = (n: number) => add(String(n), n).then(() => served.push(n));
  const asked = Array.from({ length: 20 }, (_, n) => ask(n));
  end.resolve();
  const late = held.then(() => ask(99));
  await Promise.all([held, ...asked, late]);
  expect(served).toEqual([...Array.from({ length: 20 }, (_, n) => n), 99]);
});

test('a transaction that fails gives the connection to the next one', async () => {
  const { db, add } = await open();
  const failing = db.transaction().execute(() => Promise.reject(new Error('no')));
  const next = add('Ann', 30);
  await expect(failing).rejects.toThrow('no');
  await next;
  expect(await db.selectFrom('people').select('name').execute()).toEqual([{ name: 'Ann' }]);
});

test('a full disk is reported as such, also where SQLite has undone the transaction by itself, and the next one works (FAULT-4)', async () => {
  const { db, add, file } = await open();
  const pages = file.pragma('page_count', { simple: true }) as number;
  file.pragma(`max_page_count = ${String(pages + 2)}`);
  const name = 'long name '.repeat(1000);
  const filling = db.transaction().execute(async (transaction) => {
    for (let age = 0; age < 10; age += 1) await transaction.insertInto('people').values({ name, age }).execute();
  });
  await expect(filling).rejects.toMatchObject({ code: 'SQLITE_FULL' });
  file.pragma('max_page_count = 1000000');
  await db
    .transaction()
    .execute((transaction) => transaction.insertInto('people').values({ name: 'Ann', age: 30 }).execute());
  await add('Ben', 40);
  expect((await db.selectFrom('people').selectAll().execute()).map((person) => person.name)).toEqual(['Ann', 'Ben']);
});

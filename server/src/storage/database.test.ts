/** That a new database has everything that the files of migrations/ make. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { migrate, openDatabase } from './database.ts';

const nameOf = (file: string) => /^(?<name>\d{4}-[\w-]+)\.ts$/u.exec(file)?.groups?.['name'] ?? [];

describeEachDialect('migrating an empty database', (makeDatabaseUrl) => {
  test('applies every file of the folder of migrations, in the order of their numbers', async () => {
    const database = openDatabase(await makeDatabaseUrl({ isEmpty: true }));
    await migrate(database);
    const applied = await database.db
      .withTables<{ kysely_migration: { name: string; timestamp: string } }>()
      .selectFrom('kysely_migration')
      .select('name')
      .orderBy('timestamp')
      .orderBy('name')
      .execute();
    await database.close();
    const files = readdirSync(join(import.meta.dirname, 'migrations'))
      .flatMap(nameOf)
      .toSorted();
    expect(applied.map(({ name }) => name)).toEqual(files);
  });
});

test('a process on SQLite sees that another one has written, and is not misled by its own writes', async () => {
  await using dir = await makeTempDir('two');
  const url = `sqlite:${join(dir.path, 'tunemate.sqlite')}`;
  const [server, command] = [openDatabase(url), openDatabase(url)];
  await migrate(server);
  const hasOtherWritten = server.watchOthers();
  const write = ({ db }: typeof server, key: string) => db.insertInto('settings').values({ key, value: '' }).execute();
  await write(server, 'own');
  expect(hasOtherWritten()).toBe(false);
  await write(command, 'foreign');
  expect(hasOtherWritten()).toBe(true);
  expect(hasOtherWritten()).toBe(false);
  await Promise.all([server.close(), command.close()]);
});

/** That a new database has everything that the files of migrations/ make. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeEachDialect } from '@tunemate/testkit/dialects';
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

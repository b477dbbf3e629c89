/** A new database has everything that the files of migrations/ make, under the names that older databases recorded. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RoomKind } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { migrate, openDatabase } from './database.ts';
import { roomTables } from './schema.ts';

/** Never renamed: a database of an earlier version has these names. */
const recorded = [
  '0001-start',
  '0002-tab-of-connection',
  '0003-times-of-what-is-told',
  '0004-sign-ups',
  '0005-state-of-image',
  '0006-queue-items',
  '0008-round-trip-of-connection',
  '0010-stamps-and-deletions',
  '0011-ways-in',
  '0012-order-in-rooms',
  '0014-order-of-connections',
  '0015-proposals',
  '0021-operator',
  '0022-sign-up-invitations',
  '0023-expiry-of-answers',
  '0024-reports',
  '0025-notifications-by-room',
  '0026-warned-hosts',
  '0032-sign-up-places',
  '0033-grace-period',
  '0034-client-id-of-room-message',
  '0035-pending-requests',
  '0036-people-in-a-room',
  '0037-head-with-its-entry',
  '0038-address-of-ticket',
  '0039-library-files',
  '0040-session-and-sender',
  '0041-refused-mails',
  '0042-invitation-of-sign-up',
  '0043-kept-bytes',
  '0044-known-blocks',
  '0045-message-acts',
  '0047-measured-loudness',
  '0049-message-search',
  '0050-chat-list',
  '0052-room-of-sign-up',
  '0053-voice-messages',
  '0054-room-talk',
  '0055-played-tracks',
  '0056-saved-queues',
  '0057-listens',
  '0059-link-previews',
  '0060-slow-chat',
  '0061-forgotten-with-message',
  '0064-messages-by-sender',
  '0065-times-of-played-tracks',
  '0066-parts-of-message-search',
  '0067-few-people',
  '0068-ends-of-tracks',
];

/** How many migrations the files of the folder export, besides their list. */
async function exportedMigrations(): Promise<number> {
  const folder = join(import.meta.dirname, 'migrations');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'migrations.ts',
  );
  const modules = await Promise.all(files.map((file) => import(join(folder, file)) as Promise<object>));
  return modules.flatMap((module) => Object.keys(module)).length;
}

describeEachDialect('migrating an empty database', (makeDatabaseUrl) => {
  test('applies every migration of the folder, in the order of their numbers, under their recorded names', async () => {
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
    expect(applied.map(({ name }) => name)).toEqual(recorded);
    expect(await exportedMigrations()).toBe(recorded.length);
  });

  test('a migration that came between two older ones is applied', async () => {
    const database = openDatabase(await makeDatabaseUrl({ isEmpty: true }));
    await migrate(database);
    // As in a database of a commit that had 0060 before 0059 was merged.
    await database.db.schema.alterTable('users').dropColumn('link_previews').execute();
    const noted = database.db.withTables<{ kysely_migration: { name: string } }>();
    await noted.deleteFrom('kysely_migration').where('name', '=', '0059-link-previews').execute();
    await migrate(database);
    expect(await database.db.selectFrom('users').select('link_previews').execute()).toEqual([]);
    await database.close();
  });

  test('makes tables of the same columns for both kinds of room', async () => {
    const database = openDatabase(await makeDatabaseUrl({ isEmpty: true }));
    await migrate(database);
    const tables = await database.db.introspection.getTables();
    await database.close();
    const columnsOf = (kind: RoomKind) =>
      Object.entries(roomTables[kind]).map(([use, table]) => {
        const columns = tables.find(({ name }) => name === table)?.columns ?? [];
        return [use, columns.map(({ name, dataType, isNullable }) => `${name} ${dataType} ${String(isNullable)}`)];
      });
    expect(columnsOf('audio')).toEqual(columnsOf('video'));
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

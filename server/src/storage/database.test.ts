/** A new database has everything that the files of migrations/ make, under the names that older databases recorded. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RoomKind } from '@tunemate/protocol';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { readdir, readFile, rm } from 'node:fs/promises';
import SqliteDatabase from 'better-sqlite3';
import { pairIdOf } from '@tunemate/domain';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { goodPassword } from '@tunemate/testkit/worlds/test-app';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { Kysely, sql } from 'kysely';
import { CommitLine } from './sqlite/commit-line.ts';
import { DurableSqliteDialect } from './sqlite/sqlite-dialect.ts';
import { migrate, openDatabase } from './database.ts';
import { namesOf020 } from './migrations/migrations.ts';
import { roomTables } from './schema.ts';
import { copySqlite } from '../operator/database-copy.ts';

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
  '0069-mailboxes',
  '0070-peaks-of-tracks',
  '0071-deleted-by-host',
  '0072-operators',
  '0073-facts-of-processes',
  '0074-remote',
  '0075-messages-searched-anew',
  '0076-hearing',
  '0077-room-settings',
  '0078-ended-rooms',
  '0079-suggested',
  '0080-chat-timers',
  '0081-our-music',
  '0082-counted-listens',
  '0083-library-rows',
  '0084-evidence-and-traces',
  '0085-counted-by-track',
  '0086-music-server-songs',
  '0087-tokens-apart',
];

/** How many migrations the files of the folder export, besides their list. Version 0.2.0 is one with many names. */
async function exportedMigrations(): Promise<number> {
  const folder = join(import.meta.dirname, 'migrations');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\d{4}-.*\.ts$/u.test(file) && !file.endsWith('.test.ts'),
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
    expect(namesOf020.length + (await exportedMigrations())).toBe(recorded.length);
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

/** What a SQLite file and its backup still hold of words that were deleted: searched in their bytes. */
describe('deleted words', () => {
  /** Of what is written in this folder, the words that are found in any file. */
  async function foundIn(folder: string, words: readonly string[]): Promise<string[]> {
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const bytes = await Promise.all(
      files.filter((each) => each.isFile()).map((each) => readFile(join(each.parentPath, each.name))),
    );
    return words.filter((word) => bytes.some((content) => content.includes(word)));
  }

  test('words of a room are in neither file nor log once it has ended and the log was folded, nor in a backup (BOOT-12)', async () => {
    const dir = await makeTempDir('words');
    const path = join(dir.path, 'tunemate.sqlite');
    const w = await openSocketWorld({ databaseUrl: `sqlite:${path}` });
    const words = ['marmalade', 'zeppelin', 'quicksand'];
    const host = await w.arrive('Mara');
    const { code } = valueOf(await host.ask('rooms/create', { clientId: newClientId(), kind: 'video', name: 'Ours' }));
    const room = { kind: 'video', code } as const;
    valueOf(await host.ask('rooms/enter', room));
    for (const word of words) {
      // Long enough for pages of their own.
      const text = `${word} `.repeat(200).slice(0, 2000);
      valueOf(await host.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text }));
    }
    expect(await foundIn(dir.path, words)).toEqual(words);
    valueOf(await host.ask('rooms/leave', room));
    await w.app.app.runBackground();
    expect(await foundIn(dir.path, words)).toEqual([]);
    const backups = await makeTempDir('words-backup');
    await copySqlite(path, join(backups.path, 'copy.sqlite'));
    expect(await foundIn(backups.path, words)).toEqual([]);
    await w.close();
    expect(await foundIn(dir.path, words)).toEqual([]);
    await Promise.all([dir.remove(), backups.remove()]);
  });

  test('words of a private message that was edited and deleted are in neither file nor index (CHAT-31)', async () => {
    const dir = await makeTempDir('words');
    const w = await openSocketWorld({ databaseUrl: `sqlite:${join(dir.path, 'tunemate.sqlite')}` });
    const [ada, bob] = [await w.arrive('Ada'), await w.arrive('Bob')];
    const words = ['marmalade', 'armalade', 'quicksand', 'uicksand'];
    // Of the index a word may share its first letters with the word before it.
    for (const text of ['mango', 'quiet', 'marmalade quicksand', 'marble quick']) {
      valueOf(await ada.ask('chats/send', { uid: bob.uid, clientId: newClientId(), text }));
      valueOf(await bob.ask('chats/send', { uid: ada.uid, clientId: newClientId(), text: 'and' }));
    }
    const of = { pairId: pairIdOf(ada.uid, bob.uid), number: 5 };
    expect(await foundIn(dir.path, words)).toEqual(words);
    valueOf(await ada.ask('chats/edit', { ...of, clientId: newClientId(), text: 'quicksand', edits: 1 }));
    valueOf(await ada.ask('chats/delete', of));
    await w.app.app.runBackground();
    expect(await foundIn(dir.path, words)).toEqual([]);
    await w.close();
    await dir.remove();
  });

  test('words of an account are nowhere a day after it was deleted: its names, address, rooms, messages, requests (BOOT-12)', async () => {
    const dir = await makeTempDir('words');
    const path = join(dir.path, 'tunemate.sqlite');
    const w = await openSocketWorld({ databaseUrl: `sqlite:${path}` });
    const words = ['Marmaladia', 'Zeppelina', 'quicksandroom', 'brontosaur', 'cauliflower', 'persimmon'];
    const email = 'xylophonist@example.org';
    const { result } = await w.app.visitor().call('POST /api/accounts/sign-up', {
      ...{ name: 'Marmaladia', email, password: goodPassword },
    });
    expect(result.ok).toBe(true);
    const visitor = w.app.visitor();
    await visitor.call('POST /api/accounts/verify-email', { oobCode: await w.app.codeFor(email) });
    const signedIn = await visitor.call('POST /api/accounts/sign-in', { email, password: goodPassword });
    if (!signedIn.result.ok || signedIn.result.value.status !== 'signed-in') throw new Error('not signed in');
    const { uid } = signedIn.result.value.user;
    const friend = await w.arrive('Friend');
    const tab = await w.connect({ ...(await w.person('Unused')), uid, cookie: visitor.cookie() });
    await visitor.call('PATCH /api/accounts/me', { name: 'Zeppelina' });
    const room = await w.room(tab, 'video', 'quicksandroom');
    await w.letIn(tab, friend, room);
    valueOf(await tab.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: 'brontosaur '.repeat(50) }));
    valueOf(await tab.ask('chats/send', { clientId: newClientId(), uid: friend.uid, text: 'cauliflower '.repeat(50) }));
    valueOf(await tab.ask('soulmate/ask', { clientId: newClientId(), uid: friend.uid }));
    valueOf(
      await tab.ask('reports/send', {
        ...{ clientId: newClientId(), uid: friend.uid, about: { type: 'person' }, reason: 'persimmon '.repeat(20) },
      }),
    );
    expect(await foundIn(dir.path, [...words, 'xylophonist'])).toEqual([...words, 'xylophonist']);
    expect((await visitor.call('POST /api/accounts/delete', { password: goodPassword })).status).toBe(200);
    await w.pass(2 * 24 * 60 * 60 * 1000);
    await w.pass(60_000);
    // What they wrote to another person stays with that person.
    expect(await foundIn(dir.path, [...words, 'xylophonist'])).toEqual(['cauliflower']);
    await w.close();
    await dir.remove();
  });

  test('writes that wait for the disk when the database is closed are answered and stored', async () => {
    const dir = await makeTempDir('closing');
    const path = join(dir.path, 'file.sqlite');
    const database = openDatabase(`sqlite:${path}`);
    await migrate(database);
    await sql`create table last_words (word text)`.execute(database.db);
    const written = Array.from({ length: 20 }, () => sql`insert into last_words values ('bye')`.execute(database.db));
    await new Promise(setImmediate);
    await database.close();
    await Promise.all(written);
    const again = new SqliteDatabase(path, { readonly: true });
    expect(again.prepare('select count(*) from last_words').pluck().get()).toBe(20);
    again.close();
    await dir.remove();
  });

  test('the log is folded when the database is closed, also while another program reads it', async () => {
    const dir = await makeTempDir('words');
    const path = join(dir.path, 'tunemate.sqlite');
    const database = openDatabase(`sqlite:${path}`);
    await migrate(database);
    const other = new SqliteDatabase(path, { readonly: true });
    other.prepare('select count(*) from users').get();
    expect((await readFile(`${path}-wal`)).length).toBeGreaterThan(0);
    await database.close();
    expect((await readFile(`${path}-wal`)).length).toBe(0);
    other.close();
    await rm(dir.path, { recursive: true });
  });

  test('what an earlier version deleted without overwriting it is overwritten at the first start of this one', async () => {
    const dir = await makeTempDir('words');
    const path = join(dir.path, 'tunemate.sqlite');
    const first = openDatabase(`sqlite:${path}`);
    await migrate(first);
    await first.close();
    const old = new SqliteDatabase(path);
    old.pragma('secure_delete = OFF');
    old.pragma('user_version = 0');
    const streams = old.prepare('insert into streams (stream, head, at_ms) values (?, 0, 0)');
    for (let n = 0; n < 200; n += 1) streams.run(`marmalade ${'x'.repeat(500)} ${String(n)}`);
    old.exec('delete from streams');
    old.close();
    expect(await foundIn(dir.path, ['marmalade'])).toEqual(['marmalade']);
    const again = openDatabase(`sqlite:${path}`);
    await migrate(again);
    await again.close();
    expect(await foundIn(dir.path, ['marmalade'])).toEqual([]);
    await dir.remove();
  });
});

/** The SQLite dialect on a real file: statements prepared once, and turns in the order of asking. */
describe('SQLite dialect', () => {
  interface Tables {
    people: { name: string; age: number };
  }

  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  async function open() {
    const dir = await makeTempDir('sqlite');
    const path = `${dir.path}/people.sqlite`;
    const [file, reader] = [new SqliteDatabase(path), new SqliteDatabase(path)];
    const prepare = vi.spyOn(file, 'prepare');
    const nowhere = { hasGrown: () => false, sync: () => Promise.resolve(), writeAnew: () => Promise.resolve() };
    const nothing = () => undefined;
    const line = new CommitLine({ pin: nothing, unpin: nothing }, nowhere, nothing);
    const dialect = new DurableSqliteDialect({ writer: file, reader, line, onWritten: nothing });
    const db = new Kysely<Tables>({ dialect });
    closers.push(
      () => Promise.resolve(void reader.close()),
      () => db.destroy(),
      dir.remove,
    );
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
    expect((await db.selectFrom('people').selectAll().execute()).map(({ name }) => name)).toEqual([
      'Ann',
      'Ben',
      'Cem',
    ]);
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
});

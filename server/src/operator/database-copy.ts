/**
 * Copies a database while a server writes to it, and puts a copy in place of it: a SQLite file by itself, PostgreSQL
 * with its own programs, `pg_dump` and `pg_restore`. It knows no backup and no schema.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import pg from 'pg';
import { asideSchema, migrationsTable } from '../storage/database.ts';
import { primaryOf } from '../storage/postgres/postgres-primary.ts';
import { asError } from '../system/printable.ts';
import { databaseUrlsOf } from '../system/private-hosts.ts';
import { unusableLine } from '../system/start-failure.ts';
import { OperatorFailure } from './operator-failure.ts';

/**
 * Copies the file as it is at this moment with SQLite's own backup. All pages are read in one step: a writer then makes
 * no difference to the copy, where between steps it would make SQLite begin anew. In WAL mode a reader holds up no
 * writer.
 */
export async function copySqlite(from: string, to: string): Promise<void> {
  const source = new SqliteDatabase(from, { readonly: true, fileMustExist: true });
  try {
    // Says why it can't be read, which the backup does not.
    source.pragma('schema_version');
    await source.backup(to, { progress: () => Number.MAX_SAFE_INTEGER });
  } finally {
    source.close();
  }
}

/** Deletes the rows of these tables out of a copy, and overwrites them in its file. */
export function emptySqlite(path: string, tables: readonly string[]): void {
  const file = new SqliteDatabase(path, { fileMustExist: true });
  try {
    file.pragma('secure_delete = ON');
    for (const table of tablesIn(file).filter((each) => tables.includes(each))) file.exec(`delete from "${table}"`);
  } finally {
    file.close();
  }
}

export interface Contents {
  migrations: string[];
  rows: Record<string, number>;
  /** Ids of the pictures that have files. */
  images: string[];
}

/** The same of a copy in which these tables are empty. */
export function withoutRows(contents: Contents, tables: readonly string[]): Contents {
  const rows = Object.entries(contents.rows).map(
    ([table, count]) => [table, tables.includes(table) ? 0 : count] as const,
  );
  return { ...contents, rows: Object.fromEntries(rows) };
}

/** What a copy holds. Throws OperatorFailure when it is damaged, an index of it too. */
export function contentsOfSqlite(path: string): Contents {
  return readSqlite(path, (file) => {
    if (file.pragma('integrity_check(1)', { simple: true }) !== 'ok') throw new Error('integrity_check');
    return contentsIn(file);
  });
}

/** What the database that is used holds, and what is wrong with its pages, rows and indexes, a line each. */
export function checkSqlite(path: string): Contents & { wrong: string[] } {
  return readSqlite(path, (file) => {
    const found = file.pragma('integrity_check', { simple: false }) as { integrity_check: string }[];
    const lines = found.map((each) => each.integrity_check).filter((line) => line !== 'ok');
    const orphans = file.pragma('foreign_key_check') as { table: string }[];
    const rowless = [...new Set(orphans.map(({ table }) => table))];
    return {
      ...contentsIn(file),
      wrong: [...lines, ...rowless.map((table) => `Rows of ${table} belong to rows that are not there.`)].map(
        (line) => `The database: ${line}`,
      ),
    };
  });
}

function readSqlite<T>(path: string, work: (file: SqliteDatabase.Database) => T): T {
  let file: SqliteDatabase.Database | null = null;
  try {
    file = new SqliteDatabase(path, { readonly: true, fileMustExist: true });
    return work(file);
  } catch (error) {
    throw new OperatorFailure(`The database ${path} can not be read: ${asError(error).message}.`);
  } finally {
    file?.close();
  }
}

const namesIn = (file: SqliteDatabase.Database, query: string): string[] =>
  file.prepare<[], string>(query).pluck().all();

const tablesIn = (file: SqliteDatabase.Database): string[] =>
  namesIn(
    file,
    `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'
      and sql not like 'create virtual %' order by 1`,
  );

/**
 * Pictures and recordings that have files, also those that their sender has deleted and a report waits with. A database
 * of an earlier version has no such reports.
 */
const imagesQuery = (schema: 'main' | 'public', hasEvidence: boolean) =>
  `select image_id from ${schema}.images where state in ('unsent', 'sent')
  ${hasEvidence ? `or image_id in (select upload_id from ${schema}.reports where answered_at_ms is null)` : ''}`;

function contentsIn(file: SqliteDatabase.Database): Contents {
  const evidence = namesIn(file, `select name from pragma_table_info('reports') where name = 'upload_id'`);
  const count = (table: string) => Number(file.prepare(`select count(*) from "${table}"`).pluck().get());
  return {
    migrations: namesIn(file, `select name from ${migrationsTable} order by name`),
    rows: Object.fromEntries(tablesIn(file).map((table) => [table, count(table)])),
    images: namesIn(file, `${imagesQuery('main', evidence.length > 0)} order by 1`),
  };
}

/**
 * Keeps every other program off the file until `release`. Null when one has it open, as a running server has. SQLite
 * leaves WAL mode only for the last connection, also after a crash of another.
 */
export function holdSqlite(path: string): { release(): void } | null {
  const file = new SqliteDatabase(path, { timeout: 0 });
  try {
    file.pragma('journal_mode = DELETE');
    file.exec('begin exclusive');
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      file.close();
      return null;
    }
    // A damaged file is what a backup is for; no server can run on it.
  }
  return { release: () => void file.close() };
}

/** Writes a dump without the rows of the tables `emptied`, and answers what it holds. Holds up no writer. */
export async function dumpPostgres(url: string, to: string, emptied: readonly string[]): Promise<Contents> {
  return await connected(url, async (client, one) => {
    await client.query('begin isolation level repeatable read read only');
    const snapshot = await firstColumn(client, 'select pg_export_snapshot()');
    const contents = await contentsOf(client);
    const without = emptied.map((table) => `--exclude-table-data=public.${table}`);
    const form = ['--format=custom', '--no-owner', '--no-acl', `--snapshot=${snapshot[0]}`];
    await run('pg_dump', one, [...form, ...without, '--file', to]);
    return withoutRows(contents, emptied);
  });
}

/** The same of PostgreSQL: each row is read as a whole; indexes where the extension amcheck is installed. */
export async function checkPostgres(url: string): Promise<Contents & { wrong: string[] }> {
  return await connected(url, async (client) => {
    const wrong: string[] = [];
    const attempt = (what: string, query: string) =>
      firstColumn(client, query).catch((error: unknown) => {
        wrong.push(`The database: ${what} can not be read: ${asError(error).message}`);
        return [];
      });
    for (const table of await tablesOf(client)) {
      await attempt(`the table ${table}`, `select sum(length(t::text)) from public."${table}" t`);
    }
    if ((await firstColumn(client, `select 1 from pg_extension where extname = 'amcheck'`)).length > 0) {
      await attempt(
        'an index',
        `select bt_index_check(c.oid) from pg_class c join pg_am a on a.oid = c.relam
          where c.relkind = 'i' and a.amname = 'btree' and c.relnamespace = 'public'::regnamespace`,
      );
    }
    return { ...(await contentsOf(client)), wrong };
  });
}

/**
 * Replaces all tables by those of the dump, and answers what the database holds then. `check` may reject: then, and
 * after any failure, the tables are as they were.
 */
export async function restorePostgres(
  url: string,
  from: string,
  check: (found: Contents) => Promise<void>,
): Promise<void> {
  await connected(url, async (client, one) => {
    // One that was killed has left them there, and no server has started since.
    if (await isHalfRestored(client)) await putBack(client);
    await client.query(`alter schema public rename to ${asideSchema}`);
    await client.query('create schema public');
    try {
      await run('pg_restore', one, ['--no-owner', '--no-acl', '--exit-on-error', '--single-transaction', from]);
      await check(await contentsOf(client));
    } catch (error) {
      await putBack(client);
      throw error;
    }
    await client.query(`drop schema ${asideSchema} cascade`);
  });
}

const isHalfRestored = async (client: pg.Client): Promise<boolean> =>
  (await firstColumn(client, `select 1 from pg_namespace where nspname = '${asideSchema}'`)).length > 0;

/** In one transaction, as several statements of one query are. */
const putBack = (client: pg.Client) =>
  client.query(`drop schema if exists public cascade; alter schema ${asideSchema} rename to public`);

/** A connection of PostgreSQL ends a moment after its client has left. */
const [looks, lookEveryMs] = [10, 200];

export async function postgresState(url: string): Promise<{ isEmpty: boolean; isInUse: boolean }> {
  return await connected(url, async (client) => {
    const others = `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend'`;
    const isInUse = async () => (await firstColumn(client, others)).length > 0;
    for (let look = 0; look < looks && (await isInUse()); look += 1) await pause(lookEveryMs);
    const isEmpty = (await tablesOf(client)).length === 0 && !(await isHalfRestored(client));
    return { isEmpty, isInUse: await isInUse() };
  });
}

async function contentsOf(client: pg.Client): Promise<Contents> {
  const evidence = await firstColumn(
    client,
    `select 1 from information_schema.columns
      where table_schema = 'public' and table_name = 'reports' and column_name = 'upload_id'`,
  );
  const rows: Record<string, number> = {};
  for (const table of await tablesOf(client)) {
    rows[table] = Number((await firstColumn(client, `select count(*) from public."${table}"`))[0]);
  }
  return {
    migrations: await firstColumn(client, `select name from public.${migrationsTable} order by name collate "C"`),
    rows,
    images: await firstColumn(client, `${imagesQuery('public', evidence.length > 0)} order by image_id collate "C"`),
  };
}

const tablesOf = (client: pg.Client) =>
  firstColumn(client, `select tablename from pg_tables where schemaname = 'public' order by tablename collate "C"`);

async function firstColumn(client: pg.Client, text: string): Promise<string[]> {
  const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
  return rows.map(([value]) => String(value));
}

/** `work` gets the address of the one host that takes writes too. */
async function connected<T>(databaseUrl: string, work: (client: pg.Client, url: string) => Promise<T>): Promise<T> {
  const urls = databaseUrlsOf(databaseUrl);
  const url = (await primaryOf(urls)) ?? urls[0] ?? databaseUrl;
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
  } catch (error) {
    throw new OperatorFailure(unusableLine(asError(error).message));
  }
  try {
    return await work(client, url);
  } finally {
    await client.end();
  }
}

/** Other users of the machine see the arguments of a program, so the password goes into its environment. */
async function run(program: 'pg_dump' | 'pg_restore', url: string, args: string[]): Promise<void> {
  const address = new URL(url);
  const inQuery = address.searchParams.get('password');
  const password = inQuery ?? decodeURIComponent(address.password);
  address.password = '';
  if (inQuery !== null) address.search = withoutPassword(address.search);
  const child = spawn(program, ['--dbname', address.href, ...args], {
    env: { ...process.env, ...(password === '' ? {} : { PGPASSWORD: password }) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
  let exitCode: unknown;
  try {
    [exitCode] = (await once(child, 'close')) as unknown[];
  } catch {
    throw new OperatorFailure(
      `${program} is not on this machine. Install the client programs of PostgreSQL (postgresql-client), then try again.`,
    );
  }
  if (exitCode !== 0) throw new OperatorFailure(`${program} failed: ${String(said.trim().split('\n').at(-1))}`);
}

/** The rest stays as it is written: a query that is put together anew has spaces that these programs do not read. */
function withoutPassword(query: string): string {
  const parts = query.slice(1).split('&');
  return parts.filter((part) => !new URLSearchParams(part).has('password')).join('&');
}

/**
 * Copies a PostgreSQL database with its own programs, `pg_dump` and `pg_restore`. It knows no backup and no file but
 * the dump.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { migrationsTable } from '../storage/known-schema.ts';
import { OperatorFailure } from './operator-failure.ts';
import type { Contents } from './sqlite-copy.ts';

/** Where the tables are kept while they are being replaced. */
const asideSchema = 'tunemate_before_restore';

/** Writes a dump, and answers what the database held at the same moment. Holds up no writer. */
export async function dumpPostgres(url: string, to: string): Promise<Contents> {
  return await connected(url, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const snapshot = await firstColumn(client, 'select pg_export_snapshot()');
    const contents = await contentsOf(client);
    await run('pg_dump', url, ['--format=custom', '--no-owner', '--no-acl', `--snapshot=${snapshot[0]}`, '--file', to]);
    return contents;
  });
}

/**
 * Replaces all tables by those of the dump, and answers what the database holds then. `check` may throw: then, and
 * after any failure, the tables are as they were.
 */
export async function restorePostgres(url: string, from: string, check: (found: Contents) => void): Promise<void> {
  await connected(url, async (client) => {
    await client.query(`alter schema public rename to ${asideSchema}`);
    await client.query('create schema public');
    try {
      await run('pg_restore', url, ['--no-owner', '--no-acl', '--exit-on-error', '--single-transaction', from]);
      check(await contentsOf(client));
    } catch (error) {
      await client.query('drop schema public cascade');
      await client.query(`alter schema ${asideSchema} rename to public`);
      throw error;
    }
    await client.query(`drop schema ${asideSchema} cascade`);
  });
}

export async function postgresState(url: string): Promise<{ isEmpty: boolean; isInUse: boolean }> {
  return await connected(url, async (client) => {
    const others = `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend'`;
    return { isEmpty: (await tablesOf(client)).length === 0, isInUse: (await firstColumn(client, others)).length > 0 };
  });
}

async function contentsOf(client: pg.Client): Promise<Contents> {
  const rows: Record<string, number> = {};
  for (const table of await tablesOf(client)) {
    rows[table] = Number((await firstColumn(client, `select count(*) from public."${table}"`))[0]);
  }
  return {
    migrations: await firstColumn(client, `select name from public.${migrationsTable} order by name collate "C"`),
    rows,
    images: await firstColumn(
      client,
      `select image_id from public.images where state in ('unsent', 'sent') order by image_id collate "C"`,
    ),
  };
}

const tablesOf = (client: pg.Client) =>
  firstColumn(client, `select tablename from pg_tables where schemaname = 'public' order by tablename collate "C"`);

async function firstColumn(client: pg.Client, text: string): Promise<string[]> {
  const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
  return rows.map(([value]) => String(value));
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
  } catch {
    throw new OperatorFailure(
      'PostgreSQL can not be used at DATABASE_URL. Is it running, and are name and password right?',
    );
  }
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Other users of the machine see the arguments of a program, so the password goes into its environment. */
async function run(program: 'pg_dump' | 'pg_restore', url: string, args: string[]): Promise<void> {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = '';
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

/**
 * A throw-away PostgreSQL server: the one that TEST_DATABASE_URL names, else local binaries on a free port,
 * else Debian's package. Never touches a cluster that this machine already runs.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { startDaemon, startWithRetry, type Daemon } from './daemon.ts';
import { freePort } from './free-port.ts';
import { findOrInstall, findProgram, findUser, ServiceUnavailable } from './system-programs.ts';
import { makeTempDir } from './temp-dir.ts';

/** One database of its own on a test server. */
export interface TestDatabase {
  readonly url: string;
  /** Removes the database, also while clients are connected. */
  drop(): Promise<void>;
}

/** A server for tests. */
export interface TestPostgres {
  readonly url: string;
  /** Started by us and for us, so that anything may be done with it. */
  readonly isOurs: boolean;
  createDatabase(): Promise<TestDatabase>;
  /** Crashes the server: no checkpoint, connections cut. */
  crash(): Promise<void>;
  /** After a crash, on the same port and data. */
  startAgain(): Promise<void>;
  /** Crashes it and starts it again. */
  crashAndRestart(): Promise<void>;
  /** Begins to take writes: of one that copies another. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

interface PostgresOptions {
  /** One of our own with fsync on, for tests that crash it. */
  durable?: boolean;
  /** Further settings of the server, as `autovacuum=off`. */
  settings?: readonly string[];
  /** One of our own that follows the server of this URL as its standby, and can be read. */
  standbyOf?: string;
  /** By default a free one. */
  port?: number;
}

/** Starts or finds a server. Throws `ServiceUnavailable`. */
export async function startPostgres(options: PostgresOptions = {}): Promise<TestPostgres> {
  const { durable = false, standbyOf, settings: more = [] } = options;
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined && given !== '' && !durable && standbyOf === undefined) return givenServer(given);
  const { programs, postgres } = binaries();
  const user = postgresUser();
  const dir = await makeTempDir('postgres');
  if (user) chownSync(dir.path, user.uid, user.gid);
  const data = join(dir.path, 'data');
  const run = (program: string, ...args: string[]) => {
    const { status, stderr } = spawnSync(join(programs, program), args, { cwd: '/', encoding: 'utf8', ...user });
    if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  };
  if (standbyOf === undefined) {
    run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync');
  } else {
    run('pg_basebackup', '-D', data, '-d', standbyOf, '-R', '-X', 'stream', '-c', 'fast', '--no-sync');
  }

  const start = (port: number): Promise<Daemon> =>
    startDaemon({
      command: postgres,
      args: ['-D', data, '-p', String(port), '-k', dir.path, '-h', '127.0.0.1', ...settings(durable, more)],
      ready: /database system is ready to accept (?:read-only )?connections/,
      ...(user && { user }),
    });
  let port = 0;
  let daemon = await startWithRetry(async () => start((port = options.port ?? (await freePort()))));
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const crash = () => daemon.stop('SIGQUIT');
  const startAgain = async () => void (daemon = await start(port));
  return {
    url,
    isOurs: true,
    createDatabase: () => createDatabase(url),
    ...{ crash, startAgain },
    crashAndRestart: () => crash().then(startAgain),
    promote: () => Promise.resolve(run('pg_ctl', 'promote', '-D', data)),
    async stop() {
      await daemon.stop('SIGINT');
      await dir.remove();
    },
  };
}

/** Whom it runs as: PostgreSQL refuses to run as root. */
export function postgresUser(): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 ? findUser(['postgres', 'nobody']) : undefined;
}

/**
 * Makes a database on the server that `serverUrl` leads to: a copy of that server's template, or without a table. Copied by
 * files it takes half as long as through the log, and its first connection finds the catalogue read.
 */
export async function createDatabase(serverUrl: string, { isEmpty = false } = {}): Promise<TestDatabase> {
  const name = `tunemate_${randomBytes(8).toString('hex')}`;
  await runSql(serverUrl, `create database ${name} strategy file_copy${isEmpty ? ' template template0' : ''}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runSql(serverUrl, `drop database if exists ${name} with (force)`) };
}

/** A standby of `primary`, whose commits wait from now on until it has them on its disk. */
export async function startStandby(primary: TestPostgres, port?: number): Promise<TestPostgres> {
  const standby = await startPostgres({ durable: true, standbyOf: primary.url, ...(port !== undefined && { port }) });
  await runSql(primary.url, `alter system set synchronous_standby_names = '*'`);
  await runSql(primary.url, 'select pg_reload_conf()');
  return standby;
}

/** The address of a database on a server and on its standby. */
export function urlOfBoth(databaseUrl: string, standby: TestPostgres): string {
  const { host } = new URL(databaseUrl);
  return databaseUrl.replace(host, `${host},${new URL(standby.url).host}`);
}

async function runSql(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function givenServer(url: string): TestPostgres {
  const refuse = () => Promise.reject(new ServiceUnavailable('the server of TEST_DATABASE_URL is not ours to crash'));
  return {
    url,
    isOurs: false,
    createDatabase: () => createDatabase(url),
    ...{ crash: refuse, startAgain: refuse, crashAndRestart: refuse, promote: refuse },
    stop: () => Promise.resolve(),
  };
}

function settings(durable: boolean, more: readonly string[]): string[] {
  const common = ['max_connections=300', 'shared_buffers=64MB'];
  const fast = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
  return [...common, ...(durable ? [] : fast), ...more].flatMap((setting) => ['-c', setting]);
}

function binaries(): { programs: string; postgres: string } {
  const find = () => {
    const initdb = findProgram(['initdb'], packagedFolders());
    const postgres = findProgram(['postgres'], packagedFolders());
    return initdb !== undefined && postgres !== undefined ? { programs: dirname(initdb), postgres } : undefined;
  };
  return findOrInstall(
    find,
    ['postgresql'],
    'PostgreSQL is not here: set TEST_DATABASE_URL, or put initdb and postgres on the PATH',
  );
}

/** Debian keeps the server's programs off the PATH, one folder for each major version; the newest comes first. */
function packagedFolders(): string[] {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return [];
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(root, version, 'bin'));
}

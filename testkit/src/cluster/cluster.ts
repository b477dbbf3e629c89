/**
 * Several server processes on one machine, as a large installation has them: PostgreSQL and Redis of their own, and a
 * balancer in front. Knows how they are wired, nothing of what they do.
 */
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { type Balancer, startBalancer } from './balancer.ts';
import { freePort } from '../services/free-port.ts';
import {
  createDatabase,
  postgresUser,
  startPostgres,
  startStandby,
  type TestPostgres,
  urlOfBoth,
} from '../services/postgres.ts';
import { type ServerProcess, type ServerProcessOptions, startServerProcess } from '../services/process.ts';
import { startRedis, type TestRedis } from '../services/redis.ts';
import { makeTempDir } from '../services/temp-dir.ts';

export interface ClusterOptions {
  readonly processes?: number;
  /** Of the balancer. */
  readonly port?: number;
  readonly host?: string;
  /** What a server runs as, and its settings beside those that make it part of the cluster. */
  readonly server?: ServerProcessOptions;
  /** PostgreSQL writes as a real one does, for crashes of it. */
  readonly durable?: boolean;
  /** A second PostgreSQL copies the first. Each commit waits for it, and servers know both. */
  readonly withStandby?: boolean;
  /** A folder for the tables alone, beside those of PostgreSQL: a disk that may fill up. */
  readonly tablesIn?: string;
  /** Where the `index`th server reaches a service: a test may put a bad line between the two. */
  readonly wire?: (service: 'postgres' | 'redis', url: string, index: number) => string | Promise<string>;
}

export interface Cluster {
  /** The balancer's origin. */
  readonly url: string;
  /** Without a line between. */
  readonly databaseUrl: string;
  /** Shared by all servers. */
  readonly dataDir: string;
  readonly servers: readonly ServerProcess[];
  readonly balancer: Balancer;
  readonly postgres: TestPostgres;
  readonly standby: TestPostgres | null;
  readonly redis: TestRedis;
  /** Stops everything in order and removes its data. */
  stop(): Promise<void>;
}

/** Starts all parts; when one of them fails, the others are stopped again. Throws `ServiceUnavailable`. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const end of stops.splice(0).toReversed()) await end();
  };
  try {
    return { ...(await startParts(options, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(options: ClusterOptions, stops: (() => Promise<unknown>)[]): Promise<Omit<Cluster, 'stop'>> {
  const { processes = 3, port = await freePort(), host, server = {}, wire = (_service, url) => url } = options;
  const data = await makeTempDir('cluster');
  stops.push(() => data.remove());
  const postgres = await startPostgres({ durable: options.durable ?? options.withStandby ?? false });
  stops.push(() => postgres.stop());
  const redis = await startRedis({ own: true });
  stops.push(() => redis.stop());
  const database = await createDatabase(postgres.url);
  // One of our own goes as a whole, and may have ended already with the terminal's Ctrl-C.
  if (!postgres.isOurs) stops.push(() => database.drop());
  if (options.tablesIn) await moveTables(database.url, options.tablesIn);

  const standby = options.withStandby === true ? await startStandby(postgres) : null;
  if (standby) stops.push(() => standby.stop());
  const databaseUrl = standby ? urlOfBoth(database.url, standby) : database.url;

  const start = async (index: number) =>
    startServerProcess({
      ...server,
      dataDir: data.path,
      env: {
        PUBLIC_URL: `http://127.0.0.1:${String(port)}`,
        TRUST_PROXY: '127.0.0.1',
        ...server.env,
        DATABASE_URL: await wire('postgres', databaseUrl, index),
        REDIS_URL: await wire('redis', redis.url, index),
      },
    });
  const servers: ServerProcess[] = [];
  stops.push(() => Promise.all(servers.map((each) => each.stop())));
  const starts = await Promise.allSettled(Array.from({ length: processes }, (_, index) => start(index)));
  servers.push(...starts.flatMap((started) => (started.status === 'fulfilled' ? [started.value] : [])));
  for (const started of starts) if (started.status === 'rejected') throw started.reason;
  const balancer = await startBalancer({ servers: servers.map(({ url }) => url), port, ...(host && { host }) });
  stops.push(() => balancer.stop());
  return {
    url: balancer.url,
    databaseUrl: database.url,
    dataDir: data.path,
    servers,
    balancer,
    postgres,
    standby,
    redis,
  };
}

async function moveTables(databaseUrl: string, folder: string): Promise<void> {
  const tables = join(folder, 'tables');
  await mkdir(tables);
  const user = postgresUser();
  if (user) await chown(tables, user.uid, user.gid);
  const url = new URL(databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(`create tablespace elsewhere location '${tables}'`);
    await client.query(`alter database ${name} set tablespace elsewhere`);
  } finally {
    await client.end();
  }
}

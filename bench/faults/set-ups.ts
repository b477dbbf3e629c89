/**
 * The two set-ups in which things break: one process on SQLite, and three behind a balancer on PostgreSQL and Redis.
 * Bad lines lie between all parts: people and server, server and database, server and Redis, server and mail, server
 * and search. A fault pulls at these.
 */
import { join } from 'node:path';
import { makeTunemates } from '@tunemate/testkit/worlds/durability';
import type { Balancer } from '@tunemate/testkit/cluster/balancer';
import { type Cluster, startCluster } from '@tunemate/testkit/cluster/cluster';
import { makePeople } from '@tunemate/testkit/worlds/crowd';
import { type FakeDataApi, startFakeDataApi } from '@tunemate/testkit/fakes/fake-data-api';
import type { Person } from '@tunemate/testkit/worlds/people';
import { type ServerProcess, type ServerProcessOptions, startServerProcess } from '@tunemate/testkit/services/process';
import { seededRandom } from '@tunemate/testkit/seeded-ids';
import { type SmtpSink, startSmtpSink } from '@tunemate/testkit/fakes/smtp-sink';
import { mountSmallDisk, type SmallDisk } from '@tunemate/testkit/services/disks/small-disk';
import { startTcpFaultProxy, type TcpFaultProxy } from '@tunemate/testkit/network/tcp-fault-proxy';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { cast, type Endpoint } from './scenario.ts';

export const setUps = ['one', 'three'] as const;
export type SetUpName = (typeof setUps)[number];

export interface SetUp {
  readonly name: SetUpName;
  /** Where people go: the server, or the balancer. */
  readonly url: string;
  /** Without a line between. */
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly servers: readonly ServerProcess[];
  /** Null on one process, which has neither PostgreSQL nor Redis nor balancer. */
  readonly cluster: Cluster | null;
  readonly balancer: Balancer | null;
  /** The cast of the scenario, and as many more as the scenario asked for. */
  readonly people: readonly Person[];
  /** From each person of the cast to the server or the balancer. */
  readonly lines: readonly TcpFaultProxy[];
  /** From each server, in order. */
  readonly databaseLines: readonly TcpFaultProxy[];
  readonly redisLines: readonly TcpFaultProxy[];
  readonly mail: SmtpSink;
  readonly mailLine: TcpFaultProxy;
  readonly search: FakeDataApi;
  readonly random: () => number;
  endpointOf(index: number): Endpoint;
  /** The disk of the server's file, or of PostgreSQL's, if it was to be a small one. */
  readonly disk: SmallDisk | null;
  /** Where a server looks up how wrong its clock is (`movable-clock.ts` of the test kit). */
  readonly clockDir: string;
  stop(): Promise<void>;
}

export interface SetUpOptions {
  readonly seed?: number;
  /** People beside the cast. */
  readonly more?: number;
  readonly onSmallDisk?: boolean;
  readonly older?: OlderVersion;
}

/** What the servers run at first instead of these sources, and how people are stored in its database. */
export interface OlderVersion {
  readonly program: readonly string[];
  readonly makePeople: typeof makePeople;
  readonly makeTunemates: typeof makeTunemates;
}

/** Room for PostgreSQL's empty database and a scenario. */
const smallDiskMegabytes = 48;
const nodeFlags = ['--import', join(import.meta.dirname, '../../testkit/src/services/preloads/movable-clock.ts')];

const portOf = (url: string): number => Number(new URL(url).port);

type Stops = (() => Promise<unknown>)[];

export async function openSetUp(name: SetUpName, options: SetUpOptions = {}): Promise<SetUp> {
  const stops: Stops = [];
  const stop = async () => {
    for (const end of stops.splice(0).toReversed()) await end();
  };
  try {
    return await startAll(name, options, stops, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startAll(name: SetUpName, options: SetUpOptions, stops: Stops, stop: SetUp['stop']): Promise<SetUp> {
  const random = seededRandom(options.seed ?? 1);
  const lineTo = async (port: number): Promise<TcpFaultProxy> => {
    const line = await startTcpFaultProxy({ targetPort: port, random });
    stops.push(() => line.stop());
    return line;
  };
  const mail = await startSmtpSink();
  stops.push(() => mail.stop());
  const mailLine = await lineTo(portOf(mail.url));
  const search = await startFakeDataApi();
  stops.push(() => search.close());
  const clocks = await makeTempDir('clocks');
  stops.push(() => clocks.remove());
  const disk = options.onSmallDisk ? await mountSmallDisk(smallDiskMegabytes) : null;
  if (disk) stops.push(() => disk.remove());
  const env = {
    TEST_CLOCK_DIR: clocks.path,
    RATE_LIMIT_SCALE: '0',
    LOG_LEVEL: 'warn',
    SMTP_URL: `smtp://127.0.0.1:${String(mailLine.port)}`,
    YOUTUBE_API_KEY: 'a-key-of-tests',
    YOUTUBE_API_URL: search.url,
  };
  const server = { env, nodeFlags, ...(options.older && { program: options.older.program }) };
  const parts = name === 'one' ? await startOne(disk, server, stops) : await startThree(disk, server, stops, lineTo);
  const store = options.older ?? { makePeople, makeTunemates };
  const people = await store.makePeople(parts.databaseUrl, cast + (options.more ?? 0));
  await store.makeTunemates(
    parts.databaseUrl,
    [0, 2].map((index) => [people[index] as Person, people[index + 1] as Person] as const),
  );
  const lines: TcpFaultProxy[] = [];
  for (let index = 0; index < cast; index += 1) lines.push(await lineTo(portOf(parts.url)));
  return {
    ...parts,
    name,
    people,
    lines,
    mail,
    mailLine,
    search,
    random,
    endpointOf: (index) => ({ url: `http://127.0.0.1:${String(lines[index]?.port)}`, origin: parts.url }),
    disk,
    clockDir: clocks.path,
    stop,
  };
}

type Parts = Pick<
  SetUp,
  'url' | 'databaseUrl' | 'dataDir' | 'servers' | 'cluster' | 'balancer' | 'databaseLines' | 'redisLines'
>;

async function startOne(disk: SmallDisk | null, options: ServerProcessOptions, stops: Stops): Promise<Parts> {
  const data = await makeTempDir('faults');
  stops.push(() => data.remove());
  const dataDir = disk?.path ?? data.path;
  const server = await startServerProcess({ ...options, dataDir });
  stops.push(() => server.dispose());
  return {
    url: server.url,
    databaseUrl: `sqlite:${join(dataDir, 'tunemate.sqlite')}`,
    dataDir,
    servers: [server],
    cluster: null,
    balancer: null,
    databaseLines: [],
    redisLines: [],
  };
}

async function startThree(
  disk: SmallDisk | null,
  server: ServerProcessOptions,
  stops: Stops,
  lineTo: (port: number) => Promise<TcpFaultProxy>,
): Promise<Parts> {
  const wired = { postgres: [] as TcpFaultProxy[], redis: [] as TcpFaultProxy[] };
  const cluster = await startCluster({
    durable: true,
    server,
    ...(disk && { tablesIn: disk.path }),
    async wire(service, url, index) {
      const line = await lineTo(portOf(url));
      wired[service][index] = line;
      const through = new URL(url);
      through.port = String(line.port);
      return through.href;
    },
  });
  stops.push(() => cluster.stop());
  const { url, databaseUrl, dataDir, servers, balancer } = cluster;
  return {
    url,
    databaseUrl,
    dataDir,
    servers,
    cluster,
    balancer,
    databaseLines: wired.postgres,
    redisLines: wired.redis,
  };
}

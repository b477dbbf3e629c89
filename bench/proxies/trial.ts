/**
 * People behind a balancer of the recipes, on three processes: which process the pages of one room come to, and how long
 * they are without one after a process was killed, and after one stood still. The pages have the connection of the web
 * application and ask something each second.
 */
import { makePeople } from '@tunemate/testkit/worlds/crowd';
import { freePort } from '@tunemate/testkit/services/free-port';
import { createDatabase } from '@tunemate/testkit/services/postgres';
import { type ServerProcess, startServerProcess } from '@tunemate/testkit/services/process';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { Client } from 'pg';
import { until } from '../faults/scenario.ts';
import { isLive, openPage } from './page.ts';
import { proxies, type ProxyName } from './proxies.ts';

export interface Trial {
  /** Of how many rooms all pages were on one process. */
  readonly together: number;
  readonly rooms: number;
  /** How long each page of the process was without one, in milliseconds. */
  readonly afterKill: readonly number[];
  readonly afterStandstill: readonly number[];
}

interface Services {
  readonly postgresUrl: string;
  readonly redisUrl: string;
  /** How many rooms, each with three pages. */
  readonly rooms: number;
}

const pagesOfRoom = 3;
/** Throws `ServiceUnavailable` where the balancer can't be installed. */
export async function tryProxy(name: ProxyName, { postgresUrl, redisUrl, rooms }: Services): Promise<Trial> {
  await using stops = new AsyncDisposableStack();
  const database = await createDatabase(postgresUrl);
  stops.defer(() => database.drop());
  const people = await makePeople(database.url, rooms * pagesOfRoom);
  const records = new Client({ connectionString: database.url });
  await records.connect();
  stops.defer(() => records.end());
  const data = await makeTempDir('proxies');
  stops.defer(() => data.remove());
  const port = await freePort();
  const url = `http://127.0.0.1:${String(port)}`;
  const env = {
    ...{ DATABASE_URL: database.url, REDIS_URL: redisUrl, PUBLIC_URL: url, TRUST_PROXY: '127.0.0.1' },
    ...{ RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'warn' },
  };
  /** Each server by the id that it reports in the database. */
  const servers = new Map<string, ServerProcess>();
  const know = async (server: ServerProcess) => {
    const { rows } = await records.query<{ process_id: string }>('select process_id from processes');
    for (const { process_id: id } of rows) if (!servers.has(id)) servers.set(id, server);
  };
  for (let n = 0; n < 3; n += 1) {
    const server = await startServerProcess({ dataDir: data.path, env });
    stops.defer(() => server.dispose());
    await know(server);
  }
  const origins = [...servers.values()].map((server) => server.url);
  const proxy = await proxies[name](port, origins);
  stops.defer(() => proxy.stop());
  const pages = people.map((person, n) => openPage(url, codeOf(n / pagesOfRoom), person));
  stops.defer(() => pages.forEach((page) => page.close()));
  await until(() => pages.every(isLive), 'the first connections');

  const first = await placesOf(records);
  const byRoom = [...Map.groupBy(pages, ({ room }) => room).values()];
  const together = byRoom.filter((of) => new Set(of.map(({ uid }) => first.get(uid))).size === 1).length;

  /** Sends the signal to the process with most pages; answers how long each of these was without one. */
  const without = async (signal: 'SIGKILL' | 'SIGSTOP'): Promise<number[]> => {
    const places = await placesOf(records);
    const byProcess = [...Map.groupBy(pages, ({ uid }) => places.get(uid) ?? '')];
    const [[id, left] = ['', []]] = byProcess.toSorted(([, some], [, others]) => others.length - some.length);
    const server = servers.get(id);
    if (server === undefined) throw new Error('a page is on no process');
    const atMs = performance.now();
    process.kill(server.pid, signal);
    await until(
      () => left.every((page) => isLive(page) && page.liveAtMs() > atMs),
      `all have left a process after ${signal}`,
    );
    if (signal === 'SIGSTOP') process.kill(server.pid, 'SIGCONT');
    else await server.ended().then(() => server.restart());
    await know(server);
    return left.map((page) => page.liveAtMs() - atMs);
  };
  return {
    together,
    rooms: byRoom.length,
    afterKill: await without('SIGKILL'),
    afterStandstill: await without('SIGSTOP'),
  };
}

/** A room's code, as addresses of pages have it. */
const codeOf = (n: number): string => (0xab_cd_00 + Math.floor(n)).toString(16).toUpperCase();

/** On which process each person's newest connection is. */
async function placesOf(records: Client): Promise<Map<string, string>> {
  const { rows } = await records.query<{ uid: string; process_id: string }>(
    'select uid, process_id from connections where grace_until_ms is null order by opened_at_ms',
  );
  return new Map(rows.map(({ uid, process_id: id }) => [uid, id]));
}

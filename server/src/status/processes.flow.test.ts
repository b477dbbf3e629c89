/** Real servers on one database, of which the second has a mistake in its settings: it is named as that one starts. */
import { join } from 'node:path';
import { createDatabase } from '@tunemate/testkit/services/postgres';
import { type ServerProcess, type ServerProcessOptions, startServerProcess } from '@tunemate/testkit/services/process';
import { startRedis } from '@tunemate/testkit/services/redis';
import { describeWithService, requestService } from '@tunemate/testkit/services/request-service';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../storage/database.ts';

async function startServices() {
  const redis = await startRedis({ own: true });
  const postgres = await requestService('postgres');
  return { postgres, redis, stop: () => redis.stop() };
}

/** An hour ahead, from the beginning. */
const hourAhead = 'data:text/javascript,const now=Date.now;Date.now=()=>now()+36e5;';

interface Mistake {
  readonly what: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Of both processes. */
  readonly withoutRedis?: boolean;
  readonly ownFolder?: boolean;
  readonly nodeFlags?: readonly string[];
  readonly connections?: number;
  /** What the line at the start says; a process that would do harm does not start. */
  readonly said: string;
  readonly isRefused?: boolean;
}

const mistakes: readonly Mistake[] = [
  { what: 'Redis forgotten', withoutRedis: true, said: 'several processes share the database without Redis' },
  { what: 'Redis on one only', env: { REDIS_URL: '' }, said: 'use no Redis, or another one', isRefused: true },
  { what: 'a folder of its own', ownFolder: true, said: 'another process has another DATA_DIR', isRefused: true },
  { what: 'a clock that is off', nodeFlags: ['--import', hourAhead], said: 'the clock of this machine is' },
  { what: 'another setting', env: { PEOPLE_PER_ROOM: '7' }, said: 'other values of PEOPLE_PER_ROOM' },
  { what: 'another library', env: { MEDIA_DIR: import.meta.dirname }, said: 'another process lists other files' },
  { what: 'too few connections', connections: 20, said: 'may open 26 connections, and the database takes 20' },
];

describeWithService('two processes', startServices, ({ postgres, redis }) => {
  test.each(mistakes)('$what is named at the start', async (mistake) => {
    await using stops = new AsyncDisposableStack();
    const database = await createDatabase(postgres.url);
    stops.defer(() => database.drop());
    const data = await makeTempDir('processes');
    stops.defer(() => data.remove());
    if (mistake.connections !== undefined) await limitConnections(database.url, mistake.connections);
    const env = {
      DATABASE_URL: database.url,
      PUBLIC_URL: 'http://localhost:3000',
      ...(mistake.withoutRedis === true ? {} : { REDIS_URL: redis.url }),
    };
    const first = await startServerProcess({ dataDir: data.path, env });
    stops.defer(() => first.dispose());
    expect(disagreements(first)).toEqual([]);
    const starting = startServerProcess({
      dataDir: mistake.ownFolder === true ? join(data.path, 'own') : data.path,
      env: { ...env, ...mistake.env },
      ...(mistake.nodeFlags && { nodeFlags: mistake.nodeFlags }),
    });
    if (mistake.isRefused === true) {
      await expect(starting).rejects.toThrow(mistake.said);
      return;
    }
    const second = await starting;
    stops.defer(() => second.dispose());
    // Once the first one has reported again.
    await expect.poll(() => disagreements(second).join('\n')).toContain(mistake.said);
    const page = await (await fetch(`${second.url}/status`, { headers: { host: 'localhost' } })).text();
    expect(page).toContain(mistake.said.slice(1));
    expect(await (await fetch(`${second.url}/metrics`)).text()).toMatch(/tunemate_processes_disagree\{kind="\w+"\} 1/u);
  });

  test('a process that was killed holds up no start that does not fit it', async () => {
    await using stops = new AsyncDisposableStack();
    const second = await afterKill(stops, postgres.url, { env: { REDIS_URL: redis.url } });
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
  });

  test.each([0, 20])('a process that was killed %i s ago is not compared with the one after it', async (seconds) => {
    await using stops = new AsyncDisposableStack();
    const data = await makeTempDir('processes');
    stops.defer(() => data.remove());
    const second = await afterKill(stops, postgres.url, { dataDir: data.path }, seconds);
    expect(disagreements(second)).toEqual([]);
  });
});

/** What a server says of itself and others, but for a database that answers late: on a busy machine that is true. */
const disagreements = ({ log }: Pick<ServerProcess, 'log'>): string[] =>
  log()
    .split('\n')
    .filter((line) => line.includes('processes.disagree') && !/\["the database answers this [^"]+"\]/.test(line));

/** A server after one on the same database was killed, `seconds` ago as the database has it. */
async function afterKill(
  stops: AsyncDisposableStack,
  serverUrl: string,
  { env, ...options }: ServerProcessOptions,
  seconds = 0,
) {
  const database = await createDatabase(serverUrl);
  stops.defer(() => database.drop());
  const same = { ...options, env: { DATABASE_URL: database.url, PUBLIC_URL: 'http://localhost:3000', ...env } };
  const first = await startServerProcess(same);
  stops.defer(() => first.dispose());
  await first.kill();
  await onDatabase(database.url, sql`update processes set seen_at_ms = seen_at_ms - ${seconds * 1000}`);
  const second = await startServerProcess(same);
  stops.defer(() => second.dispose());
  return second;
}

const limitConnections = (url: string, most: number) =>
  onDatabase(url, sql`alter database ${sql.ref(new URL(url).pathname.slice(1))} connection limit ${sql.lit(most)}`);

async function onDatabase(url: string, statement: RawBuilder<unknown>): Promise<void> {
  const { db, close } = openDatabase(url);
  await statement.execute(db);
  await close();
}

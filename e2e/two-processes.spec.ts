/** The main story with host and guest on two server processes that share PostgreSQL and Redis. */
import { expect, test } from '@playwright/test';
import { createDatabase, startPostgres, type TestPostgres } from '@tunemate/testkit/services/postgres';
import { type ServerProcess, startServerProcess } from '@tunemate/testkit/services/process';
import { startRedis, type TestRedis } from '@tunemate/testkit/services/redis';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { haveAccount, visitor, closeVisits } from './person.ts';
import { comeTogether, driftLine, listenTogether, part, reloadBoth } from './room-story.ts';

let postgres: TestPostgres;
let redis: TestRedis;
let data: Awaited<ReturnType<typeof makeTempDir>>;
let servers: [ServerProcess, ServerProcess];

test.beforeAll(async () => {
  postgres = await startPostgres();
  redis = await startRedis();
  data = await makeTempDir('two-processes');
  const database = await createDatabase(postgres.url);
  const options = { dataDir: data.path, env: { DATABASE_URL: database.url, REDIS_URL: redis.url } };
  servers = [await startServerProcess(options), await startServerProcess(options)];
});
test.afterEach(closeVisits);
test.afterAll(async () => {
  await Promise.all(servers.map((server) => server.dispose()));
  await Promise.all([postgres.stop(), redis.stop()]);
  await data.remove();
});

test('two people on two processes meet in a video room', async ({ browser }) => {
  const [first, second] = servers;
  const host = await visitor(browser, first.url, 'Ada');
  const guest = await visitor(browser, second.url, 'Kenji');
  await haveAccount(host, first);
  await haveAccount(guest, second);
  const code = await comeTogether(host, guest, 'video', 'Kitchen Radio');
  const samples = await listenTogether(host, guest, 'video', 5);
  console.log(driftLine('host to guest, two processes', samples));
  await reloadBoth(host, guest);
  await part(host, guest, 'video', code);
  expect([...host.complaints, ...guest.complaints]).toEqual([]);
});

/** The main story with host and guest on two server processes that share PostgreSQL and Redis. */
import { expect, test } from '@playwright/test';
import { roomKinds } from '@tunemate/protocol';
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

for (const kind of roomKinds) {
  test(`two people on two processes meet in a room of kind ${kind}`, async ({ browser }) => {
    const [first, second] = servers;
    const host = await visitor(browser, first.url, `Ada ${kind}`);
    const guest = await visitor(browser, second.url, `Kenji ${kind}`);
    await haveAccount(host, first);
    await haveAccount(guest, second);
    const code = await comeTogether(host, guest, kind, 'Kitchen Radio');
    const samples = await listenTogether(host, guest, kind, 5);
    console.log(driftLine(`host to guest, ${kind} room, two processes`, samples));
    await reloadBoth(host, guest);
    await part(host, guest, kind, code);
    expect([...host.complaints, ...guest.complaints]).toEqual([]);
  });
}

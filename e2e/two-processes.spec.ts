/** The main story with host and guest on two server processes that share PostgreSQL and Redis. */
import { expect, test } from '@playwright/test';
import { type Cluster, startCluster } from '@tunemate/testkit/cluster/cluster';
import type { ServerProcess } from '@tunemate/testkit/services/process';
import { haveAccount, visitor, closeVisits } from './person.ts';
import { comeTogether, driftLine, listenTogether, part, reloadBoth } from './room-story.ts';

let cluster: Cluster;
test.beforeAll(async () => {
  // Without an address of its own each process takes the pages that come to it beside the balancer.
  cluster = await startCluster({ processes: 2, server: { env: { PUBLIC_URL: undefined } } });
});
test.afterEach(closeVisits);
test.afterAll(() => cluster.stop());

test('two people on two processes meet in a video room', async ({ browser }) => {
  const [first, second] = cluster.servers as readonly [ServerProcess, ServerProcess];
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

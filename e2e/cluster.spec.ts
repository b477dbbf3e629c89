/**
 * An evening of three browsers across three processes behind HAProxy, with the configuration of `deploy`, while two of
 * the processes are killed: the music goes on for all, and each page reads every message once, in one order.
 */
import { expect, test } from '@playwright/test';
import { freePort } from '@tunemate/testkit/services/free-port';
import { type Cluster, startCluster } from '@tunemate/testkit/cluster/cluster';
import { startHaproxy, type TestHaproxy } from '@tunemate/testkit/cluster/haproxy';
import {
  askToJoin,
  closeVisits,
  haveAccount,
  isPlaying,
  listen,
  type Person,
  playFromLibrary,
  visitor,
  write,
} from './person.ts';
import { comeTogether, expectTogether } from './room-story.ts';
import { expectUnbroken, record } from './unbroken.ts';

let cluster: Cluster;
let haproxy: TestHaproxy;

test.beforeAll(async () => {
  const port = await freePort();
  cluster = await startCluster({ server: { env: { PUBLIC_URL: `http://127.0.0.1:${String(port)}` } } });
  haproxy = await startHaproxy(
    port,
    cluster.servers.map(({ url }) => url),
  );
});
test.afterAll(async () => {
  await closeVisits();
  await haproxy.stop();
  await cluster.stop();
});

const logOf = ({ page }: Person) => page.getByRole('log', { name: 'Chat' });

test('three people on three processes hear on and read everything while two of the processes are killed', async ({
  browser,
}) => {
  const outer = { url: haproxy.url, dataDir: cluster.dataDir };
  const people: Person[] = [];
  for (const name of ['Mara', 'Ivo', 'Ada']) {
    const person = await visitor(browser, outer.url, name);
    await haveAccount(person, outer);
    people.push(person);
  }
  const [host, guest, third] = people as [Person, Person, Person];
  const code = await comeTogether(host, guest, 'audio', 'Three Rooms');
  await askToJoin(third, 'audio', code);
  await host.page.getByRole('button', { name: 'Accept' }).first().click();
  await expect(third.page.getByRole('heading', { name: 'Three Rooms', level: 1 })).toBeVisible();
  await playFromLibrary(host, 'audio', 'Sunday Kitchen');
  for (const person of people) await listen(person);
  for (const { page } of people) await page.getByRole('button', { name: 'Click here to Start Chat' }).click();
  for (const person of people) await record(person);

  const said: string[] = [];
  const everybodySays = async (when: string): Promise<void> => {
    for (const person of people) {
      const words = `${person.name} ${when}`;
      said.push(words);
      await write(person.page, words);
    }
  };
  await everybodySays('before');
  for (const [n, server] of cluster.servers.slice(0, 2).entries()) {
    await server.kill();
    await everybodySays(`after kill ${String(n + 1)}`);
    for (const person of people) {
      for (const words of said) await expect(logOf(person).getByText(words, { exact: true })).toHaveCount(1);
    }
  }

  for (const person of people) {
    await expectUnbroken(person);
    expect(await isPlaying(person)).toBe(true);
  }
  for (const person of [guest, third]) await expectTogether(host, person);
  const orders = await Promise.all(
    people.map(async (person) => {
      const text = await logOf(person).innerText();
      return said.toSorted((a, b) => text.indexOf(a) - text.indexOf(b));
    }),
  );
  expect(orders[1]).toEqual(orders[0]);
  expect(orders[2]).toEqual(orders[0]);
});

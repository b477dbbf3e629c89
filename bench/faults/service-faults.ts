/** Faults of what the servers lean on: PostgreSQL, Redis, the mail server, the search service. */
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { sendJson } from '@tunemate/testkit/fakes/fake-data-api';
import { createHttpVisitor } from '@tunemate/testkit/network/http-visitor';
import { goodPassword } from '@tunemate/testkit/worlds/test-app';
import { isSoon } from './scenario.ts';
import { type Fault, type FaultScene, wrongUnless } from './fault.ts';
import { openPage } from './page.ts';

const noRedis = 'has no Redis';
const noDatabaseLine = 'its database is a file: disk-full, bad-file';
/** A request that waits for a service must not take longer. */
const answerWithinMs = 3500;

/** What `ask` answers, and whether it took too long. */
async function timed<T>(ask: () => Promise<T>): Promise<{ answer: T; isLate: boolean }> {
  const startMs = performance.now();
  const answer = await ask();
  return { answer, isLate: performance.now() - startMs > answerWithinMs };
}

async function redisCommand({ setUp }: FaultScene, command: string): Promise<void> {
  const client = createClient({ url: setUp.cluster?.redis.url ?? '' });
  await client.connect();
  await client.sendCommand([command]);
  client.destroy();
}

/** A search while the service fails in one way: it is answered in time, and what plays plays on. */
async function searchWhile(scene: FaultScene, fails: FaultScene['setUp']['search']['answer']): Promise<string[]> {
  const { setUp, scenario } = scene;
  const usual = setUp.search.answer;
  setUp.search.answer = fails;
  const query = `song ${String(scene.random())}`;
  const { answer, isLate } = await timed(() =>
    scenario.host.page.connection.request('catalogue/search', { ...scenario.room, query }),
  );
  setUp.search.answer = usual;
  const isAnswered = answer.ok || answer.error.code !== 'server/failed';
  return [
    ...wrongUnless(!isLate, 'a search waited for longer than 3.5 s'),
    ...wrongUnless(isAnswered, 'a search met an internal error'),
  ];
}

async function signUpWhileMailIsDown({ setUp, isLong, random }: FaultScene): Promise<string[]> {
  const email = `late${String(Math.floor(random() * 1e9))}@example.org`;
  setUp.mailLine.close();
  const visitor = createHttpVisitor(setUp.url, setUp.url);
  const { answer, isLate } = await timed(() =>
    visitor.call('POST /api/accounts/sign-up', { name: 'Late', email, password: goodPassword }),
  );
  setUp.mailLine.reopen();
  const problems = [
    ...wrongUnless(answer.status === 200 || answer.status === 201, `the sign-up answered ${String(answer.status)}`),
    ...wrongUnless(!isLate, 'the sign-up waited for the mail server'),
  ];
  if (!isLong) return problems;
  const arrives = await isSoon(() => setUp.mail.mails.some(({ to }) => to.includes(email)));
  return [...problems, ...wrongUnless(arrives, 'the mail was not sent later')];
}

export const serviceFaults: readonly Fault[] = [
  {
    id: 'redis-killed',
    what: 'Redis is killed for 5 s and comes back empty',
    not: { one: noRedis },
    async run({ setUp, isLong }) {
      await setUp.cluster?.redis.kill();
      await pause(isLong ? 5000 : 500);
      await setUp.cluster?.redis.restart();
    },
  },
  {
    id: 'redis-slow',
    what: 'Redis forgets everything, and answers 2 s late',
    not: { one: noRedis },
    async run(scene) {
      await redisCommand(scene, 'FLUSHALL');
      for (const line of scene.setUp.redisLines) line.setDelay(2000);
      await pause(scene.isLong ? 6000 : 600);
      for (const line of scene.setUp.redisLines) line.setDelay(0);
      await redisCommand(scene, 'FLUSHALL');
    },
  },
  {
    id: 'redis-silent',
    what: 'Redis no longer answers for 30 s, and its connections look open',
    not: { one: noRedis },
    async run({ setUp, isLong }) {
      for (const line of setUp.redisLines) line.stall();
      await pause(isLong ? 30_000 : 600);
      for (const line of setUp.redisLines) line.resume();
    },
  },
  {
    id: 'postgres-crashes',
    what: 'PostgreSQL crashes and comes back',
    not: { one: noDatabaseLine },
    async run({ setUp, isLong }) {
      for (let times = isLong ? 3 : 1; times > 0; times -= 1) {
        await setUp.cluster?.postgres.crashAndRestart();
        await pause(isLong ? 2000 : 200);
      }
    },
  },
  {
    id: 'cut-from-database',
    what: 'one process is cut off from the database for 10 s',
    not: { one: noDatabaseLine },
    isSlow: true,
    async run({ setUp, scenario, isLong, random }) {
      const [line] = setUp.databaseLines;
      const server = setUp.servers[0];
      const listener = scenario.guests[2]?.page;
      if (!line || !server || !listener) return ['there is no server'];
      // A person who only listens asks for nothing that could fail.
      const silent = openPage({ url: server.url, origin: setUp.url, person: listener.person, random });
      const isThere = () => silent.connection.status.get().status === 'live';
      const cameIn = await isSoon(isThere);
      line.close();
      const startMs = performance.now();
      const isReady = () =>
        fetch(`${server.url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      const isNoticed = await isSoon(async () => !(await isReady()), 6000);
      const isLeft = await isSoon(() => setUp.balancer?.ready().includes(server.url) === false, 6000);
      const isSent = await isSoon(() => !isThere(), 20_000);
      silent.close();
      await pause(Math.max(0, startMs + (isLong ? 10_000 : 0) - performance.now()));
      line.reopen();
      const isBack = await isSoon(() => setUp.balancer?.ready().includes(server.url) === true);
      return [
        ...wrongUnless(isNoticed && isLeft, 'the process said that it is ready'),
        ...wrongUnless(cameIn && isSent, 'a listener stayed at a process without a database'),
        ...wrongUnless(isBack, 'the process did not come back'),
      ];
    },
  },
  {
    id: 'search-away',
    what: 'the search service fails, refuses, is silent',
    async run(scene) {
      return [
        ...(await searchWhile(scene, (_call, response) => sendJson(response, {}, 500))),
        ...(await searchWhile(scene, (_call, response) => sendJson(response, { error: { code: 403 } }, 403))),
        ...(scene.isLong ? await searchWhile(scene, () => undefined) : []),
      ];
    },
  },
  {
    id: 'mail-away',
    what: 'the mail server is away',
    run: signUpWhileMailIsDown,
  },
];

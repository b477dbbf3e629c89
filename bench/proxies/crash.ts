/** A crash of the database under a server whose pages then try again and again: how often until they are back. */
import { makePeople } from '@tunemate/testkit/worlds/crowd';
import { createDatabase, startPostgres } from '@tunemate/testkit/services/postgres';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { until } from '../faults/scenario.ts';
import { isLive, openPage } from './page.ts';

export interface Return {
  /** How often each page began to connect once the database was there again. */
  readonly attempts: number[];
  /** How long each was still away, in milliseconds. */
  readonly afterMs: number[];
}

/** The database stays away until each page has tried `attemptsAway` times: they wait ever longer between. */
export async function crashDatabase({
  pages: count,
  attemptsAway,
}: {
  pages: number;
  attemptsAway: number;
}): Promise<Return> {
  await using stops = new AsyncDisposableStack();
  const postgres = await startPostgres({ durable: true });
  stops.defer(() => postgres.stop());
  const database = await createDatabase(postgres.url);
  const people = await makePeople(database.url, count);
  const server = await startServerProcess({
    env: { DATABASE_URL: database.url, RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'warn' },
  });
  stops.defer(() => server.dispose());
  const pages = people.map((person) => openPage(server.url, '', person));
  stops.defer(() => pages.forEach((page) => page.close()));
  await until(() => pages.every(isLive), 'the first connections');
  const attempts = () => pages.map((page) => page.attempts());

  const before = attempts();
  await postgres.crash();
  await until(() => attempts().every((tried, page) => tried - (before[page] ?? 0) >= attemptsAway), 'each has tried');
  await postgres.startAgain();
  const [triedBefore, atMs] = [attempts(), performance.now()];
  await until(() => pages.every(isLive), 'all are back');
  return {
    attempts: attempts().map((tried, page) => tried - (triedBefore[page] ?? 0)),
    afterMs: pages.map((page) => Math.max(0, page.liveAtMs() - atMs)),
  };
}

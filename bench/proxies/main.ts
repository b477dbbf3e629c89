/**
 * Tries the balancers of the recipes in deploy before three processes: whether the connections of a room stay on one, and
 * how soon pages are back after a kill -9 and after a process stood still; and how soon after a crash of the database. Writes results/proxies.md; ends with 1 when a
 * goal is missed.
 * Usage: npm run bench -- proxies [RUNS]   (default 3)
 */
import { percentile } from '@tunemate/testkit/percentile';
import { startPostgres } from '@tunemate/testkit/services/postgres';
import { startRedis } from '@tunemate/testkit/services/redis';
import { writePage } from '../report/write-page.ts';
import { crashDatabase } from './crash.ts';
import { proxyNames } from './proxies.ts';
import { type Trial, tryProxy } from './trial.ts';

const runs = Number(process.argv[2] ?? 3);
const rooms = 20;
const killedGoalMs = 1000;
const standstillGoalMs = 8000;
const crashGoalMs = 10_000;

const postgres = await startPostgres();
const redis = await startRedis({ own: true });
const rows: string[] = [];
const times = (of: readonly number[]) =>
  [0.5, 0.95, 1].map((share) => `${(percentile(of, share) / 1000).toFixed(2)} s`).join(' / ');
let isMet = true;
for (const name of proxyNames) {
  const trials: Trial[] = [];
  for (let n = 0; n < runs; n += 1) {
    trials.push(await tryProxy(name, { postgresUrl: postgres.url, redisUrl: redis.url, rooms }));
  }
  const [killed, stood] = [trials.flatMap((each) => each.afterKill), trials.flatMap((each) => each.afterStandstill)];
  const together = trials.reduce((sum, each) => sum + each.together, 0);
  const all = trials.reduce((sum, each) => sum + each.rooms, 0);
  isMet &&= together === all && percentile(killed, 0.95) <= killedGoalMs && percentile(stood, 0.95) <= standstillGoalMs;
  const row = `| ${name} | ${String(together)} of ${String(all)} | ${times(killed)} | ${times(stood)} |`;
  console.log(row);
  rows.push(row);
}
const crashed = await crashDatabase({ pages: 100, attemptsAway: 6 });
isMet &&= Math.max(...crashed.afterMs) <= crashGoalMs;
await redis.stop();
await postgres.stop();
writePage(
  'proxies',
  `# Balancers before three processes

\`npm run bench -- proxies\`

Debian's programs with the files of \`deploy\`, without TLS, before three processes on one machine; ${String(rooms)} rooms of three pages, which ask
something each second. A page is back when its next connection is open. ${String(runs)} runs of each.

| balancer | rooms on one process | back after kill -9: p50 / p95 / longest | after SIGSTOP |
| --- | --- | --- | --- |
${rows.join('\n')}

One process, ${String(crashed.afterMs.length)} pages, PostgreSQL killed and away until each page has tried six times: back after its return
${times(crashed.afterMs)} (the goal is 10 s for all), with at most ${String(Math.max(...crashed.attempts))} tries.
`,
);
process.exit(isMet ? 0 : 1);

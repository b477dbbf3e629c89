/**
 * Three processes behind a balancer, one of which is killed each minute while people listen and talk. Writes
 * results/kills.md.
 * Usage: npm run bench -- kills [--minutes=20]
 */
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { roomKinds } from '@tunemate/protocol';
import type { Fault } from '@tunemate/testkit/faults/fault';
import { oneOf } from '@tunemate/testkit/faults/process-faults';
import { runFaults } from '@tunemate/testkit/faults/run-faults';
import { openSetUp } from '@tunemate/testkit/faults/set-ups';

const minutes = Number(process.argv.find((each) => each.startsWith('--minutes='))?.slice('--minutes='.length) ?? 20);
const minuteMs = 60_000;
/** How long the killed process stays away, as under a supervisor that waits a little. */
const awayMs = 3000;
const readyMs: number[] = [];

/** A minute in which one process dies. */
const minute: Fault = {
  id: 'killed-in-turn',
  what: 'one of three processes is killed',
  async run(scene) {
    const endMs = performance.now() + minuteMs;
    await pause(minuteMs * 0.7 * scene.random());
    const server = oneOf(scene);
    await server.kill();
    await pause(awayMs);
    const startMs = performance.now();
    await server.restart();
    readyMs.push(performance.now() - startMs);
    await pause(Math.max(0, endMs - performance.now()));
    return [];
  },
};

let acknowledged = 0;
let failed = 0;
const problems: string[] = [];
const setUp = await openSetUp('three', { seed: 2026 });
const startedMs = Date.now();
for (let n = 0; n < minutes; n += 1) {
  const judged = await runFaults(setUp, [minute], { kind: roomKinds[n % roomKinds.length] ?? 'video' });
  acknowledged += judged.acknowledged;
  failed += judged.failed;
  problems.push(...judged.problems);
  console.log(`minute ${String(n + 1)}: ${String(judged.acknowledged)} operations, ${String(judged.failed)} failed`);
  for (const problem of judged.problems) console.log(`     ${problem.slice(0, 600)}`);
}
const tookMinutes = ((Date.now() - startedMs) / minuteMs).toFixed(1);
await setUp.stop();

const share = ((100 * (acknowledged - failed)) / Math.max(1, acknowledged)).toFixed(3);
await writeFile(
  join(import.meta.dirname, 'results', 'kills.md'),
  `# One of three processes killed each minute

\`npm run bench -- kills --minutes=${String(minutes)}\`

Three processes behind a balancer, on PostgreSQL and Redis. A host plays and three guests talk, a room a minute; within
each minute one process is killed (SIGKILL) and started again ${String(awayMs / 1000)} s later. An operation is a message or an intent of
the host; it succeeds if its page, which sends it again by itself, has its acknowledgement, and the person never read
'Not sent'. Servers, balancer, databases and people share 2 cores.

| figure | measured | goal |
| --- | --- | --- |
| minutes with a kill each | ${String(minutes)} (${tookMinutes} in all) | 20 |
| operations | ${String(acknowledged)} | |
| succeeded with retry | ${share} % | 99.99 % |
| lost, doubled, reordered, out of step, seen by others | ${String(problems.length)} | 0 |
| start of the killed process to ready, longest | ${String(Math.round(Math.max(...readyMs)))} ms | |
| load average of the machine (15 min) | ${loadavg()[2]?.toFixed(0) ?? ''} | |
`,
);
process.exit(problems.length === 0 && failed === 0 ? 0 : 1);

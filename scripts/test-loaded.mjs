/**
 * `npm test -- --loaded`: what `npm test` runs, five times beside two programs that never rest, with the long limits of
 * time. A test that waits for a time instead of a state fails here sooner or later.
 */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { root } from './toolchain/paths.mjs';
import { pinnedNode, toolEnvironment } from './toolchain/pinned-node.mjs';
import { readTestArguments } from './toolchain/test-arguments.mjs';

const busyPrograms = 2;

const node = pinnedNode();
const { all, only, times, paths } = readTestArguments();
const options = [...(all ? ['--all'] : []), ...(only === undefined ? [] : [`--only=${only}`]), ...paths];
const suite = fileURLToPath(new URL('test-suite.mjs', import.meta.url));
const neverRest = fileURLToPath(new URL('./never-rest.mjs', import.meta.url));

const busy = Array.from({ length: busyPrograms }, () => spawn(node, [neverRest], { stdio: 'ignore' }));
// They never end by themselves, and must not keep this process from its end.
busy.forEach((program) => program.unref());
process.once('exit', () => busy.forEach((program) => program.kill('SIGKILL')));

let green = 0;
for (let run = 1; run <= times; run += 1) {
  console.log(`Run ${run} of ${times}, beside ${busyPrograms} busy programs`);
  const { status } = spawnSync(node, [suite, ...options], {
    cwd: root,
    env: { ...toolEnvironment(), TEST_LIMITS: 'long' },
    stdio: 'inherit',
  });
  if (status === 0) green += 1;
}
console.log(`${green} of ${times} runs were green`);
process.exitCode = green === times ? 0 : 1;

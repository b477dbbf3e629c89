/**
 * `npm test -- --loaded`: everything that `npm test` runs, five times beside two programs that never rest. A test that
 * waits for a time instead of a state fails here sooner or later. `--times=` says how often, `--only=` which part.
 */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readyNode } from './toolchain/install.mjs';
import { root } from './toolchain/paths.mjs';
import { toolEnvironment } from './toolchain/pinned-node.mjs';

const busyPrograms = 2;

const node = readyNode();
const options = process.argv.slice(2).filter((option) => option !== '--loaded');
const times = Number(options.find((option) => option.startsWith('--times='))?.slice('--times='.length) ?? 5);
const suite = fileURLToPath(new URL('test-suite.mjs', import.meta.url));
const neverRest = fileURLToPath(new URL('./never-rest.mjs', import.meta.url));

const busy = Array.from({ length: busyPrograms }, () => spawn(node, [neverRest], { stdio: 'ignore' }));
// They never end by themselves, and must not keep this process from its end.
busy.forEach((program) => program.unref());
process.once('exit', () => busy.forEach((program) => program.kill('SIGKILL')));

let green = 0;
for (let run = 1; run <= times; run += 1) {
  console.log(`Run ${run} of ${times}, beside ${busyPrograms} busy programs`);
  const { status } = spawnSync(node, [suite, ...options.filter((option) => !option.startsWith('--times='))], {
    cwd: root,
    env: toolEnvironment(),
    stdio: 'inherit',
  });
  if (status === 0) green += 1;
}
console.log(`${green} of ${times} runs were green`);
process.exitCode = green === times ? 0 : 1;

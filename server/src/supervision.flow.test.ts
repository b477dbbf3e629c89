/** What `npm start` does once everything is installed and built: it runs the server, and restarts it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '@tunemate/testkit/services/free-port';
import { neededByPrograms } from '@tunemate/testkit/services/process';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { afterEach, expect, test } from 'vitest';

const keepRunning = pathToFileURL(join(import.meta.dirname, '../../scripts/toolchain/keep-running.mjs')).href;
const main = join(import.meta.dirname, 'main.ts');
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGTERM');
});

/** The supervisor over a program of Node's. */
function supervise(args: readonly string[], env: Record<string, string> = {}) {
  const code = `import { keepRunning } from '${keepRunning}'; keepRunning(process.execPath, ${JSON.stringify(args)});`;
  const supervisor = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    env: { ...neededByPrograms(), HOST: '127.0.0.1', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(supervisor);
  let said = '';
  for (const stream of [supervisor.stdout, supervisor.stderr])
    stream.on('data', (piece: Buffer) => (said += piece.toString()));
  return { supervisor, said: () => said, pid: supervisor.pid ?? 0 };
}

const childOf = (pid: number): number =>
  Number(
    execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)])
      .toString()
      .trim(),
  );
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a killed server is restarted on the same port with one log line; SIGTERM stops server and supervisor', async () => {
  await using data = await makeTempDir('supervised');
  const port = String(await freePort());
  const { supervisor, said, pid } = supervise([main], { PORT: port, DATA_DIR: data.path });
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady).toBe(true);
  const first = childOf(pid);
  process.kill(first, 'SIGKILL');
  await expect.poll(() => said()).toBe('The server ended by SIGKILL. Starting it again in 0.25 s.\n');
  await expect.poll(isReady).toBe(true);
  const second = childOf(pid);
  expect(second).not.toBe(first);

  const ended = once(supervisor, 'exit');
  supervisor.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(isAlive(second)).toBe(false);
  expect(said().trim().split('\n')).toHaveLength(1);
});

test('a server that keeps crashing is started again after pauses that grow, and a stop in a pause ends it', async () => {
  const { supervisor, said } = supervise(['--eval', 'process.exit(70)']);
  const pauses = () =>
    [...said().matchAll(/with exit code 70\. Starting it again in ([\d.]+) s\./g)].map(([, s]) => Number(s));
  await expect.poll(() => pauses().length).toBeGreaterThanOrEqual(4);
  expect(pauses().slice(0, 4)).toEqual([0.25, 0.5, 1, 2]);
  const ended = once(supervisor, 'exit');
  supervisor.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('a start that fails is the end: a wrong setting is not tried again and again', async () => {
  const { supervisor, said } = supervise([main], { PORT: 'not-a-port' });
  expect(await once(supervisor, 'exit')).toEqual([1, null]);
  expect(said()).toMatch(/^Wrong setting PORT[^\n]+\n$/);
});

test('a server that ended because it was asked to is not started again', async () => {
  const { supervisor, said } = supervise(['--eval', 'process.exit(0)']);
  expect(await once(supervisor, 'exit')).toEqual([0, null]);
  expect(said()).toBe('');
});

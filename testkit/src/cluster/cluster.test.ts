/** What `npm run cluster` runs, from its start to its end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { coversEverything } from '../extent.ts';
import { freePort } from '../services/free-port.ts';
import { neededByPrograms } from '../services/process.ts';

const program = join(import.meta.dirname, 'run-cluster.ts');

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Lets the program stop what it has started, and then ends what is left of it. */
async function endGroupOf(running: ChildProcess): Promise<void> {
  const { pid } = running;
  if (pid === undefined) return;
  if (running.exitCode === null && running.signalCode === null) {
    const ended = once(running, 'exit', { signal: AbortSignal.timeout(10_000) });
    running.kill('SIGTERM');
    await ended.catch(() => undefined);
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // None is left.
  }
}

// It starts PostgreSQL, Redis and a balancer, which the short form of the tests does without.
test.runIf(coversEverything)(
  'npm run cluster starts all parts behind one address, restarts a process that dies, and stops everything',
  async () => {
    const port = await freePort();
    const running = spawn(process.execPath, [program, '2'], {
      env: { ...neededByPrograms(), PORT: String(port), LOG_LEVEL: 'warn', PEOPLE_PER_ROOM: '7', HOST: '192.0.2.1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that a test that fails leaves none of its processes behind.
      detached: true,
    });
    onTestFinished(() => endGroupOf(running));
    let said = '';
    for (const stream of [running.stdout, running.stderr])
      stream.on('data', (piece: Buffer) => (said += piece.toString()));
    await expect.poll(() => said).toContain(`Tunemate is ready: http://localhost:${String(port)}`);
    await expect.poll(() => said).toContain('Ctrl-C');
    const pids = Array.from(said.matchAll(/process (\d+) at/g), ([, pid]) => Number(pid));
    expect(pids).toHaveLength(2);
    expect((await fetch(`http://127.0.0.1:${String(port)}/readyz`)).status).toBe(200);
    // Settings reach every server, but for those that are the cluster's own.
    for (const pid of pids) {
      expect(readFileSync(`/proc/${String(pid)}/environ`, 'utf8').split('\0')).toContain('PEOPLE_PER_ROOM=7');
    }

    process.kill(pids[0] ?? 0, 'SIGKILL');
    await expect.poll(() => said).toContain('ended (killed). Starting it again.');
    expect((await fetch(`http://127.0.0.1:${String(port)}/readyz`)).status).toBe(200);

    const data = /mails in (.+)\/outbox/.exec(said)?.[1] ?? '';
    expect(existsSync(data)).toBe(true);
    const ended = once(running, 'exit');
    running.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(said).toContain('Everything is stopped.');
    expect(pids.filter(isAlive)).toEqual([]);
    expect(existsSync(data)).toBe(false);
  },
);

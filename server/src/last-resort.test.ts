/** How the process ends: after a bug, with a closed log, without a database. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connect, makePeople } from '@tunemate/testkit/worlds/crowd';
import type { Person } from '@tunemate/testkit/worlds/people';
import { freePort } from '@tunemate/testkit/services/free-port';
import { createDatabase } from '@tunemate/testkit/services/postgres';
import { neededByPrograms, startServerProcess } from '@tunemate/testkit/services/process';
import { describeWithService, requestService } from '@tunemate/testkit/services/request-service';
import { startTcpFaultProxy } from '@tunemate/testkit/network/tcp-fault-proxy';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import type { Refusal } from '@tunemate/protocol';
import { expect, test } from 'vitest';

const main = pathToFileURL(join(import.meta.dirname, 'main.ts')).href;

/** The server with a bug that a signal brings about. */
const withBug = (kind: string) => `
  process.on('SIGUSR2', () => { ${kind} });
  await import(${JSON.stringify(main)});
`;

test.each([
  ['uncaughtException', "setTimeout(() => { throw new Error('a bug'); })"],
  ['unhandledRejection', "Promise.reject(new Error('a bug'))"],
])(
  'after a bug (%s) the error is logged, clients get a goodbye, and the process exits with 70 (PROC-9)',
  async (event, bug) => {
    await using data = await makeTempDir('last-resort');
    const [mara] = (await makePeople(`sqlite:${join(data.path, 'tunemate.sqlite')}`, 1)) as [Person];
    const server = await startServerProcess({
      dataDir: data.path,
      program: ['--input-type=module', '--eval', withBug(bug)],
    });
    const { line } = await connect(server.url, mara);
    const goodbye = new Promise<Refusal>((resolve) => line.on('goodbye', resolve));
    process.kill(server.pid, 'SIGUSR2');
    expect(await goodbye).toEqual({ code: 'server/unavailable' });
    expect(await server.ended()).toBe(70);
    await expect.poll(() => server.log()).toContain(`"event":"${event}","msg":"server.failed"`);
    await expect.poll(() => server.log()).toContain('"why":"' + event + '","msg":"server.closing"');
    line.disconnect();
    await server.dispose();
  },
);

test('the server goes on when the pipe of its log is closed', async () => {
  await using data = await makeTempDir('log-reader');
  const port = String(await freePort());
  const env = { ...neededByPrograms(), HOST: '127.0.0.1', PORT: port, DATA_DIR: data.path, LOG_LEVEL: 'debug' };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady).toBe(true);
  child.stdout.destroy();
  child.stderr.destroy();
  // Each writes a line, if only that it was refused.
  const report = {
    method: 'POST',
    headers: { 'content-type': 'application/csp-report' },
    body: '{"csp-report":{"document-uri":"x"}}',
  };
  for (let n = 0; n < 5; n += 1) await fetch(`http://127.0.0.1:${port}/csp-report`, report);
  expect(await isReady()).toBe(true);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
});

describeWithService(
  'a stop while the database is silent',
  () => requestService('postgres'),
  () => {
    test('a stop says goodbye to everyone although the database does not answer', async () => {
      const database = await createDatabase((await requestService('postgres')).url);
      const [mara] = (await makePeople(database.url, 1)) as [Person];
      const proxy = await startTcpFaultProxy({ targetPort: Number(new URL(database.url).port) });
      const proxied = new URL(database.url);
      proxied.port = String(proxy.port);
      const server = await startServerProcess({ env: { DATABASE_URL: proxied.href } });
      const { line } = await connect(server.url, mara);
      const goodbye = new Promise<Refusal>((resolve) => line.on('goodbye', resolve));
      proxy.stall();
      const stopped = server.stop();
      expect(await goodbye).toEqual({ code: 'server/unavailable' });
      expect(await stopped).toBe(0);
      line.disconnect();
      await server.dispose();
      await proxy.stop();
      await database.drop();
    });
  },
);

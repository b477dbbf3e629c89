import { failingStart as startInVain } from '@tunemate/testkit/services/failing-start';
import { freePort } from '@tunemate/testkit/services/free-port';
import { neededByPrograms, startServerProcess } from '@tunemate/testkit/services/process';
import { startS3 } from '@tunemate/testkit/services/programs/s3';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import SqliteDatabase from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, open, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pathToFileURL } from 'node:url';
import { connect, makePeople } from '@tunemate/testkit/worlds/crowd';
import type { Person } from '@tunemate/testkit/worlds/people';
import { createDatabase } from '@tunemate/testkit/services/postgres';
import { describeWithService, requestService } from '@tunemate/testkit/services/request-service';
import { startTcpFaultProxy } from '@tunemate/testkit/network/tcp-fault-proxy';
import type { Refusal } from '@tunemate/protocol';

/** In a new folder, unless `env` names one. */
async function failingStart(env: Record<string, string>): Promise<{ exitCode: number | null; said: string }> {
  await using dir = await makeTempDir('boot');
  return await startInVain({ DATA_DIR: dir.path, ...env });
}

const oneLine = (text: RegExp) => ({ exitCode: 1, said: expect.stringMatching(text) as string });

describe('the start', () => {
  test('stops at a wrong setting with one line that names it and not its value (BOOT-2)', async () => {
    const start = await failingStart({ METRICS_TOKEN: 'hunter2' });
    expect(start).toEqual({
      exitCode: 1,
      said: 'Wrong setting METRICS_TOKEN: it must be a secret of 16 characters or more, such as `openssl rand -hex 16` prints.\n',
    });
  });

  test('stops at an object store with one line for each reason, which names no key', async () => {
    const s3 = await startS3();
    const away = { S3_URL: `http://127.0.0.1:${String(await freePort())}/pictures` };
    const other = { S3_URL: new URL('/elsewhere', s3.env.S3_URL).href };
    for (const [wrong, line] of [
      [away, /^The object store can not be reached at S3_URL\.[^\n]+\n$/],
      [{ S3_SECRET_KEY: 'hunter2hunter2' }, /^The object store of S3_URL does not accept the key[^\n]+\n$/],
      [other, /^The object store has no bucket of the name in S3_URL\.[^\n]+\n$/],
    ] as const) {
      const start = await failingStart({ ...s3.env, ...wrong });
      expect(start).toEqual(oneLine(line));
      expect(start.said).not.toMatch(/hunter2|S3RVER/);
    }
    await s3.stop();
  });

  test('stops at a damaged database file with one line, and leaves the file as it was', async () => {
    const server = await startServerProcess();
    await server.kill();
    const file = join(server.dataDir, 'tunemate.sqlite');
    const database = new SqliteDatabase(file);
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.close();
    const handle = await open(file, 'r+');
    await handle.write(Buffer.alloc(4096, 0x5a), 0, 4096, 4096);
    await handle.close();
    const before = await readFile(file);
    const start = await failingStart({ DATA_DIR: server.dataDir });
    expect(start).toEqual(oneLine(/^The database file .+ is damaged\. It was not changed; [^\n]+\n$/));
    expect(await readFile(file)).toEqual(before);

    await writeFile(file, 'this is no database, but long enough to look like one'.repeat(100));
    expect(await failingStart({ DATA_DIR: server.dataDir })).toEqual(
      oneLine(/^The database file .+ is damaged\.[^\n]+\n$/),
    );
    await server.dispose();
  });

  test('stops with one line where it can’t write', async () => {
    await using dir = await makeTempDir('boot');
    const file = join(dir.path, 'a-file');
    await writeFile(file, '');
    const start = await failingStart({ DATA_DIR: join(file, 'data') });
    expect(start).toEqual(oneLine(/^The database file .+ can not be written\. [^\n]+DATA_DIR[^\n]+\n$/));
  });

  test('stops with one line when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const start = await failingStart({ PORT: String(port) });
    expect(start).toEqual(oneLine(new RegExp(`^Port ${String(port)} is in use[^\n]+PORT[^\n]+\n$`)));
    other.close();
  });

  test.each([
    ['DATABASE_URL', 'postgres://nobody:secret@127.0.0.1:9/none'],
    ['REDIS_URL', 'redis://127.0.0.1:9'],
  ])('stops with one line when nothing answers at %s', async (name, url) => {
    const start = await failingStart({ [name]: url });
    expect(start).toEqual(oneLine(new RegExp(`^[^\n]+${name}[^\n]+\n$`)));
    expect(start.said).not.toContain('secret');
  });

  test('keeps its data from other users of the machine, also what an earlier start left open to them (BOOT-11)', async () => {
    const server = await startServerProcess();
    const files = ['', 'tunemate.sqlite', 'tunemate.sqlite-wal', 'tunemate.sqlite-shm'];
    const rights = async () =>
      Promise.all(files.map(async (name) => ((await stat(join(server.dataDir, name))).mode & 0o777).toString(8)));
    const expected = ['700', '600', '600', '600'];
    await expect.poll(rights).toEqual(expected);
    await server.kill();
    await chmod(server.dataDir, 0o755);
    for (const name of files.slice(1)) await chmod(join(server.dataDir, name), 0o644);
    await server.restart();
    await expect.poll(rights).toEqual(expected);
    await server.dispose();
  });

  test('says where it is, and warns when passwords would travel unencrypted', async () => {
    const local = await startServerProcess();
    await expect.poll(() => local.log()).toContain('"msg":"server.ready"');
    expect(local.log()).not.toContain('server.unencrypted');
    await local.dispose();
    const shared = await startServerProcess({ env: { HOST: '0.0.0.0', PUBLIC_URL: '' } });
    const { port } = new URL(shared.url);
    const devices = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    for (const { address } of devices.filter(({ family, internal }) => family === 'IPv4' && !internal))
      await expect.poll(() => shared.log()).toContain(`http://${address}:${port}`);
    await shared.dispose();
    const open = await startServerProcess({ env: { PUBLIC_URL: 'http://192.0.2.1:3000' } });
    await expect.poll(() => open.log().match(/server\.unencrypted/g)).toHaveLength(1);
    await open.dispose();
  });

  test('ends in order on SIGTERM, and goes on with its data', async () => {
    const server = await startServerProcess();
    expect(await server.stop()).toBe(0);
    await expect.poll(() => server.log()).toContain('server.closing');
    await server.restart();
    await server.dispose();
  });
});

/** How the process ends: after a bug, with a closed log, without a database. */
describe('last resort', () => {
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
});

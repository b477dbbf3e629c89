import { socketPath } from '@tunemate/protocol';
import { join } from 'node:path';
import { connect as connectPerson, inWaves, makePeople } from '@tunemate/testkit/worlds/crowd';
import type { Person } from '@tunemate/testkit/worlds/people';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { type RudeReport, visitRudely } from '@tunemate/testkit/fuzz/rude';
import { seededRandom } from '@tunemate/testkit/seeded-ids';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

/** Asks for an upgrade, then breaks the connection with a reset after `afterMs`. */
async function resetUpgrade(port: number, path: string, protocol: string, afterMs: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const lines = [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: Upgrade', `Upgrade: ${protocol}`];
  const key = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
  socket.write(`${[...lines, ...key].join('\r\n')}\r\n\r\n`);
  await pause(afterMs);
  socket.resetAndDestroy();
}

const visits = 400;
const atOnce = 25;

const socketStages = [
  'upgrade before 101',
  'upgrade after 101',
  'within a word',
  'within hello',
  'during hello',
  'within a request',
  'during a request',
  'after a request',
  'within a farewell',
];
const httpStages = [
  'before a byte',
  'within the request line',
  'within the headers',
  'within the body',
  'waiting for the answer',
  'reading the answer',
];

describe('rude connections', () => {
  test('an upgrade request that is reset before its answer does not end the server (WIRE-46)', async () => {
    const server = await startServerProcess();
    const port = Number(new URL(server.url).port);
    for (const path of ['/x', socketPath, '/socket.io/?EIO=4&transport=websocket', '/api/session'])
      for (const protocol of ['websocket', 'h2c'])
        for (const afterMs of [0, 5, 150, 600]) await resetUpgrade(port, path, protocol, afterMs);
    await pause(300);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(server.log()).not.toContain('server.failed');
    await server.dispose();
  });

  test('hundreds of connections that break in every way at every stage do not affect others', async () => {
    await using data = await makeTempDir('rude');
    const [rude, mara] = (await makePeople(`sqlite:${join(data.path, 'tunemate.sqlite')}`, 2)) as [Person, Person];
    const server = await startServerProcess({ dataDir: data.path, env: { RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'warn' } });
    const member = await connectPerson(server.url, mara);
    const target = { port: Number(new URL(server.url).port), origin: server.url, cookie: rude.cookie };
    const reports: RudeReport[] = await inWaves([...Array(visits).keys()], atOnce, (seed) =>
      visitRudely(target, seededRandom(seed)),
    );

    // Earlier and new connections are still served.
    await member.ask('chats/list', {});
    const next = await connectPerson(server.url, mara);
    for (const { line } of [member, next]) line.disconnect();
    expect(server.log().match(/^.*"level":50.*$/m)?.[0]).toBeUndefined();
    // A client that disconnects during an upload is not logged as a database failure.
    expect(server.log()).not.toContain('database.unreachable');
    expect(await server.stop()).toBe(0);
    await server.dispose();

    const reached = new Set(reports.filter(({ wasReached }) => wasReached).map(({ stage }) => stage));
    expect([...socketStages, ...httpStages].filter((stage) => !reached.has(stage))).toEqual([]);
  }, 120_000);
});

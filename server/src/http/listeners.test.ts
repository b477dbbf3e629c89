/** Several listeners on one port: how many connections a turn of the event loop accepts, and a port that is taken. */
import { connect, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLog } from '../system/logging.ts';
import { createHttpServer, listening } from './http-server.ts';
import { createOrigins } from './address.ts';

const host = '127.0.0.1';
const create = () =>
  createHttpServer({ log: createLog('silent'), origins: createOrigins(readConfig({})), connectTo: [] });

test('a crowd that connects at once is accepted several connections a turn', async () => {
  const http = create();
  const { listen, close } = listening(http);
  await listen({ port: 0, host });
  const { port } = http.server.address() as AddressInfo;
  const crowd = Array.from({ length: 96 }, () => connect({ port, host }));
  const turns = new Set<number>();
  let turn = 0;
  let accepted = 0;
  http.server.on('connection', () => {
    accepted += 1;
    turns.add(turn);
  });
  while (accepted < crowd.length) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    turn += 1;
  }
  expect(turns.size).toBeLessThan(crowd.length / 2);
  for (const socket of crowd) socket.destroy();
  await close();
});

test('a port that another server of the same user has is refused', async () => {
  const [http, other] = [create(), create()];
  const first = listening(http);
  await first.listen({ port: 0, host });
  const { port } = http.server.address() as AddressInfo;
  await expect(listening(other).listen({ port, host })).rejects.toMatchObject({
    message: 'http.not-listening',
    cause: { code: 'EADDRINUSE' },
  });
  await Promise.all([first.close(), other.close()]);
});

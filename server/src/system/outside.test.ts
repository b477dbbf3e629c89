/** Calls to servers outside that share a host with one that the operator's own settings allow. */
import { createServer, globalAgent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { callOutside } from './outside.ts';

/** Encryption by a key that both sides know: needs no certificate. */
const key = Buffer.alloc(16, 7);
const encryption = { ciphers: 'PSK', maxVersion: 'TLSv1.2' } as const;

test('a connection that is kept for the operator’s server is not used for an address that a person chose', async () => {
  const served: string[] = [];
  const server = createServer({ ...encryption, pskCallback: () => key }, (request, response) => {
    served.push(request.url ?? '');
    response.end('inside');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const before = { ...globalAgent.options };
  const trusted = { pskCallback: () => ({ psk: key, identity: 'test' }), checkServerIdentity: () => undefined };
  Object.assign(globalAgent.options, encryption, trusted);
  try {
    const { port } = server.address() as AddressInfo;
    const call = (path: string, isOperators: boolean) =>
      callOutside(new URL(`https://localhost:${String(port)}/${path}`), {
        ...{ method: 'GET', headers: {}, withinMs: 5000, mostBytes: 100, isOperators },
      });
    expect((await call('operators', true)).body).toBe('inside');
    // Once the connection is idle again.
    await new Promise(setImmediate);
    await expect(call('somebodys', false)).rejects.toThrow('localhost resolves to a private network');
    expect((await call('operators', true)).body).toBe('inside');
    expect(served).toEqual(['/operators', '/operators']);
  } finally {
    Object.assign(globalAgent.options, { ciphers: undefined, maxVersion: undefined }, before);
    delete globalAgent.options.pskCallback;
    delete globalAgent.options.checkServerIdentity;
    globalAgent.destroy();
    server.closeAllConnections();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  }
});

test.each(['https://127.0.0.1/', 'https://[::1]/', 'https://2130706433/', 'https://169.254.169.254/'])(
  '%s is refused before anything is sent, unless the operator set it',
  async (address) => {
    const call = { method: 'GET', headers: {}, withinMs: 5000, mostBytes: 100 } as const;
    await expect(callOutside(new URL(address), call)).rejects.toThrow('is of a private network');
  },
);

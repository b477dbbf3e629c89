/** Calls to servers outside that share a host with one that the operator's own settings allow. */
import { createHook } from 'node:async_hooks';
import { createServer, globalAgent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { callOutside, publicLine } from './outside.ts';

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
    await expect(call('somebodys', false)).rejects.toThrow('the name has no address');
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

test('a name that leads into a private network is not connected to', async () => {
  const line = { ...publicLine(), resolve: () => Promise.resolve(['8.8.8.8', '10.0.0.7']) };
  const call = { method: 'GET', headers: {}, withinMs: 5000, mostBytes: 100, line } as const;
  await expect(callOutside(new URL('https://push.example.org/'), call)).rejects.toThrow(
    'the name resolves to a private network',
  );
});

test('a name that a person chose is not looked up in the few threads that files, passwords and other names need', async () => {
  let inThreads = 0;
  const looking = createHook({ init: (_id, type) => void (inThreads += Number(type === 'GETADDRINFOREQWRAP')) });
  const call = { method: 'GET', headers: {}, withinMs: 5000, mostBytes: 100 } as const;
  looking.enable();
  try {
    await expect(callOutside(new URL('https://nobody.invalid/'), call)).rejects.toThrow();
    expect(inThreads).toBe(0);
    await expect(callOutside(new URL('https://localhost:1/'), { ...call, isOperators: true })).rejects.toThrow();
    expect(inThreads).toBe(1);
  } finally {
    looking.disable();
  }
});

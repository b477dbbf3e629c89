/** Calls to servers outside that share a host with one that the operator's own settings allow. */
import { createHook } from 'node:async_hooks';
import { createServer, globalAgent } from 'node:https';
import { type AddressInfo, createServer as createPlainServer, type Socket } from 'node:net';
import { freePort } from '@tunemate/testkit/services/free-port';
import { createTransport } from 'nodemailer';
import { expect, test } from 'vitest';
import { adviceOn, callOutside, causeOf, type OutsideCause, publicLine, reasonOf } from './outside.ts';

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

/** What a server of these manners makes of a call. */
async function failureAt(manner: (socket: Socket) => void, ask: (port: number) => Promise<unknown>): Promise<unknown> {
  const open = new Set<Socket>();
  const server = createPlainServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    manner(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await ask((server.address() as AddressInfo).port).catch((error: unknown) => error);
  } finally {
    for (const socket of open) socket.destroy();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  }
}
const at = (scheme: string) => (port: number) => fetch(`${scheme}://127.0.0.1:${String(port)}/`);
const called = (scheme: string) => (port: number) =>
  callOutside(new URL(`${scheme}://127.0.0.1:${String(port)}/`), {
    ...{ method: 'GET', headers: {}, withinMs: 5000, mostBytes: 100, isOperators: true },
  });
const mailed = (scheme: string) => (port: number) =>
  createTransport({ url: `${scheme}://music:wrong@127.0.0.1:${String(port)}`, connectionTimeout: 5000 }).verify();

const closes = (socket: Socket) => void socket.end();
/** A TLS server that is spoken to without TLS answers with an alert. */
const alerts = (socket: Socket) => void socket.once('data', () => socket.end(Buffer.from('15030300020250', 'hex')));
const greets = (socket: Socket) => {
  socket.write('220 mail.example.org ESMTP\r\n');
  socket.on('data', (line) => {
    const said = line.toString();
    if (said.startsWith('EHLO')) socket.write('250-mail.example.org\r\n250 AUTH PLAIN LOGIN\r\n');
    else if (said.startsWith('AUTH')) socket.write('535 5.7.8 Username and Password not accepted\r\n');
    else socket.write('250 OK\r\n');
  });
};

test.each<[string, OutsideCause, (socket: Socket) => void, (port: number) => Promise<unknown>]>([
  ['an http address of a port that speaks TLS', 'plain', alerts, at('http')],
  ['the same, of the server of listens', 'plain', alerts, called('http')],
  ['a port that closes each connection at once', 'plain', closes, called('http')],
  ['the same by https', 'tls', closes, at('https')],
  ['an https address of a mail server', 'tls', greets, at('https')],
  ['a mail server that speaks no TLS, by smtps', 'tls', greets, mailed('smtps')],
  ['a mail server that does not accept the password', 'account', greets, mailed('smtp')],
  ['a mail server that closes each connection at once', 'plain', closes, mailed('smtp')],
  [
    'a web server in place of a mail server',
    'plain',
    (socket) => void socket.end('HTTP/1.1 400 No\r\n\r\n'),
    mailed('smtp'),
  ],
  [
    'a mail server that waits to be spoken to in TLS',
    'plain',
    () => undefined,
    (port) => createTransport({ url: `smtp://127.0.0.1:${String(port)}`, greetingTimeout: 100 }).verify(),
  ],
])('%s fails for a cause that is known: %s', async (_name, cause, manner, ask) => {
  expect(causeOf(await failureAt(manner, ask))).toBe(cause);
});

test.each<[string, OutsideCause, () => Promise<unknown>]>([
  ['a mail server that is not running', 'port', async () => mailed('smtp')(await freePort())],
  ['the same by smtps', 'port', async () => mailed('smtps')(await freePort())],
  [
    'a music server that is not running, by a name of two addresses',
    'port',
    async () => fetch(`http://localhost:${String(await freePort())}`),
  ],
  ['a port that is refused to browsers too', 'reserved', () => fetch('http://127.0.0.1:6000/')],
  ['a mail server of an unknown name', 'name', () => createTransport({ url: 'smtp://mail.invalid' }).verify()],
])('%s fails for a cause that is known: %s', async (_name, cause, ask) => {
  expect(causeOf(await ask().catch((error: unknown) => error))).toBe(cause);
});

/** As systems and TLS name what no test can have here. */
test.each<[string, OutsideCause]>([
  ['CERT_HAS_EXPIRED', 'certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate'],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'tls'],
  ['EAI_AGAIN', 'name'],
  ['EHOSTUNREACH', 'network'],
  ['ENETUNREACH', 'network'],
  ['ETIMEDOUT', 'network'],
  ['UND_ERR_CONNECT_TIMEOUT', 'network'],
])('%s is told as %s', (code, cause) => {
  const failure = new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });
  expect([causeOf(failure), reasonOf(failure).advice]).toEqual([cause, adviceOn[cause]]);
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { startBalancer } from './balancer.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

interface Small {
  readonly url: string;
  readonly server: Server;
  /** Open sockets. */
  readonly sockets: () => number;
  isReady: boolean;
  end(): void;
}

/** A server that answers every request and every frame with its name and the visitor's address. */
async function startSmall(name: string): Promise<Small> {
  const server = createServer((request, response) => {
    const isAsked = request.url === '/readyz';
    response
      .writeHead(isAsked && !small.isReady ? 503 : 200)
      .end(`${name} ${String(request.headers['x-forwarded-for'])}`);
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, request) => {
    socket.on('error', () => undefined);
    socket.on('message', () => socket.send(`${name} ${String(request.headers['x-forwarded-for'])}`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = () => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    server.close();
  };
  ends.push(end);
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const small: Small = { url, server, sockets: () => sockets.clients.size, isReady: true, end };
  return small;
}

async function balanced(names: readonly string[]) {
  const smalls = await Promise.all(names.map(startSmall));
  const balancer = await startBalancer({ servers: smalls.map(({ url }) => url) });
  ends.push(() => balancer.stop());
  /** Who answers the next requests; they claim to come from elsewhere. */
  const answers = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const response = await fetch(balancer.url, { headers: { 'x-forwarded-for': '203.0.113.9' } });
        return await response.text();
      }),
    );
  const open = async () => {
    const socket = new WebSocket(balancer.url.replace('http', 'ws'), { headers: { 'x-forwarded-for': '203.0.113.9' } });
    socket.on('error', () => undefined);
    await once(socket, 'open');
    ends.push(() => socket.terminate());
    return {
      socket,
      ask: async () => {
        socket.send('who');
        const [data] = (await once(socket, 'message')) as [Buffer];
        return data.toString();
      },
    };
  };
  return { smalls, balancer, answers, open };
}

test('requests and sockets go to the servers in turn, with the visitor’s own address', async () => {
  const { answers, open } = await balanced(['a', 'b', 'c']);
  expect((await answers(6)).sort()).toEqual(['a', 'a', 'b', 'b', 'c', 'c'].map((name) => `${name} 127.0.0.1`));
  const asked = [await (await open()).ask(), await (await open()).ask(), await (await open()).ask()];
  expect(asked.sort()).toEqual(['a 127.0.0.1', 'b 127.0.0.1', 'c 127.0.0.1']);
});

test('a server that has gone, or says that it is not ready, is passed over until it is back', async () => {
  const { smalls, balancer, answers } = await balanced(['a', 'b']);
  const [a, b] = smalls as [Small, Small];
  a.server.closeAllConnections();
  const { port } = a.server.address() as AddressInfo;
  a.server.close();
  await once(a.server, 'close');
  // A page that comes before the balancer has looked again notices nothing.
  expect(await answers(4)).toEqual(Array.from({ length: 4 }, () => 'b 127.0.0.1'));
  a.server.listen(port, '127.0.0.1');
  await expect.poll(() => balancer.ready()).toHaveLength(2);
  b.isReady = false;
  await expect.poll(() => balancer.ready()).toEqual([a.url]);
  expect(await answers(2)).toEqual(['a 127.0.0.1', 'a 127.0.0.1']);
});

test('without any server the balancer answers 503, and takes visitors again when one is back', async () => {
  const { smalls, balancer, answers } = await balanced(['a']);
  const [a] = smalls as [Small];
  const { port } = a.server.address() as AddressInfo;
  a.server.closeAllConnections();
  a.server.close();
  await once(a.server, 'close');
  expect((await fetch(balancer.url)).status).toBe(503);
  a.server.listen(port, '127.0.0.1');
  expect(await answers(1)).toEqual(['a 127.0.0.1']);
});

test('a balancer that is killed breaks every connection, and takes new ones after its restart', async () => {
  const { balancer, open, answers } = await balanced(['a']);
  const { socket, ask } = await open();
  expect(await ask()).toBe('a 127.0.0.1');
  const closed = once(socket, 'close');
  await balancer.kill();
  await closed;
  await expect(fetch(balancer.url)).rejects.toThrow();
  await balancer.restart();
  expect(await answers(1)).toEqual(['a 127.0.0.1']);
});

test('a socket ends with its server, and its server hears when the visitor ends it', async () => {
  const { smalls, open } = await balanced(['a']);
  const [a] = smalls as [Small];
  const first = await open();
  const second = await open();
  await expect.poll(a.sockets).toBe(2);
  first.socket.terminate();
  await expect.poll(a.sockets).toBe(1);
  const closed = once(second.socket, 'close');
  a.end();
  await closed;
});

test('a visitor who offers another protocol than WebSocket is answered over HTTP', async () => {
  const { balancer } = await balanced(['a']);
  const socket = connect(Number(new URL(balancer.url).port), '127.0.0.1');
  ends.push(() => socket.destroy());
  const offered = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'];
  socket.write(['GET / HTTP/1.1', 'Host: localhost', ...offered, '', ''].join('\r\n'));
  const [answer] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [unknown];
  expect(String(answer)).toContain('HTTP/1.1 200 OK');
});

/** A link over a real socket: its frames, and what it knows of a client that does not read. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket as NetSocket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { Link, type LinkEnd, textFrame } from './link.ts';

let link: Link;
let client: WebSocket;
let ends: LinkEnd[];
let received: string[];
let close: () => void;
beforeEach(async () => {
  const http = createServer();
  const websockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const opened = new Promise<Link>((resolve) => {
    http.on('upgrade', (request, net, head) => {
      websockets.handleUpgrade(request, net, head, (websocket) => {
        resolve(new Link(websocket, net as NetSocket, { session: { uid: 'u', sessionId: 's' }, address: '' }));
      });
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  client = new WebSocket(`ws://127.0.0.1:${String((http.address() as AddressInfo).port)}`);
  received = [];
  client.on('message', (data: Buffer) => received.push(data.toString()));
  link = await opened;
  await once(client, 'open');
  ends = [];
  link.listen({ onRequest: () => undefined, onEnd: (end) => ends.push(end) });
  close = () => {
    client.terminate();
    link.terminate();
    http.close();
  };
});
afterEach(() => close());

test.each([0, 1, 125, 126, 127, 65_535, 65_536, 300_000])('a frame of %i bytes arrives as it is', async (bytes) => {
  const text = 'x'.repeat(bytes);
  link.send(textFrame(text));
  link.send(textFrame('behind it'));
  await expect.poll(() => received.length).toBe(2);
  expect(received[0] === text).toBe(true);
});

test('a frame holds any text, and one frame may be sent again and again', async () => {
  const frame = textFrame('ü 😀 \u0000 \u2028');
  for (let times = 0; times < 3; times += 1) link.send(frame);
  await expect.poll(() => received).toEqual(Array.from({ length: 3 }, () => 'ü 😀 \u0000 \u2028'));
});

/** Fills the buffers between server and client. */
async function fill(): Promise<number> {
  client.pause();
  const frame = textFrame('x'.repeat(100_000));
  let sent = 0;
  while (link.unsent.frames < 5) {
    link.send(frame);
    sent += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return sent;
}

test('what a client does not read is counted, and time runs until it reads something (WIRE-25)', async () => {
  expect([link.unsent, link.stuckMs]).toEqual([{ bytes: 0, frames: 0 }, null]);
  const sent = await fill();
  expect(link.unsent.bytes).toBeGreaterThan(400_000);
  const before = link.stuckMs ?? -1;
  await new Promise((resolve) => setTimeout(resolve, 5));
  const after = link.stuckMs ?? -1;
  expect([before >= 0, after > before]).toEqual([true, true]);
  client.resume();
  await link.flushed();
  expect([link.unsent, link.stuckMs]).toEqual([{ bytes: 0, frames: 0 }, null]);
  await expect.poll(() => received.length).toBe(sent);
});

test('waiting for a client that does not read ends when it is ended, and nothing is sent after that', async () => {
  await fill();
  const waiting = link.flushed();
  link.terminate();
  await waiting;
  link.send(textFrame('too late'));
  await link.flushed();
  expect([link.isOpen, ends]).toEqual([false, ['lost']]);
});

test('a closed link has ended at once and for one reason, and its client gets what was sent before', async () => {
  link.send(textFrame('last'));
  link.close();
  expect([link.isOpen, ends]).toEqual([false, ['closed']]);
  client.send('bye');
  await once(client, 'close');
  link.terminate('silent');
  expect([received, ends]).toEqual([['last'], ['closed']]);
});

test('a client that only closes its own half of the connection is lost', async () => {
  (client as unknown as { _socket: NetSocket })._socket.end();
  await expect.poll(() => ends).toEqual(['lost']);
});

/** A client that sends requests and does not read: socket server and connections alone, with answers of any size. */
import { protocolVersion, type Uid, writeRequest } from '@tunemate/protocol';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRawSocket, type RawSocket } from '@tunemate/testkit/network/raw-socket';
import type { Caller } from '../access/caller.ts';
import { createLog } from '../system/logging.ts';
import { accept } from '../system/ports.ts';
import { helloAdmission } from './connection.ts';
import { Hub } from './hub.ts';
import { createSocketServer } from './socket-server.ts';
import { createTurns } from './turns.ts';

const large = 'x'.repeat(1024 * 1024);
const longAnswers = new Set(['rooms/enter', 'catalogue/search']);
const url = 'http://localhost';
const log = createLog('silent');

let served: string[];
let target: { url: string; app: { port: number } };
let left: number;
let hub: Hub;
let close: () => Promise<void>;
beforeEach(async () => {
  served = [];
  left = 0;
  const http = createServer();
  const sockets = createSocketServer(http, {
    isOwnOrigin: (origin) => origin === url,
    networkOf: () => '127.0.0.1',
    bareAnswer: () => '',
    sessionOfCookie: () => Promise.resolve({ status: 'signed-in', uid: 'ivo' as Uid, sessionId: 's' }),
    mayConnect: () => Promise.resolve(true),
    limitScale: 3,
  });
  hub = new Hub(sockets, log, () => undefined);
  const deps = {
    probe: () => null,
    dispatch: (_caller: Caller, name: string) => {
      served.push(name);
      return Promise.resolve({
        result: { ok: true as const, value: longAnswers.has(name) ? large : {} },
        isViolation: false,
      });
    },
    log,
    limitScale: 3,
    mostTogether: 1,
    admission: helloAdmission(),
    opened: () => Promise.resolve(accept({})),
    closed: () => Promise.resolve(void (left += 1)),
  };
  hub.open(deps, createTurns(3));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  target = { url, app: { port: (http.address() as AddressInfo).port } };
  close = async () => {
    await hub.close({ code: 'server/unavailable' });
    http.close();
  };
});
afterEach(() => close());

const answers = (socket: RawSocket) => socket.answers().map((frame) => Number(/^\[(\d+)/.exec(frame)?.[1]));

async function greeted(): Promise<RawSocket> {
  const socket = await openRawSocket(target, { origin: url });
  socket.send(writeRequest(0, 'session/hello', { protocolVersion, tabId: randomUUID() }));
  await expect.poll(() => answers(socket)).toEqual([0]);
  return socket;
}

/** Requests of a page that reads, one after the other: by then the server has looked at what others asked before. */
async function goRound(witness: RawSocket): Promise<void> {
  const before = answers(witness).length;
  for (let n = 0; n < 30; n += 1) {
    witness.send(writeRequest(n, 'clock/probe', {}));
    await expect.poll(() => answers(witness)).toHaveLength(before + n + 1);
  }
}

test('a client that does not read is served nothing more until it reads, then everything in order (WIRE-48)', async () => {
  const witness = await greeted();
  const raw = await greeted();
  raw.stopReading();
  const asked = Array.from({ length: 40 }, (_, n) => n + 1);
  for (const id of asked) raw.send(writeRequest(id, 'rooms/enter', {}));
  await expect.poll(() => served.filter((name) => name === 'rooms/enter').length).toBeGreaterThan(0);
  await goRound(witness);
  expect(served.filter((name) => name === 'rooms/enter').length).toBeLessThan(asked.length);
  raw.readAgain();
  await expect.poll(() => answers(raw)).toEqual([0, ...asked]);
  raw.end();
  witness.end();
});

test('searches, which wait for no other request, wait for the client to read as well (WIRE-48)', async () => {
  const witness = await greeted();
  const raw = await greeted();
  raw.stopReading();
  const asked = Array.from({ length: 60 }, (_, n) => n + 1);
  for (const id of asked) raw.send(writeRequest(id, 'catalogue/search', {}));
  await expect.poll(() => served.includes('catalogue/search')).toBe(true);
  await goRound(witness);
  // Those that had begun when the network took no more.
  expect(hub.load().unsentBytes).toBeLessThan(8 * large.length);
  raw.readAgain();
  await expect.poll(() => answers(raw).toSorted((a, b) => a - b)).toEqual([0, ...asked]);
  raw.end();
  witness.end();
});

test('a hundred requests of a client that does not read are queued; more are refused with a time to wait (WIRE-48)', async () => {
  const raw = await greeted();
  raw.stopReading();
  for (let id = 1; id <= 150; id += 1) raw.send(writeRequest(id, 'rooms/enter', {}));
  raw.readAgain();
  await expect.poll(() => answers(raw).length).toBe(151);
  const refused = raw.received.filter((frame) => frame.includes('limit/too-many'));
  expect(refused.length).toBeGreaterThan(0);
  expect(served.filter((name) => name === 'rooms/enter')).toHaveLength(150 - refused.length);
  raw.end();
});

test('queued requests of a client that was disconnected for not reading are dropped (WIRE-48)', async () => {
  const witness = await greeted();
  const raw = await greeted();
  raw.stopReading();
  for (let id = 1; id <= 40; id += 1) raw.send(writeRequest(id, 'rooms/enter', {}));
  await goRound(witness);
  hub.dropStalled();
  await expect.poll(() => left).toBe(1);
  await goRound(witness);
  expect(served.filter((name) => name === 'rooms/enter').length).toBeLessThan(40);
  witness.end();
});

test('of what a client asked before it left, the server does what changes something and reads nothing more', async () => {
  const witness = await greeted();
  const raw = await greeted();
  raw.stopReading();
  for (let id = 1; id <= 80; id += 1) raw.send(writeRequest(id, 'rooms/enter', {}));
  raw.send(writeRequest(81, 'rooms/sendMessage', {}));
  await goRound(witness);
  const before = served.length;
  raw.end();
  await expect.poll(() => served).toContain('rooms/sendMessage');
  expect(served.slice(before).filter((name) => name === 'rooms/enter').length).toBeLessThan(5);
  witness.end();
});

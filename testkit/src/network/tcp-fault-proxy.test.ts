import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seededRandom } from '../seeded-ids.ts';
import { startTcpFaultProxy, type TcpFaultProxy } from './tcp-fault-proxy.ts';

describe('a line with faults', () => {
  let echo: Server;
  let proxy: TcpFaultProxy;
  beforeEach(async () => {
    echo = createServer((socket) => socket.on('error', () => socket.destroy()).pipe(socket));
    echo.listen(0, '127.0.0.1');
    await once(echo, 'listening');
    proxy = await startTcpFaultProxy({ targetPort: (echo.address() as AddressInfo).port, random: seededRandom(1) });
  });
  afterEach(async () => {
    await proxy.stop();
    echo.close();
  });

  const open = async (): Promise<Socket> => {
    const socket = dial();
    await once(socket, 'connect');
    return socket;
  };
  const dial = () => {
    const socket = connect(proxy.port, '127.0.0.1');
    socket.on('error', () => socket.destroy());
    return socket;
  };
  const receive = async (socket: Socket, bytes: number): Promise<string> => {
    let text = '';
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      text += String(chunk);
      if (text.length >= bytes) return text;
    }
    return text;
  };

  test('keeps the order of bytes under delay and jitter', async () => {
    proxy.setDelay(2, 10);
    const socket = await open();
    const sent = Array.from({ length: 50 }, (_, i) => `${i};`).join('');
    for (const piece of sent.match(/.{1,7}/g) ?? []) socket.write(piece);
    expect(await receive(socket, sent.length)).toBe(sent);
  });

  test('adds its delay each way', async () => {
    proxy.setDelay(40);
    const socket = await open();
    const sentAt = performance.now();
    socket.write('x');
    await receive(socket, 1);
    expect(performance.now() - sentAt).toBeGreaterThanOrEqual(80);
  });

  test('holds everything while stalled and hands it over afterwards', async () => {
    const socket = await open();
    socket.write('a');
    expect(await receive(socket, 1)).toBe('a');
    proxy.stall();
    proxy.setDelay(0);
    socket.write('b');
    const heard = receive(socket, 1);
    await expect(Promise.race([heard, oneRoundTripElsewhere()])).resolves.toBe('nothing yet');
    proxy.resume();
    expect(await heard).toBe('b');
  });

  test('resets open connections when cut, and refuses new ones only while closed', async () => {
    const socket = await open();
    socket.write('a');
    await receive(socket, 1);
    const end = howItEnds(socket);
    proxy.close();
    expect(await end).toBe('ECONNRESET');
    expect(proxy.openConnections()).toBe(0);
    expect(await howItEnds(dial())).toBe('ECONNRESET');
    proxy.reopen();
    const again = await open();
    again.write('b');
    expect(await receive(again, 1)).toBe('b');
  });

  test('passes a goodbye on', async () => {
    const socket = await open();
    socket.end('last words');
    expect(await receive(socket, 100)).toBe('last words');
  });

  /** The code of the error that ends a connection, or undefined for a goodbye. */
  function howItEnds(socket: Socket): Promise<string | undefined> {
    return new Promise((resolve) => {
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
      socket.once('close', () => resolve(undefined));
    });
  }

  /** Long enough for a byte to have come back, had the line not been stalled. */
  async function oneRoundTripElsewhere(): Promise<string> {
    const direct = connect((echo.address() as AddressInfo).port, '127.0.0.1');
    direct.write('x'.repeat(1000));
    await receive(direct, 1000);
    direct.destroy();
    return 'nothing yet';
  }
});

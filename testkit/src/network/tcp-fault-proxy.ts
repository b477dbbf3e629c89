/**
 * A TCP proxy that makes a network as bad as a test needs: slow, uneven, silent, cut or gone.
 * Decides which connections live; what their bytes go through is in `fault-line.ts`.
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { carry, createFaultLine, type FaultLine } from './fault-line.ts';

/** Where the proxy leads, and the dice for its jitter. */
export interface TcpFaultProxyOptions {
  readonly targetPort: number;
  /** From 0 up to but not 1. Seed it to see the same run again. */
  readonly random?: () => number;
}

/** One bad line. Each fault holds for open connections and new ones until it is taken back. */
export interface TcpFaultProxy extends Pick<FaultLine, 'setDelay' | 'stall' | 'resume'> {
  readonly port: number;
  /** Breaks every open connection now (reset, without a goodbye). New ones pass. */
  cut(): void;
  /** `cut`, and breaks every new connection too until `reopen`. */
  close(): void;
  reopen(): void;
  /**
   * Once: the connection over which the client next sends something that has `words` in it is cut when the answer comes,
   * and the answer is lost.
   */
  loseAnswerTo(words: string): void;
  openConnections(): number;
  stop(): Promise<void>;
}

/** Starts a proxy on a free port of 127.0.0.1. */
export async function startTcpFaultProxy({
  targetPort,
  random = Math.random,
}: TcpFaultProxyOptions): Promise<TcpFaultProxy> {
  const line = createFaultLine(random);
  const pairs = new Set<readonly [Socket, Socket]>();
  let closed = false;
  /** What is waited for, and then the connection whose next answer is lost. */
  let trap: string | null = null;
  let trapped: readonly [Socket, Socket] | null = null;

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    if (closed) {
      client.resetAndDestroy();
      return;
    }
    const target = connect({ host: '127.0.0.1', port: targetPort, allowHalfOpen: true, noDelay: true });
    const pair = [client, target] as const;
    pairs.add(pair);
    const part = () => {
      pairs.delete(pair);
      client.destroy();
      target.destroy();
    };
    client.on('data', (chunk: Buffer) => {
      if (trap === null || !chunk.includes(trap)) return;
      trap = null;
      trapped = pair;
    });
    target.prependListener('data', () => {
      if (trapped !== pair) return;
      trapped = null;
      pairs.delete(pair);
      client.resetAndDestroy();
      target.resetAndDestroy();
    });
    carry(client, target, line, part);
    carry(target, client, line, part);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const cut = () => {
    for (const [client, target] of pairs) {
      client.resetAndDestroy();
      target.resetAndDestroy();
    }
    pairs.clear();
  };
  return {
    port: (server.address() as AddressInfo).port,
    setDelay: (delayMs, jitterMs) => line.setDelay(delayMs, jitterMs),
    stall: () => line.stall(),
    resume: () => line.resume(),
    cut,
    close() {
      closed = true;
      cut();
    },
    reopen() {
      closed = false;
    },
    loseAnswerTo(words) {
      trap = words;
    },
    openConnections: () => pairs.size,
    async stop() {
      cut();
      line.resume();
      const ended = once(server, 'close');
      server.close();
      await ended;
    },
  };
}

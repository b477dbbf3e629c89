/** Measures the unsent data of a connection. */

/** The transport below Socket.IO: its unsent data, and the only way to end it when the client does not read. */
export interface Engine {
  readonly readyState: string;
  readonly writeBuffer: readonly { data?: string; options?: { wsPreEncodedFrame?: { length: number }[] } }[];
  readonly transport: {
    readonly socket?: { readonly bufferedAmount: number; terminate(): void };
    /** True when the operating system has taken all data. */
    once(event: 'drain', listener: () => void): unknown;
    off(event: 'drain', listener: () => void): unknown;
  };
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/** With more unsent data than this the next request is not served. */
const maxWaitingToServe = 256 * 1024;

export const engineOf = (socket: { conn: object }): Engine => socket.conn as unknown as Engine;

export function waitingIn({ writeBuffer, transport }: Engine): { bytes: number; packets: number } {
  let bytes = transport.socket?.bufferedAmount ?? 0;
  for (const { data, options } of writeBuffer) {
    const frame = options?.wsPreEncodedFrame;
    bytes += frame ? frame.reduce((sum, part) => sum + part.length, 0) : (data?.length ?? 0);
  }
  return { bytes, packets: writeBuffer.length };
}

export const mayBeServed = (engine: Engine): boolean =>
  engine.readyState !== 'open' || waitingIn(engine).bytes <= maxWaitingToServe;

/** Resolves when the client has read enough to be served again, or has disconnected. */
export async function untilRead(engine: Engine): Promise<void> {
  while (!mayBeServed(engine)) await untilDrained(engine);
}

/** Resolves when the operating system has everything, or the client has disconnected. */
export async function untilSent(engine: Engine): Promise<void> {
  while (engine.readyState === 'open' && engine.writeBuffer.length > 0) await untilDrained(engine);
}

function untilDrained(engine: Engine): Promise<void> {
  return new Promise((resolve) => {
    const { transport } = engine;
    const done = () => {
      transport.off('drain', done);
      engine.off('close', done);
      resolve();
    };
    transport.once('drain', done);
    engine.once('close', done);
  });
}

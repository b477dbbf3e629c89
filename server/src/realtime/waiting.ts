/** What waits in a connection for its peer to read it. */

/** A connection below Socket.IO: what waits in it, and the only way to end it when it takes nothing. */
export interface Engine {
  readonly readyState: string;
  readonly writeBuffer: readonly { data?: string; options?: { wsPreEncodedFrame?: { length: number }[] } }[];
  readonly transport: {
    readonly socket?: { readonly bufferedAmount: number; terminate(): void };
    /** The system has taken everything that was handed over. */
    once(event: 'drain', listener: () => void): unknown;
    off(event: 'drain', listener: () => void): unknown;
  };
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/** A connection that lets more than this wait is not served its next request. */
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

/** Resolves when the peer has read enough to be served again, or is gone. */
export async function untilRead(engine: Engine): Promise<void> {
  while (!mayBeServed(engine)) {
    await new Promise<void>((resolve) => {
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
}

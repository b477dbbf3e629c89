/**
 * The doorbell between processes: "these streams grew" and passing news. Never the record: what it loses is found in the
 * database. With one process it is a plain call; with REDIS_URL it also rings the others.
 */
import type { EphemeralEvent, RoomId, StreamId, Uid } from '@tunemate/protocol';
import { createClient } from 'redis';
import { Failure, type Log } from '../ports.ts';

/** What processes tell each other without keeping it. */
export type DoorbellMessage =
  | { type: 'streams-grown'; streams: StreamId[] }
  /** What others see of this person, name or presence, has changed. */
  | { type: 'shown'; uid: Uid }
  | { type: 'ephemeral'; to: StreamId; news: EphemeralEvent }
  | { type: 'ready'; roomId: RoomId; revision: number; connectionId: string };

export interface Doorbell {
  notify(message: DoorbellMessage): void;
  /** Called for rings of this process and of all others. */
  onNotification(listener: (message: DoorbellMessage) => void): void;
  /**
   * True while other processes can't be heard, and once after they can be again: then whoever asks looks for itself.
   */
  mayHaveMissed(): boolean;
  close(): Promise<void>;
}

/** Rings in this process only; `isAlone` says that there is no other one. */
export function localDoorbell({ isAlone }: { isAlone: boolean }): Doorbell {
  const listeners: ((message: DoorbellMessage) => void)[] = [];
  return {
    notify: (message) => listeners.forEach((listener) => listener(message)),
    onNotification: (listener) => void listeners.push(listener),
    mayHaveMissed: () => !isAlone,
    close: () => Promise.resolve(),
  };
}

const channel = 'tunemate:bell';

/** Several processes behind one Redis. A lost connection is taken up again by the client; meanwhile rings are missed. */
export async function redisDoorbell(url: string, processId: string, log: Log): Promise<Doorbell> {
  const local = localDoorbell({ isAlone: false });
  const socket = { reconnectStrategy: (tries: number) => Math.min(50 * 2 ** tries, 2000), connectTimeout: 3000 };
  // With the queue off a ring during an outage fails at once instead of arriving minutes late.
  const sender = createClient({ url, socket, disableOfflineQueue: true });
  const receiver = createClient({ url, socket });
  let hasMissed = false;
  const miss = (error: Error) => {
    if (!hasMissed) log.warn({ error: error.message }, 'doorbell.unreachable');
    hasMissed = true;
  };
  for (const client of [sender, receiver]) client.on('error', miss);
  try {
    await Promise.all([sender.connect(), receiver.connect()]);
    await receiver.subscribe(channel, (text) => {
      try {
        const { from, message } = JSON.parse(text) as { from: string; message: DoorbellMessage };
        if (from !== processId) local.notify(message);
      } catch (error) {
        // Thrown here, it would break the connection to Redis. What was missed is found by looking around.
        log.warn({ err: error }, 'doorbell.message-invalid');
      }
    });
  } catch (error) {
    throw new Failure('server/unavailable', 'doorbell.unreachable', error);
  }
  return {
    notify(message) {
      local.notify(message);
      const text = JSON.stringify({ from: processId, message });
      sender
        .publish(channel, text)
        .catch((error: Error) => log.debug({ error: error.message }, 'doorbell.message-lost'));
    },
    onNotification: (listener) => local.onNotification(listener),
    mayHaveMissed() {
      const isHearing = sender.isReady && receiver.isReady;
      const missed = hasMissed || !isHearing;
      if (missed && isHearing) log.info({}, 'doorbell.reachable-again');
      hasMissed = !isHearing;
      return missed;
    },
    async close() {
      await Promise.allSettled([sender.close(), receiver.close()]);
    },
  };
}

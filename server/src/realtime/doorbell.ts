/**
 * The doorbell between processes: notifications that streams have new entries, and ephemeral events. It carries no
 * entries: what it loses is found in the database. With one process it is a plain call; with REDIS_URL other processes
 * get it too.
 */
import type { EphemeralEvent, RoomId, StreamId, Uid } from '@tunemate/protocol';
import { Failure, type Log } from '../system/ports.ts';

/** Messages between processes, which are not stored. */
export type DoorbellMessage =
  | { type: 'streams-grown'; streams: StreamId[] }
  /** The name or presence of these people has changed. */
  | { type: 'shown'; uids: Uid[] }
  | { type: 'ephemeral'; to: StreamId; news: EphemeralEvent }
  | { type: 'ready'; roomId: RoomId; revision: number; connectionId: string };

export interface Doorbell {
  notify(message: DoorbellMessage): void;
  /** Called for notifications of this process and of all others. */
  onNotification(listener: (message: DoorbellMessage) => void): void;
  /**
   * True while the messages of other processes can't be received, and once after that: then the caller reads the
   * database.
   */
  mayHaveMissed(): boolean;
  close(): Promise<void>;
}

/** Notifies this process only; `mayHaveMissed` says whether others may have written. */
export function localDoorbell({ mayHaveMissed }: Pick<Doorbell, 'mayHaveMissed'>): Doorbell {
  const listeners: ((message: DoorbellMessage) => void)[] = [];
  return {
    notify: (message) => listeners.forEach((listener) => listener(message)),
    onNotification: (listener) => void listeners.push(listener),
    mayHaveMissed,
    close: () => Promise.resolve(),
  };
}

const channel = 'tunemate:doorbell';

/**
 * Several processes behind one Redis. The client reconnects by itself; meanwhile notifications are missed.
 */
export async function redisDoorbell(url: string, processId: string, log: Log): Promise<Doorbell> {
  // Not read by a server that is alone.
  const { createClient } = await import('@redis/client');
  const local = localDoorbell({ mayHaveMissed: () => true });
  const socket = { reconnectStrategy: (tries: number) => Math.min(50 * 2 ** tries, 2000), connectTimeout: 3000 };
  // Without the offline queue a notification during an outage fails at once instead of arriving minutes late.
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
        // An error thrown here would break the connection to Redis. A missed notification is found by polling.
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

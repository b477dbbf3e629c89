/**
 * Pushes news to people who have the app closed: only without any open connection, only to devices that subscribed and
 * are still signed in. Best effort: the news is also in the app.
 */
import type { PushNews, RoutePayload, Uid, Result } from '@tunemate/protocol';
import { createSlots } from '../access/slots.ts';
import { accept, type Clock, type Log, refuse } from '../system/ports.ts';
import type { StreamRecord } from '../storage/record.ts';
import { serviceOf, slotsOfPeople, slotsOfServices } from './in-flight.ts';
import { readPushAddress } from './push-address.ts';
import type { PushClient } from './push-client.ts';
import { allDevices, type Device, devicesOf, dropDevices, dropDevicesOf, saveDevice } from './push-store.ts';

type Nothing = Record<string, never>;

const devicesPerPerson = 10;

export interface PushDeps {
  record: StreamRecord;
  clock: Clock;
  log: Log;
  client: PushClient;
  /** Whether this person has a connection that is open now, on any process. */
  isConnected: (uid: Uid) => Promise<boolean>;
  /** Which of these sessions still hold. */
  liveSessions: (sessionIds: readonly string[]) => Promise<Set<string>>;
  /** Tests only: plain http to this machine. */
  allowLoopback: boolean;
}

export function pushService(deps: PushDeps) {
  const { record, log, client } = deps;
  const inFlight = new Map<string, Promise<void>>();
  const toPeople = createSlots(slotsOfPeople);
  const toServices = createSlots(slotsOfServices);

  /** Called after the commit. Returns at once; the same news twice at a time is sent once. */
  function notify(to: Uid, news: PushNews): void {
    const key = `${to} ${news.type} ${news.uid}`;
    if (inFlight.has(key)) return;
    const slot = toPeople.take(to);
    if (!slot.ok) return dropped({ uid: to });
    const done = tell(to, news)
      .catch((error: unknown) => log.warn({ err: error }, 'push.failed'))
      .finally(() => {
        slot.value();
        inFlight.delete(key);
      });
    inFlight.set(key, done);
  }

  /** Logs a push that was not sent; the news is in the app anyway. */
  function dropped(what: { uid: Uid; service?: string }): void {
    log.info(what, 'push.dropped');
  }

  async function tell(to: Uid, news: PushNews): Promise<void> {
    if (await deps.isConnected(to)) return;
    const devices = await devicesOf(record.db, to);
    if (devices.length === 0) return;
    const live = await deps.liveSessions(devices.map(({ sessionId }) => sessionId));
    const over = devices.filter(({ sessionId }) => !live.has(sessionId));
    await dropDevices(
      record.db,
      to,
      over.map(({ endpoint }) => endpoint),
    );
    await Promise.all(
      devices
        .filter(({ sessionId }) => live.has(sessionId))
        .map(async (device) => {
          const service = serviceOf(device.endpoint);
          const slot = toServices.take(service);
          if (!slot.ok) return dropped({ uid: to, service });
          await send(device, news).finally(slot.value);
        }),
    );
  }

  async function send(device: Device, news: PushNews): Promise<void> {
    try {
      if ((await client.send(device, news)) === 'sent') return;
      await dropDevices(record.db, device.uid, [device.endpoint]);
      log.info({ uid: device.uid }, 'push.device-expired');
    } catch (error) {
      log.warn({ err: error, service: new URL(device.endpoint).host }, 'push.not-sent');
    }
  }

  return {
    publicKey: client.publicKey,
    ...deviceRequests(deps),
    notify,
    accountHook: accountHookOf(deps),
    prune: () => dropEndedDevices(deps),
    /** Waits for pushes in flight. */
    async close(): Promise<void> {
      await Promise.all(inFlight.values());
    },
  };
}
export type PushService = ReturnType<typeof pushService>;

/** Deletes devices whose session has ended: nothing was pushed to them since, or they would be gone. */
async function dropEndedDevices({ record: { db }, liveSessions }: PushDeps): Promise<void> {
  for await (const { uid, endpoint, sessionId } of allDevices(db)) {
    if (!(await liveSessions([sessionId])).has(sessionId)) await dropDevices(db, uid, [endpoint]);
  }
}

/** The requests of a device: to subscribe and to unsubscribe. */
function deviceRequests({ record, clock, allowLoopback }: PushDeps) {
  return {
    async subscribe(
      { uid, sessionId }: { uid: Uid; sessionId: string },
      { endpoint, keys }: RoutePayload<'POST /api/push/subscribe'>,
    ): Promise<Result<Nothing>> {
      if (!readPushAddress(endpoint, allowLoopback)) return refuse('input/invalid', { field: 'endpoint' });
      if (!isKey(keys.p256dh, 65) || !isKey(keys.auth, 16)) return refuse('input/invalid', { field: 'keys' });
      await saveDevice(record.db, { endpoint, uid, sessionId, ...keys }, clock.now());
      const tooMany = (await devicesOf(record.db, uid)).slice(devicesPerPerson);
      await dropDevices(
        record.db,
        uid,
        tooMany.map((device) => device.endpoint),
      );
      return accept({});
    },

    async unsubscribe({ uid }: { uid: Uid }, endpoint: string): Promise<Result<Nothing>> {
      await dropDevices(record.db, uid, [endpoint]);
      return accept({});
    },
  };
}

/** Exactly so many bytes in base64url, as browsers write keys. */
function isKey(text: string, bytes: number): boolean {
  return /^[\w-]+={0,2}$/.test(text) && Buffer.from(text, 'base64url').length === bytes;
}

/** Deletes the devices of a deleted account, and lists them, without their keys, for the export. */
function accountHookOf({ record: { db } }: PushDeps) {
  return {
    onDeleting: (uid: Uid) => dropDevicesOf(db, uid),
    exports: {
      pushDevices: async (uid: Uid) =>
        (await devicesOf(db, uid)).map(({ endpoint, createdAtMs }) => ({ endpoint, createdAt: createdAtMs })),
    },
  };
}

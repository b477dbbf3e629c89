/**
 * Reads and writes the devices that subscribed to push, and the key pair that this installation signs with.
 * Every function takes the database or transaction to use.
 */
import type { Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { inPages, pageSize } from '../storage/pages.ts';
import type { PushSubscriptionsTable, Schema } from '../storage/schema.ts';

type Db = Kysely<Schema>;

export interface Device {
  endpoint: string;
  uid: Uid;
  p256dh: string;
  auth: string;
  /** The session that subscribed; the subscription ends with it. */
  sessionId: string;
}

/** As it is kept. */
export interface KnownDevice extends Device {
  createdAtMs: number;
}

/** The last person who subscribed in a browser gets its pushes. */
export async function saveDevice(db: Db, device: Device, nowMs: number): Promise<void> {
  const { endpoint, uid, ...keys } = device;
  const values = { uid, keys: JSON.stringify(keys), created_at_ms: nowMs };
  await db
    .insertInto('push_subscriptions')
    .values({ endpoint, ...values })
    .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(values))
    .execute();
}

/** This person's devices, the latest first. */
export async function devicesOf(db: Db, uid: Uid): Promise<KnownDevice[]> {
  const rows = await db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('uid', '=', uid)
    .orderBy('created_at_ms', 'desc')
    .execute();
  return rows.map((row) => {
    const keys = JSON.parse(row.keys) as Omit<Device, 'endpoint' | 'uid'>;
    return { endpoint: row.endpoint, uid, ...keys, createdAtMs: row.created_at_ms };
  });
}

/** Everybody's, in the order of their addresses. */
export async function* allDevices(db: Db): AsyncGenerator<Device> {
  const rows = inPages<PushSubscriptionsTable>((last) => {
    const all = db.selectFrom('push_subscriptions').selectAll().orderBy('endpoint').limit(pageSize);
    return (last === null ? all : all.where('endpoint', '>', last.endpoint)).execute();
  });
  for await (const { endpoint, uid, keys } of rows) {
    yield { endpoint, uid: uid as Uid, ...(JSON.parse(keys) as Omit<Device, 'endpoint' | 'uid'>) };
  }
}

/** Deletes these devices of the person. */
export async function dropDevices(db: Db, uid: Uid, endpoints: readonly string[]): Promise<void> {
  if (endpoints.length === 0) return;
  await db
    .deleteFrom('push_subscriptions')
    .where('uid', '=', uid)
    .where('endpoint', 'in', [...endpoints])
    .execute();
}

export async function dropDevicesOf(db: Db, uid: Uid): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('uid', '=', uid).execute();
}

export interface KeyPair {
  publicKey: string;
  privateKey: string;
}

/** The installation's key pair; `fresh` is stored if there is none yet. Of several processes the first wins. */
export async function keepKeyPair(db: Db, fresh: () => Promise<KeyPair>): Promise<KeyPair> {
  const read = () => db.selectFrom('settings').select('value').where('key', '=', 'push-keys').executeTakeFirst();
  const kept = await read();
  if (kept) return JSON.parse(kept.value) as KeyPair;
  await db
    .insertInto('settings')
    .values({ key: 'push-keys', value: JSON.stringify(await fresh()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return JSON.parse((await read())?.value ?? '') as KeyPair;
}

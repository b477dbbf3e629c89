/**
 * Pushes news to people who have the app closed: only without any open connection, only to devices that subscribed and
 * are still signed in. Best effort: the news is also in the app.
 */
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { isInternetName } from '@tunemate/domain';
import { joinRequestNewsMs, type PushNews, type Result, type RoutePayload, type Uid } from '@tunemate/protocol';
import type { Limits } from '../access/limits.ts';
import { createSlots } from '../access/slots.ts';
import type { RegisterRoute } from '../http/routes.ts';
import { countOpenConnections } from '../presence/connections-store.ts';
import { inPages, pageSize } from '../storage/pages.ts';
import type { StreamRecord } from '../storage/record.ts';
import type { Db, PushSubscriptionsTable } from '../storage/schema.ts';
import { sharedKey } from '../storage/settings.ts';
import { accept, type Clock, type Log, type Nothing, refuse } from '../system/ports.ts';
import { createHash } from 'node:crypto';
import { callOutside, isPublicAddress, reasonOf } from '../system/outside.ts';

const devicesPerPerson = 10;
/**
 * Limits of pushes in flight: in all, to one person, and to one push service. The subscriber chooses the service, so
 * one that never answers must not use up the slots of the others.
 */
const slotsOfPeople = { perKey: 10, inAll: 500 };
const slotsOfServices = { perKey: 100 };

interface PushDeps {
  record: StreamRecord;
  clock: Clock;
  log: Log;
  /** Which of these sessions still hold. */
  liveSessions: (sessionIds: readonly string[]) => Promise<{ has: (sessionId: string) => boolean }>;
  publicUrl: () => string;
  /** MAIL_FROM: the contact for push services where the public address is not https. */
  mailFrom: string;
  /** Tests only: plain http to this machine. */
  allowLoopback: boolean;
  /** Whether a connection to this process follows this person's own stream; where one does, nothing is read. */
  isConnectedHere: (uid: Uid) => boolean;
  limits: Pick<Limits, 'take'>;
}

/** The installation's key pair is made at its first start. */
export async function openPush(deps: PushDeps) {
  const { record, log, limits, publicUrl, mailFrom, allowLoopback, isConnectedHere } = deps;
  const made = async () => JSON.stringify((await import('web-push')).default.generateVAPIDKeys());
  const keys = JSON.parse(await sharedKey(record.db, 'push-keys', made)) as KeyPair;
  const client = pushClient({ keys, contact: () => contactOf(publicUrl(), mailFrom), allowLoopback });
  const inFlight = new Map<string, Promise<void>>();
  const toPeople = createSlots(slotsOfPeople);
  const toServices = createSlots(slotsOfServices);

  /** Called after the commit. Returns at once; the same news twice at a time is sent once. */
  function notify(to: Uid, news: PushNews): void {
    const key = `${to} ${news.type} ${news.uid}`;
    if (inFlight.has(key)) return;
    const slot = toPeople.take(to);
    if (!slot.ok) return dropped({ uid: to });
    const done = push(to, news)
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

  async function push(to: Uid, news: PushNews): Promise<void> {
    if (isConnectedHere(to) || (await countOpenConnections(record.db, to)) > 0) return;
    const devices = await devicesOf(record.db, to);
    if (devices.length === 0) return;
    // The pair's first: one sender must not use up what others may send.
    const mayPush = await limits.take('pushPair', `${news.uid}>${to}`);
    if (!mayPush.ok || !(await limits.take('pushTo', to)).ok) return dropped({ uid: to });
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
      const answer = await client.send(device, news);
      const { refusals = 0 } = device;
      if (answer === 'refused' && refusals + 1 < mostRefusals)
        return await noteRefusals(record.db, device, refusals + 1);
      if (answer === 'sent') return await (refusals === 0 ? undefined : noteRefusals(record.db, device, 0));
      await dropDevices(record.db, device.uid, [device.endpoint]);
      log.info({ uid: device.uid }, answer === 'expired' ? 'push.device-expired' : 'push.device-refused');
    } catch (error) {
      log.warn({ err: error, ...reasonOf(error), service: new URL(device.endpoint).host }, 'push.not-sent');
    }
  }

  return {
    publicKey: client.publicKey,
    ...deviceRequests(deps),
    notify,
    prune: () => dropEndedDevices(deps),
    /** Waits for pushes in flight. */
    async close(): Promise<void> {
      await Promise.all(inFlight.values());
    },
  };
}
export type PushService = Awaited<ReturnType<typeof openPush>>;

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

/**
 * Needs no open push, so that the operator's program runs it too: deletes the devices of an account, and lists them,
 * without their keys, for the export.
 */
export const pushAccountHook = ({ db }: StreamRecord) => ({
  onDeleting: (uid: Uid) => dropDevicesOf(db, uid),
  exports: {
    pushDevices: async (uid: Uid) =>
      (await devicesOf(db, uid)).map(({ endpoint, createdAtMs }) => ({ endpoint, createdAt: createdAtMs })),
  },
});

export function pushRoutes(register: RegisterRoute, push: PushService): void {
  register('GET /api/push/key', () => Promise.resolve(accept({ publicKey: push.publicKey })));
  register('POST /api/push/subscribe', ({ session }, payload) => push.subscribe(session, payload));
  register('POST /api/push/unsubscribe', ({ session }, { endpoint }) => push.unsubscribe(session, endpoint));
}

/** Names that are kept for tests and for the network itself. */
const reserved = /\.(?:arpa|invalid|test)$/u;
/** Whether services that look closer, as Apple's does, take this host for one that can be turned to. */
function isOnInternet(host: string): boolean {
  const name = domainToASCII(host);
  return isInternetName(name) && !reserved.test(name);
}

/**
 * Whom push services can turn to about an installation: its page, or the address that its mails come from. Where neither
 * is on the internet they get an address that reaches no one: Apple's service refuses each message that names a house.
 */
export function contactOf(publicUrl: string, mailFrom: string): string {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:' && isOnInternet(hostname)) return publicUrl;
  const [, address = mailFrom] = /<([^>]+)>/.exec(mailFrom) ?? [];
  return isOnInternet(address.slice(address.lastIndexOf('@') + 1))
    ? `mailto:${address}`
    : 'mailto:tunemate@example.com';
}

/** All hosts of one registered domain count as one: they cost their owner nothing. */
export function serviceOf(endpoint: string): string {
  const { host, hostname } = new URL(endpoint);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname.split('.').slice(-2).join('.') : host;
}

/** As it is kept. */
interface KnownDevice extends Device {
  createdAtMs: number;
}

/** The last person who subscribed in a browser gets its pushes. */
async function saveDevice(db: Db, device: Device, nowMs: number): Promise<void> {
  const { endpoint, uid, ...keys } = device;
  const values = { uid, keys: JSON.stringify(keys), created_at_ms: nowMs };
  await db
    .insertInto('push_subscriptions')
    .values({ endpoint, ...values })
    .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(values))
    .execute();
}

/** This person's devices, the latest first. */
async function devicesOf(db: Db, uid: Uid): Promise<KnownDevice[]> {
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

/** Those of all people, in the order of their addresses. */
async function* allDevices(db: Db): AsyncGenerator<Device> {
  const rows = inPages<PushSubscriptionsTable>((last) => {
    const all = db.selectFrom('push_subscriptions').selectAll().orderBy('endpoint').limit(pageSize);
    return (last === null ? all : all.where('endpoint', '>', last.endpoint)).execute();
  });
  for await (const { endpoint, uid, keys } of rows) {
    yield { endpoint, uid: uid as Uid, ...(JSON.parse(keys) as Omit<Device, 'endpoint' | 'uid'>) };
  }
}

/** Refused so often in a row, a subscription is of another key or installation: its page makes a new one. */
const mostRefusals = 3;

async function noteRefusals(
  db: Db,
  { endpoint, uid, p256dh, auth, sessionId }: Device,
  refusals: number,
): Promise<void> {
  await db
    .updateTable('push_subscriptions')
    .set({ keys: JSON.stringify({ p256dh, auth, sessionId, ...(refusals > 0 && { refusals }) }) })
    .where('endpoint', '=', endpoint)
    .where('uid', '=', uid)
    .execute();
}

/** Deletes these devices of the person. */
async function dropDevices(db: Db, uid: Uid, endpoints: readonly string[]): Promise<void> {
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

interface KeyPair {
  publicKey: string;
  privateKey: string;
}

interface Device {
  endpoint: string;
  uid: Uid;
  p256dh: string;
  auth: string;
  /** The session that subscribed; the subscription ends with it. */
  sessionId: string;
  /** How often in a row the service has refused this server there. */
  refusals?: number;
}

const answerWithinMs = 10_000;
const daySeconds = 24 * 60 * 60;

interface PushClient {
  readonly publicKey: string;
  /**
   * 'expired': the subscription has ended for good. 'refused': it is not of this server's key. Throws when the service
   * can't be reached or refuses otherwise.
   */
  send(device: Device, news: PushNews): Promise<'sent' | 'expired' | 'refused'>;
}

interface PushClientOptions {
  keys: KeyPair;
  /** The contact that push services are given: an https origin or a mailto address. */
  contact: () => string;
  /** Tests only: plain http to this machine. */
  allowLoopback: boolean;
}

/**
 * Sends one encrypted message to one push service (RFC 8030, 8291, 8292). Follows no redirect, waits ten seconds at
 * most and reads the status and the beginning of the answer.
 */
export function pushClient({ keys, contact, allowLoopback }: PushClientOptions): PushClient {
  return {
    publicKey: keys.publicKey,
    async send({ endpoint, p256dh, auth }, news) {
      const url = readPushAddress(endpoint, allowLoopback);
      if (!url) return 'expired';
      // Read with the first message to push, and not at every start.
      const { default: webPush } = await import('web-push');
      const details = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(news), {
        vapidDetails: { subject: contact(), ...keys },
        TTL: news.type === 'joinRequest' ? joinRequestNewsMs / 1000 : daySeconds,
        contentEncoding: 'aes128gcm',
        urgency: 'high',
        topic: topicOf(news),
      });
      const { status, body } = await callOutside(url, {
        method: 'POST',
        headers: details.headers,
        body: details.body,
        withinMs: answerWithinMs,
        mostBytes: mostReasonBytes,
        isCut: true,
      });
      return outcomeOf(status, body);
    },
  };
}

/** Services write why they refuse in a line of JSON. */
const mostReasonBytes = 2000;
/** A subscription of another key, as Google's and Apple's services name it with 400, too. */
const ofOtherKey = /VapidPkHashMismatch|UnauthorizedRegistration|MismatchSenderId|InvalidRegistration/iu;
/** Apple's service, of all messages of this server: no device can mend it. */
const ofOurs = /BadJwtToken|ExpiredJwtToken/iu;

function outcomeOf(status: number, reason: string): Awaited<ReturnType<PushClient['send']>> {
  if (status === 404 || status === 410) return 'expired';
  const isRefusal = status === 401 || status === 403;
  if (ofOtherKey.test(reason) || (isRefusal && !ofOurs.test(reason))) return 'refused';
  if (isRefusal) {
    throw new Error(
      'the push service does not take the contact or the time of this server: set PUBLIC_URL or MAIL_FROM to a name on the internet, and the clock',
    );
  }
  if (status < 200 || status > 299) throw new Error(`the push service answered ${String(status)}`);
  return 'sent';
}

/** Of several unseen messages of one kind by one person a push service keeps the last. */
function topicOf({ type, uid }: PushNews): string {
  return createHash('sha256').update(`${type} ${uid}`).digest('base64url').slice(0, 32);
}

/*
 * The subscriber chooses the address of a push, so it must never lead into our own network: https only, and no private
 * address, neither literally nor by the name's resolution when connecting.
 */
const isLoopback = (host: string): boolean => host === '127.0.0.1' || host === 'localhost';

/** The address if its text allows a push to it, else null. */
export function readPushAddress(text: string, allowLoopback: boolean): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || url.username !== '' || url.password !== '') return null;
  if (allowLoopback && url.protocol === 'http:' && isLoopback(url.hostname)) return url;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol !== 'https:' || (isIP(host) !== 0 && !isPublicAddress(host))) return null;
  return isLoopback(host) || host.endsWith('.localhost') ? null : url;
}

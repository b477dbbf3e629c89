/**
 * The doorbell between processes: with REDIS_URL each gets what the others notify, each stream by a channel of its own.
 * What is lost is found in the database. Each message is signed with a key of the database: a program that can only
 * write to Redis can send nothing to a page.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { roomStream, type StreamId } from '@tunemate/protocol';
import type { Db } from '../storage/schema.ts';
import { sharedKey } from '../storage/settings.ts';
import { gather } from '../system/gather.ts';
import { Failure, type Log } from '../system/ports.ts';
import { inTime, settledWithin, within } from '../system/within.ts';
import { type Doorbell, type DoorbellMessage, type Follower, localDoorbell } from './feed.ts';

/** For what concerns every process; a stream has a channel of its own. */
const everybody = 'tunemate:doorbell';
function channelOf(message: DoorbellMessage): string {
  if (message.type === 'ready') return streamChannel(roomStream(message.roomId));
  return 'to' in message ? streamChannel(message.to) : everybody;
}
const streamChannel = (stream: StreamId): string => `tunemate:stream:${stream}`;

/** Longer entries are read from the record: Redis keeps a message for each process that is slow to read it. */
const maxMessageLength = 16 * 1024;
/**
 * No write waits longer for a Redis that does not answer, as when its machine is gone and the connections still look
 * open: what is missed meanwhile is found by polling.
 */
const answerWithinMs = 1000;
const noAnswer = new Error('no answer');
const startWithinMs = 30_000;
/** Notifications that wait for Redis; more are lost. */
const mostWaiting = 1000;

/** Where Redis does not say who it is: it is away, or a service that keeps that to itself. */
export const unnamedRedis = 'unnamed';

/** What messages are signed with. */
export const doorbellKey = (db: Db): Promise<string> => sharedKey(db, 'doorbell-key');

/** Stands at the end of a message, so that a process of an older version reads the message as before. */
const signed = /^(\{.*),"by":"([\w-]{43})"\}$/su;
const macOf = (body: string, key: string): string => createHmac('sha256', key).update(body).digest('base64url');
const sign = (body: string, key: string): string => `${body.slice(0, -1)},"by":"${macOf(body, key)}"}`;

/** Throws for a message that another program wrote. */
function verified(text: string, key: string): string {
  const [, head = '', mac = ''] = signed.exec(text) ?? [];
  const body = `${head}}`;
  if (mac === '' || !timingSafeEqual(Buffer.from(macOf(body, key)), Buffer.from(mac))) throw new Error('not signed');
  return body;
}

/**
 * Several processes behind one Redis. The client reconnects by itself; meanwhile notifications are missed.
 */
export async function redisDoorbell(url: string, processId: string, key: string, log: Log): Promise<Doorbell> {
  // Not read by a server that is alone.
  const { createClient } = await import('@redis/client');
  const local = localDoorbell({ mayHaveMissed: () => true });
  const socket = { reconnectStrategy: (tries: number) => Math.min(50 * 2 ** tries, 2000), connectTimeout: 3000 };
  // Without the offline queue a notification during an outage fails at once instead of arriving minutes late.
  const sender = createClient({ url, socket, disableOfflineQueue: true, commandsQueueMaxLength: mostWaiting });
  const receiver = createClient({ url, socket });
  let [hasMissed, hasWarned] = [false, false];
  const miss = (error: Error) => {
    if (!hasMissed) log.warn({ error: error.message }, 'doorbell.unreachable');
    hasMissed = true;
  };
  for (const client of [sender, receiver]) client.on('error', miss);
  const answers = answersOf([sender, receiver], () => miss(noAnswer));
  const receive = (text: string): void => {
    try {
      const { from, message } = JSON.parse(verified(text, key)) as { from: string; message: DoorbellMessage };
      if (from !== processId) local.notify(message);
    } catch (error) {
      // An error thrown here would break the connection to Redis. A missed notification is found by polling.
      if (!hasWarned) log.warn({ err: error }, 'doorbell.message-invalid');
      hasWarned = true;
    }
  };
  try {
    const connected = Promise.all([sender.connect(), receiver.connect()]);
    await inTime(
      startWithinMs,
      connected.then(() => receiver.subscribe(everybody, receive)),
    );
  } catch (error) {
    for (const client of [sender, receiver]) if (client.isOpen) client.destroy();
    throw new Failure('server/unavailable', 'doorbell.unreachable', error);
  }
  // One command for all streams of people who connect at one moment.
  const subscribe = gather(async (streams: readonly StreamId[]) => {
    const isDone = await within(
      answers.areComing() ? answerWithinMs : 0,
      receiver.subscribe(streams.map(streamChannel), receive).then(() => true),
      false,
    );
    if (!isDone) miss(noAnswer);
    return streams.map(() => undefined);
  });
  const publish = (message: DoorbellMessage): void => {
    const text = JSON.stringify({ from: processId, message });
    if (message.type === 'stream-grown' && message.entries !== null && text.length > maxMessageLength)
      return publish({ ...message, entries: null });
    sender
      .publish(channelOf(message), sign(text, key))
      .catch((error: Error) => log.debug({ error: error.message }, 'doorbell.message-lost'));
  };
  return {
    notify(message) {
      local.notify(message);
      publish(message);
    },
    onNotification: (listener) => local.onNotification(listener),
    ...followed(
      (stream) => subscribe(stream).catch(miss),
      (stream) => void receiver.unsubscribe(streamChannel(stream), receive).catch(miss),
    ),
    mayHaveMissed() {
      void answers.ask();
      const isHearing = sender.isReady && receiver.isReady && answers.areComing();
      const missed = hasMissed || !isHearing;
      if (missed && isHearing) log.info({}, 'doorbell.reachable-again');
      hasMissed = !isHearing;
      return missed;
    },
    service: () => nameOf(sender),
    async close() {
      await settledWithin(answerWithinMs, [sender.close(), receiver.close()]);
      for (const client of [sender, receiver]) if (client.isOpen) client.destroy();
    },
  };
}

/** Each stream until the last of its followers has left it. */
function followed(
  subscribe: (stream: StreamId) => Promise<void>,
  unsubscribe: (stream: StreamId) => void,
): Pick<Doorbell, 'follow' | 'unfollow'> {
  const followers = new Map<StreamId, Set<Follower>>();
  return {
    async follow(stream, by) {
      const known = followers.get(stream) ?? new Set();
      followers.set(stream, known.add(by));
      await subscribe(stream);
      // Left meanwhile: the end went out before the beginning.
      if (!followers.has(stream)) unsubscribe(stream);
    },
    unfollow(stream, by) {
      const known = followers.get(stream);
      known?.delete(by);
      if (!known || known.size > 0) return;
      followers.delete(stream);
      unsubscribe(stream);
    },
  };
}

async function nameOf(client: { info(section: string): Promise<string> }): Promise<string> {
  const told = await within(
    answerWithinMs,
    client.info('server').catch(() => ''),
    '',
  );
  return /^run_id:(\w+)/mu.exec(told)?.[1] ?? unnamedRedis;
}

interface Asked {
  readonly isReady: boolean;
  ping(): Promise<unknown>;
}

/** Whether Redis answers: one question at a time, however late its answer comes. */
function answersOf(clients: readonly Asked[], miss: () => void) {
  let areComing = true;
  let isAsked = false;
  return {
    /** As of the last question. */
    areComing: () => areComing,
    async ask(): Promise<void> {
      const areReady = clients.every(({ isReady }) => isReady);
      if (!areReady) areComing = false;
      if (!areReady || isAsked) return;
      isAsked = true;
      const answered = Promise.all(clients.map((client) => client.ping())).then(
        () => true,
        () => false,
      );
      void answered.then(() => (isAsked = false));
      areComing = await within(answerWithinMs, answered, false);
      if (!areComing) miss();
    },
  };
}

/**
 * Composes the whole server: makes each part and passes it what it needs. It decides nothing.
 */
import type { AddressInfo } from 'node:net';
import { createAccounts } from './app-accounts.ts';
import { type Base, openBase } from './app-base.ts';
import { openHttp } from './app-http.ts';
import { createLive } from './live.ts';
import type { AppParts, Running } from './app-parts.ts';
import { openPush } from '../push/push.ts';
import { createFeatures } from './features.ts';
import { createBackground } from './background.ts';
import { openCatalogue } from '../catalogue/open-catalogue.ts';
import type { Config } from '../config.ts';
import { type Doorbell, localDoorbell, redisDoorbell } from '../realtime/doorbell.ts';
import { builtWeb } from '../paths.ts';
import { driftMetric } from '../realtime/live-metrics.ts';
import { settledWithin } from '../system/within.ts';

export interface App {
  /** Starts accepting connections. */
  listen(): Promise<void>;
  /** Stops accepting requests, lets running ones finish, closes everything. */
  close(): Promise<void>;
  /** The address of links and origin checks; final once it listens. */
  readonly url: string;
  /** What to open on other devices of the network. */
  readonly networkUrls: readonly string[];
  /** The port it listens on, 0 before it does. */
  readonly port: number;
  /** Runs every background task once: for tests with a clock of their own. */
  runBackground(): Promise<void>;
}

/** How long a stop waits for background tasks: a database that does not answer must not hold it up for ever. */
const tasksEndWithinMs = 2000;
/** How long a stop waits for requests over HTTP. */
const requestsEndWithinMs = 4000;
const pruneCatalogueEveryMs = 60 * 60 * 1000;
const pruneDevicesEveryMs = 60 * 60 * 1000;
const finishRemovalsEveryMs = 60 * 1000;
const lookForMediaEveryMs = 5 * 60 * 1000;

/** Opens the database and wires everything; `listen` makes it reachable. Throws when something it needs is missing. */
export async function createApp(config: Config, parts: AppParts): Promise<App> {
  const background = createBackground(parts.log);
  const closers: Running['closers'] = [];
  const end = async () => {
    await settledWithin(tasksEndWithinMs, [background.stop()]);
    for (const close of closers.toReversed()) {
      // A part that fails to close must not keep the others from closing.
      await close().catch((error: unknown) => parts.log.error({ err: error }, 'server.close-failed'));
    }
  };
  try {
    return await wire(config, parts, { background, isClosing: false, closers, end });
  } catch (error) {
    await end();
    throw error;
  }
}

async function wire(config: Config, parts: AppParts, running: Running): Promise<App> {
  const { background, closers, end } = running;
  const base = await openBase(config, parts, running);
  const { record, clock, ids, log, limits, origins } = base;
  const push = await openPush({
    record,
    clock,
    log,
    liveSessions: base.sessions.stillLive,
    publicUrl: origins.publicUrl,
    mailFrom: config.mailFrom,
    allowLoopback: parts.pushToLoopback ?? false,
    isConnectedHere: (uid) => live.isConnectedHere(uid),
  });
  background.every(pruneDevicesEveryMs, 'push.prune', () => push.prune());
  closers.push(() => push.close());
  const processId = ids.newId();
  const doorbell = await openDoorbell(config.redisUrl, base, processId);
  closers.push(() => doorbell.close());
  const features = createFeatures({
    ...base,
    doorbell,
    takeFromRoom: (roomId) => limits.take('roomRequests', roomId),
    ...{ notify: push.notify, noteDrift: driftMetric(base.metrics) },
    catalogue: { suggest: (...args) => catalogue.suggest(...args) },
    connections: {
      subscribe: (...args) => live.connections.subscribe(...args),
      unsubscribe: (...args) => live.connections.unsubscribe(...args),
      moveTo: (...args) => live.connections.moveTo(...args),
    },
  });
  const accounts = createAccounts(config, base, features.accountHooks);
  background.every(finishRemovalsEveryMs, 'accounts.removals', () => accounts.services.removal.finish());
  const catalogue = await openCatalogue({ ...config, limitScale: config.rateLimitScale, db: record.db, clock, log });
  closers.push(() => catalogue.close());
  background.every(pruneCatalogueEveryMs, 'catalogue.prune', () => catalogue.prune());
  background.every(lookForMediaEveryMs, 'library.refresh', () => catalogue.refresh());
  const http = await openHttp(config, parts.webDir ?? builtWeb, running, { ...base, accounts, push, catalogue });
  const live = createLive({
    ...base,
    http: http.server,
    features,
    doorbell,
    processId,
    limitScale: config.rateLimitScale,
    isOwnOrigin: origins.isOwn,
    networkOf: base.addresses.networkOf,
    catalogue,
    background,
  });
  closers.push(() => live.close());

  const port = () => (http.server.address() as AddressInfo | null)?.port ?? 0;
  return {
    async listen() {
      await live.start();
      await http.listen({ port: config.port, host: config.host });
      origins.listensOn(port());
    },
    async close() {
      running.isClosing = true;
      // An idle connection would hold up the stop for ever.
      const force = setInterval(() => http.server.closeAllConnections(), requestsEndWithinMs);
      await end();
      clearInterval(force);
    },
    get port() {
      return port();
    },
    get url() {
      return origins.publicUrl();
    },
    get networkUrls() {
      return origins.onNetwork();
    },
    runBackground: () => background.runAll(),
  };
}

async function openDoorbell(redisUrl: string | null, { database, log }: Base, processId: string): Promise<Doorbell> {
  if (redisUrl === null) return localDoorbell({ mayHaveMissed: database.watchOthers() });
  return await redisDoorbell(redisUrl, processId, log);
}

/**
 * The only file that knows everything: it makes each part and hands it what it needs. It decides nothing.
 */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createLimits } from './access/limits.ts';
import { redisKeeper } from './access/redis-keeper.ts';
import { noHooks } from './accounts/accounts-deps.ts';
import { accountRoutes } from './accounts/accounts-routes.ts';
import { exportRoutes } from './accounts/export-routes.ts';
import { exportService } from './accounts/export-service.ts';
import { ownDocument } from './accounts/users-store.ts';
import { accountServices } from './accounts/accounts.ts';
import { auditLog } from './accounts/audit.ts';
import { createPasswords } from './accounts/passwords.ts';
import { sessionsService } from './accounts/sessions-service.ts';
import { type Background, createBackground } from './background.ts';
import { mediaRoutes } from './catalogue/media-routes.ts';
import { openCatalogue } from './catalogue/open-catalogue.ts';
import { imageFiles } from './chats/image-files.ts';
import { imagesRoutes } from './chats/images-routes.ts';
import { imagesService } from './chats/images-service.ts';
import { pictureReader } from './chats/picture-reader.ts';
import type { Config } from './config.ts';
import { createLive } from './app-live.ts';
import { localDoorbell, redisDoorbell } from './realtime/doorbell.ts';
import { createAddresses } from './http/address.ts';
import { boundConnections } from './http/connection-bound.ts';
import { cspReportRoute } from './http/csp-report.ts';
import { createMetrics, healthRoutes } from './http/health.ts';
import { createHttpServer } from './http/http-server.ts';
import { createOrigins } from './http/origins.ts';
import { pageRoutes } from './http/pages.ts';
import { createRoutes } from './http/routes.ts';
import { createSessionCookie } from './http/session-cookie.ts';
import { mailQueue } from './mail/mail-queue.ts';
import { outboxTransport } from './mail/outbox-transport.ts';
import { smtpTransport } from './mail/smtp-transport.ts';
import type { Clock, Ids, Log } from './ports.ts';
import { prune, pruneChanges } from './pruning.ts';
import { openPush } from './app-push.ts';
import { timeOf } from './app-time.ts';
import { pushRoutes } from './push/push-routes.ts';
import { StreamRecord } from './storage/record.ts';
import { isReachable, openStorage } from './storage/state.ts';
import { within } from './within.ts';

export interface AppParts {
  /** This machine's clock. Time is the database's instead where processes share one. */
  clock: Clock;
  ids: Ids;
  log: Log;
  /** The built web application; by default web/dist. */
  webDir?: string;
  /** Tests only: push messages may go to this machine, over plain http. */
  pushToLoopback?: boolean;
  /** Tests only: a write fails when it touches a stream that it did not name, instead of being logged as an error. */
  isStrict?: boolean;
  /** Tests only: hears of every statement that the database is given. */
  onStatement?: ((statement: string) => void) | undefined;
  /** Tests only: time is that of `clock`, also where processes share a database. */
  keepsOwnTime?: boolean;
}

export interface App {
  /** Starts accepting connections. */
  listen(): Promise<void>;
  /** Stops accepting, lets what runs finish, closes everything. */
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

const builtWeb = join(import.meta.dirname, '../../web/dist');
/** What runs in the background gets this long at a stop; a database that does not answer could hold it up for ever. */
const tasksEndWithinMs = 2000;
/** And so do requests over HTTP. */
const requestsEndWithinMs = 4000;
const mailEveryMs = 5000;
const pruneEveryMs = 60 * 60 * 1000;
const pruneChangesEveryMs = 60 * 1000;
const finishRemovalsEveryMs = 60 * 1000;
const lookForMediaEveryMs = 5 * 60 * 1000;

/** What runs, and how it is ended. */
interface Running {
  background: Background;
  /** Run in reverse: what was made last is closed first. */
  closers: (() => Promise<void>)[];
  end: () => Promise<void>;
}

/** Opens the database and wires everything; `listen` makes it reachable. Throws when something it needs is missing. */
export async function createApp(config: Config, parts: AppParts): Promise<App> {
  const background = createBackground(parts.log);
  const closers: Running['closers'] = [];
  const end = async () => {
    await within(tasksEndWithinMs, [background.stop()]);
    for (const close of closers.toReversed()) {
      // One part that can't close (its database is away) keeps no other from it.
      await close().catch((error: unknown) => parts.log.error({ err: error }, 'server.close-failed'));
    }
  };
  try {
    return await wire(config, parts, { background, closers, end });
  } catch (error) {
    await end();
    throw error;
  }
}

async function wire(
  config: Config,
  { clock: machine, ids, log, webDir = builtWeb, pushToLoopback = false, keepsOwnTime = false, ...parts }: AppParts,
  { background, closers, end }: Running,
): Promise<App> {
  const database = await openStorage(config, parts.onStatement);
  closers.push(() => database.close());
  const { db } = database;
  const isShared = database.dialect === 'postgres' && !keepsOwnTime;
  const clock = isShared ? await timeOf(db, { machine, log, background }) : machine;
  const record = new StreamRecord(
    database,
    clock,
    parts.isStrict ? undefined : (stream) => log.error({ stream }, 'record.unnamed-stream'),
  );

  const shared = config.redisUrl === null ? null : await redisKeeper(config.redisUrl, log);
  if (shared) closers.push(() => shared.close());
  const limits = createLimits({ clock, scale: config.rateLimitScale, ...(shared ? { keeper: shared } : {}) });

  const outboxPath = config.smtpUrl === null ? join(config.dataDir, 'outbox') : null;
  const transport =
    config.smtpUrl === null
      ? outboxTransport({ folder: join(config.dataDir, 'outbox'), from: config.mailFrom, clock, log })
      : smtpTransport(config.smtpUrl, config.mailFrom);
  const mail = mailQueue({ db, clock, ids, log, transport });
  closers.push(() => mail.close());
  background.every(mailEveryMs, 'mail', () => mail.sendDue());

  const origins = createOrigins(config);
  const addresses = createAddresses({ trustProxy: config.trustProxy, publicUrl: origins.publicUrl, log });
  const cookie = createSessionCookie(origins);
  const sessions = sessionsService({ record, clock, ids, log, readCookie: cookie.read });
  background.every(pruneEveryMs, 'prune', () => prune({ record, clock, sessions, mail }));
  background.every(pruneChangesEveryMs, 'prune.changes', pruneChanges({ record, clock }));

  const hooks = noHooks();
  const passwords = createPasswords();
  const accountsDeps = {
    record,
    clock,
    ids,
    log,
    limits,
    mailer: mail,
    passwords,
    sessions,
    audit: auditLog(ids),
    hooks,
    publicUrl: origins.publicUrl,
  };
  const accounts = accountServices(accountsDeps, {
    youtubeSearch: config.youtubeApiKey !== null,
    youtubeVisiblePlayer: config.youtubeVisiblePlayer,
    tokenSyncUrl: config.tokenSyncUrl,
    outboxPath,
  });

  background.every(finishRemovalsEveryMs, 'accounts.removals', () => accounts.removal.finish());

  const connectTo = config.tokenSyncUrl === null ? [] : [new URL(config.tokenSyncUrl).origin];
  const http = createHttpServer({ log, origins, connectTo });
  if (config.trustProxy.length === 0) boundConnections(http.server, config.rateLimitScale);
  let isClosing = false;
  const metrics = createMetrics();
  healthRoutes(http, {
    isReady: async () => !isClosing && (await isReachable(db)),
    addresses,
    metricsToken: config.metricsToken,
    metrics,
  });
  cspReportRoute(http, { limits, addresses, log });
  const routes = createRoutes({
    http,
    limits,
    sessionOfCookie: sessions.sessionOfCookie,
    cookie,
    origins,
    addresses,
    log,
  });
  accountRoutes(routes.register, accounts);
  await http.register(exportRoutes({ exports: exportService(accountsDeps), gateFile: routes.gateFile }));
  const push = await openPush({
    record,
    clock,
    log,
    liveSessions: sessions.stillLive,
    publicUrl: origins.publicUrl,
    mailFrom: config.mailFrom,
    allowLoopback: pushToLoopback,
  });
  closers.push(() => push.close());
  pushRoutes(routes.register, push);
  const catalogue = await openCatalogue({ ...config, limitScale: config.rateLimitScale, db, clock, log });
  closers.push(() => catalogue.close());
  background.every(pruneEveryMs, 'catalogue.prune', () => catalogue.prune());
  background.every(lookForMediaEveryMs, 'library.refresh', () => catalogue.library.refresh());
  await http.register(mediaRoutes({ library: catalogue.library, gateFile: routes.gateFile, limits }));
  const reader = pictureReader({ log });
  const files = imageFiles(join(config.dataDir, 'images'));
  const images = imagesService({ record, files, reader, limits, clock, ids, log });
  await http.register(imagesRoutes({ images, gateFile: routes.gateFile }));
  background.every(pruneEveryMs, 'chats.images', () => images.sweep());
  routes.assertComplete();
  await pageRoutes(http, webDir);
  closers.push(() => http.close());
  // Before the requests that wait for it: at a stop they are refused at once.
  closers.push(() => reader.close());
  await http.ready();

  const processId = ids.newId();
  const doorbell =
    config.redisUrl === null
      ? localDoorbell({ isAlone: database.dialect === 'sqlite' })
      : await redisDoorbell(config.redisUrl, processId, log);
  closers.push(() => doorbell.close());
  const live = createLive({
    http: http.server,
    record,
    clock,
    ids,
    log,
    limits,
    doorbell,
    processId,
    limitScale: config.rateLimitScale,
    sessionOfCookie: sessions.sessionOfCookie,
    liveSessions: sessions.stillLive,
    isOwnOrigin: origins.isOwn,
    networkOf: addresses.networkOf,
    userDocumentOf: ownDocument,
    catalogue,
    notify: push.notify,
    background,
  });
  closers.push(() => live.close());
  hooks.onDeleting.push((uid) => live.removePerson(uid));
  hooks.onDeleting.push((uid) => push.removePerson(uid));
  hooks.streamsOfRename.push(live.streamsOfRename);
  hooks.onRenaming.push(live.onRenaming);
  Object.assign(hooks.exports, live.exports, { pushDevices: push.devicesOf });

  const port = () => (http.server.address() as AddressInfo | null)?.port ?? 0;
  return {
    async listen() {
      await live.start();
      await http.listen({ port: config.port, host: config.host });
      origins.listensOn(port());
      config.publicUrl = origins.publicUrl();
    },
    async close() {
      isClosing = true;
      // A connection on which nothing is said would hold up the stop for ever.
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

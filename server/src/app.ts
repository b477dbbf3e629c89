/**
 * The only file that knows everything: it makes each part and hands it what it needs. It decides nothing.
 */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { createLimits } from './access/limits.ts';
import { redisKeeper } from './access/redis-keeper.ts';
import { noHooks } from './accounts/accounts-deps.ts';
import { accountRoutes } from './accounts/accounts-routes.ts';
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
import type { Config } from './config.ts';
import { createLive } from './app-live.ts';
import { localDoorbell, redisDoorbell } from './realtime/doorbell.ts';
import { createAddresses, networkOf } from './http/address.ts';
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
import { prune } from './pruning.ts';
import { openPush } from './app-push.ts';
import { pushRoutes } from './push/push-routes.ts';
import { databaseNowMs, startDatabaseClock } from './storage/database-clock.ts';
import { StreamRecord } from './storage/record.ts';
import type { Schema } from './storage/schema.ts';
import { isReachable, openStorage } from './storage/state.ts';

export interface AppParts {
  /** This machine's clock. Time is the database's instead where processes share one. */
  clock: Clock;
  ids: Ids;
  log: Log;
  /** The built web application; by default web/dist. */
  webDir?: string;
  /** Tests only: push messages may go to this machine, over plain http. */
  pushToLoopback?: boolean;
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

const monotonicMs = () => performance.now();

/** The time of a database that several processes share, kept up to date. */
async function timeOf(
  db: Kysely<Schema>,
  { machine, log, background }: { machine: Clock; log: Log; background: Background },
): Promise<Clock> {
  const clock = await startDatabaseClock({ askDatabase: () => databaseNowMs(db), machine, monotonicMs, log });
  background.every(measureClockEveryMs, 'clock.measure', clock.measure);
  background.every(watchClockEveryMs, 'clock.watch', clock.watch);
  return clock;
}

const builtWeb = join(import.meta.dirname, '../../web/dist');
const measureClockEveryMs = 60_000;
const watchClockEveryMs = 2000;
const mailEveryMs = 5000;
const pruneEveryMs = 60 * 60 * 1000;
const lookForMediaEveryMs = 5 * 60 * 1000;

/** Opens the database and wires everything; `listen` makes it reachable. Throws when something it needs is missing. */
export async function createApp(
  config: Config,
  { clock: machine, ids, log, webDir = builtWeb, pushToLoopback = false, keepsOwnTime = false }: AppParts,
): Promise<App> {
  const database = await openStorage(config);
  const { db } = database;
  const background = createBackground(log);
  const isShared = database.dialect === 'postgres' && !keepsOwnTime;
  const clock = isShared ? await timeOf(db, { machine, log, background }) : machine;
  const record = new StreamRecord(database, clock);
  /** Run in reverse: what was made last is closed first. */
  const closers: (() => Promise<void>)[] = [() => database.close()];

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
  const addresses = createAddresses(config.trustProxy);
  const cookie = createSessionCookie(origins);
  const sessions = sessionsService({ record, clock, ids, log, readCookie: cookie.read });
  background.every(pruneEveryMs, 'prune', () => prune({ record, clock, sessions, mail }));

  const hooks = noHooks();
  const passwords = createPasswords();
  const accounts = accountServices(
    {
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
    },
    {
      youtubeSearch: config.youtubeApiKey !== null,
      youtubeVisiblePlayer: config.youtubeVisiblePlayer,
      tokenSyncUrl: config.tokenSyncUrl,
      outboxPath,
    },
  );

  const connectTo = config.tokenSyncUrl === null ? [] : [new URL(config.tokenSyncUrl).origin];
  const http = createHttpServer({ log, origins, connectTo });
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
  await http.register(mediaRoutes({ library: catalogue.library, gateFile: routes.gateFile }));
  const images = imagesService({ record, files: imageFiles(join(config.dataDir, 'images')), clock, ids, log });
  await http.register(imagesRoutes({ images, gateFile: routes.gateFile }));
  background.every(pruneEveryMs, 'chats.images', () => images.sweep());
  routes.assertComplete();
  await pageRoutes(http, webDir);
  closers.push(() => http.close());
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
    addressOf: addresses.of,
    networkOf,
    userDocumentOf: ownDocument,
    catalogue,
    notify: push.notify,
    background,
  });
  closers.push(() => live.close());
  hooks.onDeleting.push((uid) => live.removePerson(uid));
  hooks.onDeleting.push((uid) => push.removePerson(uid));
  hooks.newsOfRename.push(...live.newsOfRename);
  Object.assign(hooks.exports, live.exports);

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
      await background.stop();
      for (const close of closers.toReversed()) await close();
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

/**
 * The process: opens storage, HTTP and sockets, makes the features, starts background tasks, and closes all of it in
 * reverse. It holds no rule.
 */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createLimits, refusalLog, sizesFor } from '../access/limits.ts';
import { redisRateLimitStore } from '../access/redis-rate-limit-store.ts';
import { accountRoutes } from '../accounts/accounts-routes.ts';
import { exportRoutes } from '../accounts/export.ts';
import { openKnownDevices, sessionsService } from '../accounts/sign-in/sessions.ts';
import { mediaAddressesOf } from '../catalogue/media/media-address.ts';
import { encodingOf } from '../catalogue/library/text-encoding.ts';
import { mediaRoutes } from '../catalogue/media/media-routes.ts';
import { playlistRoutes } from '../catalogue/playlists/playlist-routes.ts';
import { type Catalogue, namesIn, openCatalogue } from '../catalogue/open-catalogue.ts';
import { imageReader, smallerBy } from '../chats/pictures/image-reader.ts';
import { heaviestOf, keptBytes } from '../chats/kept-bytes.ts';
import { openPreviews, type PreviewsDeps } from '../chats/previews/previews.ts';
import { besideRoutes } from '../beside/beside.ts';
import type { Config } from '../config.ts';
import { createAddresses, createOrigins } from '../http/address.ts';
import { createMetrics, healthRoutes, operatorAccess } from '../http/health.ts';
import { boundFloods } from '../http/floods.ts';
import { boundConnections, createHttpServer, listening } from '../http/http-server.ts';
import { linkCardRoutes } from '../http/link-cards.ts';
import { pageRoutes } from '../http/pages.ts';
import { createRoutes } from '../http/routes.ts';
import { cspReportRoute } from '../http/security-headers.ts';
import { createSessionCookie } from '../http/session-cookie.ts';
import { openMusicHearing } from '../music/music-hearing.ts';
import { listensRoutes, type ListensService, openListens } from '../listens/listens.ts';
import { mailQueue } from '../mail/mail-queue.ts';
import { outboxTransport } from '../mail/outbox-transport.ts';
import { builtWeb, linkCardWorker } from '../paths.ts';
import { driftMetric } from '../playback/playback-service.ts';
import { countHeard } from '../rooms/suggested/heard-counts-store.ts';
import { openPush, pushRoutes, type PushService } from '../push/push.ts';
import { type Doorbell, localDoorbell } from '../realtime/feed.ts';
import { doorbellKey, redisDoorbell } from '../realtime/redis-doorbell.ts';
import { socketRoute } from '../realtime/socket-server.ts';
import { createTurns } from '../realtime/turns.ts';
import { databaseMetrics } from '../status/database-metrics.ts';
import { openProcesses, type Processes } from '../status/processes.ts';
import { statusRoutes } from '../status/status-page.ts';
import { sharedClock } from '../storage/database-clock.ts';
import { StreamRecord } from '../storage/record.ts';
import { agesOf, assertClock } from '../storage/clock-steps.ts';
import { noteAddress, noteSetting } from '../storage/settings.ts';
import { isReachable, openStorage } from '../storage/state.ts';
import { type Background, createBackground } from '../system/background.ts';
import { openObjectStore } from '../system/store/object-store.ts';
import { type Clock, type Ids, type Log } from '../system/ports.ts';
import { settledWithin } from '../system/within.ts';
import { createAccounts } from './accounts.ts';
import { createFeatures, type Features } from './features.ts';
import { deleteByAge } from './delete-by-age.ts';
import { factsOf, version } from './facts.ts';
import { createLive } from './live.ts';
import { openUploads } from './uploads.ts';

/** What the server gets from outside. */
interface AppParts {
  /** This machine's clock; not used where processes share a database, which then serves the time. */
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Prints a line to the terminal of the person who started the server, where there is one. */
  say?: (line: string) => void;
  /** The built web application; by default web/dist. */
  webDir?: string;
  /** Tests only: push messages may go to this machine, over plain http. */
  pushToLoopback?: boolean;
  /** Tests only: where the pages of previews are. */
  previewLine?: PreviewsDeps['line'];
  /** Tests only: a write fails when it touches a stream that it did not name, instead of being logged as an error. */
  isStrict?: boolean;
  /** Tests only: called for every SQL statement. */
  onStatement?: ((statement: string) => void) | undefined;
  /** Tests only: a process starts also where it does not fit those that run, as with a folder of its own. */
  mayDiffer?: boolean;
  /** Tests only: nothing runs in the background by itself, only by `runBackground`. */
  isStill?: boolean | undefined;
  /** Tests only: `clock` serves the time also where processes share a database. */
  keepsOwnTime?: boolean;
}

/** What runs in the background, and how it is stopped. */
interface Running {
  background: Background;
  /** Set when the server begins to stop; `/readyz` says so. */
  isClosing: boolean;
  /** Run in reverse: what was made last is closed first. */
  closers: (() => Promise<void>)[];
  end: () => Promise<void>;
}

export interface App {
  /** Starts accepting connections. */
  listen(): Promise<void>;
  /** Stops accepting requests, lets running ones finish, closes everything. */
  close(): Promise<void>;
  /** The address of links and origin checks; final once it listens. */
  readonly url: string;
  /** What to open on other devices of the network. */
  readonly networkUrls: readonly string[];
  /** Whether the first account is still to be made, which runs the server. */
  needsOperator(): Promise<boolean>;
  /** The port it listens on, 0 before it does. */
  readonly port: number;
  /** Runs every background task once: for tests with a clock of their own. */
  runBackground(): Promise<void>;
  /** Its database, for tests: what they store through another connection is not read while a sync is under way. */
  readonly db: Base['record']['db'];
}

/** How long a stop waits for background tasks: a database that does not answer must not hold it up for ever. */
const tasksEndWithinMs = 2000;
/** How long a stop waits for requests over HTTP. */
const requestsEndWithinMs = 4000;
const lookAtDiskEveryMs = 10 * 1000;
const pruneCatalogueEveryMs = 60 * 60 * 1000;
const pruneDevicesEveryMs = 60 * 60 * 1000;
const eachMinuteMs = 60 * 1000;
const lookForMediaEveryMs = 5 * 60 * 1000;

/** Opens the database and wires everything; `listen` makes it reachable. Throws when something it needs is missing. */
export async function createApp(config: Config, parts: AppParts): Promise<App> {
  const background = createBackground(parts.log, parts.isStill);
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
  const { record, ids, log, origins } = base;
  const push = await pushOf(config, parts, running, { ...base, isConnectedHere: (uid) => live.isConnectedHere(uid) });
  const processId = ids.newId();
  const doorbell = await openDoorbell(config.redisUrl, base, processId);
  closers.push(() => doorbell.close());
  const names = namesIn(() => catalogue);
  const listens = openListens({ ...base, ...names, server: config.listenbrainz, version }, background);
  closers.push(() => listens.close());
  const music = openMusicHearing({ ...base, ...names }, background);
  const ofPages = { publicUrl: origins.publicUrl, version, encodingOf, line: parts.previewLine };
  const previews = openPreviews({ ...base, ...config, ...ofPages });
  const features = createFeatures({
    ...base,
    ...{ doorbell, previews, ...names, peoplePerRoom: config.peoplePerRoom },
    mayPlay: (...args) => catalogue.links.mayPlay(...args),
    ...{ notify: push.notify, beginsToKeep: music.begin },
    noteDrift: listens.notingAlso(driftMetric(base.metrics), music),
    catalogue: { suggest: (...args) => catalogue.suggest(...args) },
    // What is not listed yet may be there.
    isInLibrary: (item) => !catalogue.library.isListed() || catalogue.library.byId(item) !== null,
    connections: {
      subscribe: (...args) => live.connections.subscribe(...args),
      unsubscribe: (...args) => live.connections.unsubscribe(...args),
      moveTo: (...args) => live.connections.moveTo(...args),
    },
  });
  const accounts = createAccounts(config, { ...base, hooks: features.accountHooks, say: parts.say, doorbell });
  background.every(eachMinuteMs, 'rooms.count-heard', () => countHeard(base));
  background.every(eachMinuteMs, 'accounts.removals', () => accounts.services.removal.finish());
  const catalogue = await openCatalogue({ ...base, ...config, limitScale: config.rateLimitScale, db: record.db });
  closers.push(() => catalogue.close());
  background.every(pruneCatalogueEveryMs, 'catalogue.prune', () => catalogue.prune());
  background.every(lookForMediaEveryMs, 'library.refresh', () => catalogue.refresh());
  const known = { config, processId, doorbell, catalogue, background };
  const processes = await processesOf({ ...base, ...known, machine: parts.clock });
  const routed = { ...base, processes, accounts, push, catalogue, listens, queues: features.queues };
  const { http, listen } = await openHttp(config, parts.webDir ?? builtWeb, running, routed);
  const live = createLive({
    ...base,
    http: http.server,
    ...{ features, doorbell, processId, catalogue, background, music },
    limitScale: config.rateLimitScale,
  });
  closers.push(() => live.close(), previews.close);

  const port = () => (http.server.address() as AddressInfo | null)?.port ?? 0;
  return {
    async listen() {
      if (parts.mayDiffer !== true) await processes.assertFits();
      await live.start();
      await processes.look();
      await listen(config);
      origins.listensOn(port());
      // On a full disk the server starts all the same.
      await noteAddress(record.db, origins.linkUrl()).catch((err: unknown) => log.warn({ err }, 'server.not-noted'));
    },
    async close() {
      running.isClosing = true;
      // An idle connection would hold up the stop for ever.
      const force = setInterval(() => http.server.closeAllConnections(), requestsEndWithinMs);
      await end();
      clearInterval(force);
    },
    needsOperator: accounts.services.needsOperator,
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
    db: record.db,
  };
}

type PushOwner = Base & Pick<Parameters<typeof openPush>[0], 'isConnectedHere'>;

async function pushOf(config: Config, parts: AppParts, { background, closers }: Running, base: PushOwner) {
  const push = await openPush({
    ...base,
    liveSessions: base.sessions.stillLive,
    publicUrl: base.origins.publicUrl,
    mailFrom: config.mailFrom,
    allowLoopback: parts.pushToLoopback ?? false,
  });
  background.every(pruneDevicesEveryMs, 'push.prune', base.ages.unlessHeld(push.prune));
  closers.push(() => push.close());
  return push;
}

type KnownBy = Base &
  Pick<Parameters<typeof openProcesses>[0], 'config' | 'processId' | 'doorbell' | 'machine' | 'background'>;

async function processesOf(parts: KnownBy & { catalogue: Catalogue }): Promise<Processes> {
  const { library } = parts.catalogue;
  let isRead = false;
  void library.firstReading.then(
    () => (isRead = true),
    () => undefined,
  );
  return await openProcesses({ ...parts, version, libraryItems: () => (isRead ? library.list() : null) });
}

async function openDoorbell(redisUrl: string | null, { database, log }: Base, processId: string): Promise<Doorbell> {
  if (redisUrl === null) return localDoorbell({ mayHaveMissed: database.watchOthers() });
  return await redisDoorbell(redisUrl, processId, await doorbellKey(database.db), log);
}

const mailEveryMs = 5000;

type Base = Awaited<ReturnType<typeof openBase>>;

/** What everything else builds on: storage, time, limits, mail, sessions, and the server's own origins. */
async function openBase(config: Config, parts: AppParts, { background, closers }: Running) {
  const { clock: machine, ids, log, keepsOwnTime = false } = parts;
  const database = await openStorage(config, { onStatement: parts.onStatement, log });
  closers.push(() => database.close());
  const { db, dialect } = database;
  const store = await openObjectStore(config.s3);
  const isShared = dialect === 'postgres' && !keepsOwnTime;
  const clock = isShared ? await sharedClock(db, { machine, log, background }) : machine;
  const record = new StreamRecord(
    database,
    clock,
    parts.isStrict ? undefined : (stream) => log.error({ stream }, 'record.unnamed-stream'),
  );

  const shared =
    config.redisUrl === null ? null : await redisRateLimitStore(config.redisUrl, await doorbellKey(db), log);
  if (shared) closers.push(() => shared.close());
  const { rateLimitScale: scale, storedMbPerPerson } = config;
  const sizes = sizesFor(config);
  const limits = createLimits({
    ...{ clock, scale, sizes, refused: refusalLog({ clock, log }) },
    ...(shared ? { store: shared } : {}),
  });
  const mostBytes = scale === 0 ? Infinity : storedMbPerPerson * 1024 * 1024;
  const kept = keptBytes({ limits, clock, mostBytes });

  const transport =
    config.smtpUrl === null
      ? outboxTransport({ folder: join(config.dataDir, 'outbox'), from: config.mailFrom, clock, log })
      : (await import('../mail/smtp-transport.ts')).smtpTransport(config.smtpUrl, config.mailFrom);
  const mail = mailQueue({ db, clock, ids, log, transport });
  closers.push(() => mail.close());
  background.every(mailEveryMs, 'mail', () => mail.sendDue());

  const origins = createOrigins(config);
  const addresses = createAddresses({ trustProxy: config.trustProxy, publicUrl: origins.publicUrl, log });
  const cookie = createSessionCookie(origins);
  // Where no page writes nothing else would say that changes can be stored again.
  background.every(lookAtDiskEveryMs, 'storage.look', async () => {
    const trouble = database.writing.now()?.trouble ?? 'slow';
    if (trouble !== 'slow') await record.write([], ({ db: inside }) => noteSetting(inside, 'written-at-start', '1'));
  });
  await assertClock(db, clock.now());
  const ages = await agesOf(db, clock, log);
  const sessions = sessionsService({ record, clock, ages, ids, log, readCookie: cookie.read });
  const devices = await openKnownDevices(db);
  deleteByAge(background, { database, record, clock, ages, sessions, mail });
  const metrics = createMetrics();
  const turns = createTurns(scale);
  return {
    ...{ turns, database, dialect, store, record, clock, ages, ids, log },
    ...{ limits, kept, mail, origins, addresses, cookie, sessions, devices, metrics },
  };
}

interface HttpParts extends Base, Pick<Features, 'queues'> {
  accounts: ReturnType<typeof createAccounts>;
  push: PushService;
  catalogue: Catalogue;
  listens: ListensService;
  processes: Processes;
}

/** Everything that is answered over HTTP: accounts, files, pages, health and metrics. Ready to listen. */
async function openHttp(config: Config, webDir: string, running: Running, parts: HttpParts) {
  const { log, limits, origins, addresses, cookie, sessions, accounts, catalogue, database } = parts;
  const { background, closers } = running;
  const playFrom = config.linkHosts.map((host) => `https://${host}`);
  const connectTo = config.tokenSyncUrl === null ? [] : [new URL(config.tokenSyncUrl).origin];
  const mediaFrom = config.mediaHost === null ? [] : [new URL(config.mediaHost.url).origin];
  const http = createHttpServer({ log, origins, connectTo, mediaFrom, playFrom, networkOf: addresses.networkOf });
  const isBehindProxy = config.trustProxy.length > 0;
  if (!isBehindProxy) boundConnections(http.server, config.rateLimitScale);
  const floods = boundFloods(http, {
    networkOf: addresses.networkOf,
    ...{ clock: parts.clock, scale: config.rateLimitScale, isBehindProxy },
  });
  const operator = operatorAccess(config.metricsToken, addresses, limits);
  healthRoutes(http, {
    isReady: async () => !running.isClosing && (await isReachable(database)),
    ...{ operator, metrics: parts.metrics },
  });
  databaseMetrics(parts.metrics, database);
  statusRoutes(http, {
    ...{ operator, limits, addresses, metrics: parts.metrics, publicUrl: origins.publicUrl },
    facts: factsOf(parts),
    processes: parts.processes,
    library: catalogue.library,
    heaviest: (most) => heaviestOf(parts.record.db, most),
  });
  cspReportRoute(http, { limits, addresses, log });
  socketRoute(http, log);
  const routes = createRoutes({
    http,
    limits,
    sessionOfCookie: sessions.sessionOfCookie,
    cookie,
    origins,
    addresses,
    networkRefused: floods.refused,
    ...{ log, turns: parts.turns },
  });
  const { admitFile } = routes;
  accountRoutes(routes.register, accounts.services);
  await http.register(exportRoutes({ exports: accounts.exports, admitFile }));
  pushRoutes(routes.register, parts.push);
  listensRoutes(routes.register, parts.listens);
  besideRoutes(http, routes.register, { ...parts, library: catalogue.library });
  const reader = imageReader({ log });
  const makeSmaller = smallerBy(reader);
  const { library, even } = catalogue;
  const elsewhere = mediaAddressesOf(config, () => parts.clock.now());
  await http.register(mediaRoutes({ library, even, elsewhere, admitFile, limits, makeSmaller, log }));
  await http.register(playlistRoutes({ ...catalogue, queues: parts.queues, publicUrl: origins.publicUrl, admitFile }));
  const recordings = await openUploads(http, background, { ...parts, dataDir: config.dataDir, admitFile, reader });
  routes.assertComplete();
  const drawer = imageReader({ log, program: linkCardWorker });
  linkCardRoutes(http, { drawer, limits, addresses });
  await pageRoutes(http, webDir, origins);
  const { listen, close } = listening(http);
  closers.push(close);
  // Closed first, so that requests that wait for them are answered at once.
  closers.push(
    () => reader.close(),
    () => drawer.close(),
    () => recordings.close(),
    () => accounts.services.waiting.close(),
  );
  await http.ready();
  return { http, listen };
}

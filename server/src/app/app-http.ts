/**
 * Composes everything that is answered over HTTP: accounts, files, pages, health and metrics.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { protocolVersion } from '@tunemate/protocol';
import type { FastifyInstance } from 'fastify';
import { accountRoutes } from '../accounts/accounts-routes.ts';
import { exportRoutes } from '../accounts/export.ts';
import type { Running } from './app-parts.ts';
import type { Accounts } from './app-accounts.ts';
import type { Base } from './app-base.ts';
import { mediaRoutes } from '../catalogue/media/media-routes.ts';
import type { Catalogue } from '../catalogue/open-catalogue.ts';
import { imageFiles } from '../chats/pictures/image-files.ts';
import { imagesRoutes } from '../chats/pictures/images-routes.ts';
import { imagesService } from '../chats/pictures/images.ts';
import { imageReader } from '../chats/pictures/image-reader.ts';
import type { Config } from '../config.ts';
import { boundConnections, createHttpServer } from '../http/http-server.ts';
import { cspReportRoute } from '../http/security-headers.ts';
import { healthRoutes, operatorAccess } from '../http/health.ts';
import { pageRoutes } from '../http/pages.ts';
import { createRoutes } from '../http/routes.ts';
import { ownPackageFile } from '../paths.ts';
import { pushRoutes, type PushService } from '../push/push.ts';
import { databaseMetrics } from '../status/database-metrics.ts';
import type { Facts } from '../status/status-figures.ts';
import { statusRoutes } from '../status/status-page.ts';
import { knownMigrations } from '../storage/database.ts';
import { isReachable } from '../storage/state.ts';

const sweepImagesEveryMs = 60 * 60 * 1000;

export interface HttpParts extends Base {
  accounts: Accounts;
  push: PushService;
  catalogue: Catalogue;
}

/** Ready to listen. */
export async function openHttp(
  config: Config,
  webDir: string,
  running: Running,
  parts: HttpParts,
): Promise<FastifyInstance> {
  const { log, limits, origins, addresses, cookie, sessions, accounts, catalogue, database } = parts;
  const { background, closers } = running;
  const connectTo = config.tokenSyncUrl === null ? [] : [new URL(config.tokenSyncUrl).origin];
  const http = createHttpServer({ log, origins, connectTo });
  if (config.trustProxy.length === 0) boundConnections(http.server, config.rateLimitScale);
  const operator = operatorAccess(config.metricsToken, addresses);
  healthRoutes(http, {
    isReady: async () => !running.isClosing && (await isReachable(database)),
    ...{ operator, limits, addresses, metrics: parts.metrics },
  });
  databaseMetrics(parts.metrics, database.db);
  statusRoutes(http, {
    ...{ operator, limits, addresses, metrics: parts.metrics, publicUrl: origins.publicUrl },
    facts: factsOf(parts),
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
  const { admitFile } = routes;
  accountRoutes(routes.register, accounts.services);
  await http.register(exportRoutes({ exports: accounts.exports, admitFile }));
  pushRoutes(routes.register, parts.push);
  await http.register(mediaRoutes({ library: catalogue.library, copies: catalogue.copies, admitFile, limits }));
  const reader = imageReader({ log });
  const files = imageFiles(join(config.dataDir, 'images'));
  const images = imagesService({ ...parts, files, reader });
  await http.register(imagesRoutes({ images, admitFile }));
  background.every(sweepImagesEveryMs, 'chats.images', () => images.sweep());
  routes.assertComplete();
  await pageRoutes(http, webDir);
  closers.push(() => http.close());
  // Closed first, so that requests that wait for it are refused at once.
  closers.push(() => reader.close());
  await http.ready();
  return http;
}

const ownPackage = createRequire(import.meta.url)(ownPackageFile) as { version: string };

const factsOf =
  ({ dialect, clock }: HttpParts) =>
  (): Facts => ({
    version: ownPackage.version,
    protocolVersion,
    node: process.version,
    database: { sqlite: 'SQLite', postgres: 'PostgreSQL' }[dialect],
    schema: String(knownMigrations.at(-1)),
    upMs: process.uptime() * 1000,
    nowMs: clock.now(),
  });

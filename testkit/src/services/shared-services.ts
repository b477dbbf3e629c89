/**
 * One PostgreSQL and one Redis for a whole test run, started by the first test that asks.
 * Vitest's main process owns them; its workers ask over loopback, so a run that needs none starts none.
 */
import { serve } from '../network/serve.ts';
import type { TestProject } from 'vitest/node';
import { migrate, openDatabase } from '../../../server/src/storage/database.ts';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';
import { ServiceUnavailable } from './system-programs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where workers ask: GET /postgres or /redis. */
    sharedServicesUrl: string;
  }
}

/** The services that a run shares. */
export type ServiceName = 'postgres' | 'redis';

/** What the owner answers a worker. */
export type ServiceAnswer =
  | { readonly status: 'ready'; readonly url: string }
  /** This machine cannot run it. */
  | { readonly status: 'unavailable'; readonly reason: string }
  /** It can run here and did not start. */
  | { readonly status: 'failed'; readonly reason: string };

interface Service {
  readonly url: string;
  stop(): Promise<void>;
}

const starters: Record<ServiceName, () => Promise<Service>> = {
  postgres: startMigratedPostgres,
  redis: () => startRedis(),
};

/**
 * Each new database of a server of our own is a copy of its `template1`. With our tables in there, the hundreds of
 * databases of a run need no migration of their own, which would take longer than most of their tests.
 */
async function startMigratedPostgres(): Promise<Service> {
  // It would begin a process again and again for each of hundreds of databases, of which few live as long as a minute.
  const server = await startPostgres({ settings: ['autovacuum=off'] });
  if (server.isOurs) {
    const template = new URL(server.url);
    template.pathname = '/template1';
    const database = openDatabase(template.href);
    await migrate(database);
    await database.close();
  }
  return server;
}

/** Vitest's global set-up: opens the desk where workers ask for services; what it returns is the tear-down. */
export default async function openSharedServices(project: TestProject): Promise<() => Promise<void>> {
  const asked = new Map<ServiceName, Promise<Service>>();
  const desk = await serve((request, response) => {
    const name = request.url === '/redis' ? 'redis' : 'postgres';
    const service = asked.get(name) ?? starters[name]();
    asked.set(name, service);
    void answer(service).then((reply) => response.end(JSON.stringify(reply)));
  });
  project.provide('sharedServicesUrl', desk.url);
  return async () => {
    await desk.close();
    for (const service of await Promise.allSettled(asked.values())) {
      if (service.status === 'fulfilled') await service.value.stop();
    }
  };
}

async function answer(service: Promise<Service>): Promise<ServiceAnswer> {
  try {
    return { status: 'ready', url: (await service).url };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { status: error instanceof ServiceUnavailable ? 'unavailable' : 'failed', reason };
  }
}

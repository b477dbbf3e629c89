import { httpRequests, type RouteName } from '@tunemate/protocol';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { createLimits } from '../access/limits.ts';
import { fileAccess, type FileRouteName } from '../access/files.ts';
import { createLog } from '../system/logging.ts';
import { accept } from '../system/ports.ts';
import { createAddresses } from './address.ts';
import { createOrigins } from './origins.ts';
import { createRoutes, type RouteHandler } from './routes.ts';
import { createSessionCookie } from './session-cookie.ts';

function routes() {
  const origins = createOrigins({ publicUrl: 'http://localhost:3000', isPublicUrlGiven: true, host: '127.0.0.1' });
  return createRoutes({
    http: Fastify(),
    limits: createLimits({ clock: { now: () => 0 }, scale: 0 }),
    sessionOfCookie: () => Promise.resolve({ status: 'signed-out' }),
    cookie: createSessionCookie(origins),
    origins,
    addresses: createAddresses({ trustProxy: [], publicUrl: origins.publicUrl, log: createLog('silent') }),
    log: createLog('silent'),
  });
}
const nothing = (() => Promise.resolve(accept({}))) as unknown as RouteHandler<RouteName>;
const all = Object.keys(httpRequests) as RouteName[];
const files = Object.keys(fileAccess) as FileRouteName[];

describe('the table of routes', () => {
  test('is complete when every row has its handler', () => {
    const complete = routes();
    for (const name of all) complete.register(name, nothing);
    for (const name of files) complete.admitFile(name);
    expect(() => complete.assertComplete()).not.toThrow();
  });

  test.each(all)('stops the start when the handler of %s is missing', (missing) => {
    const incomplete = routes();
    for (const name of all) if (name !== missing) incomplete.register(name, nothing);
    for (const name of files) incomplete.admitFile(name);
    expect(() => incomplete.assertComplete()).toThrow(missing);
  });

  test.each(files)('stops the start when the file route %s has no handler', (missing) => {
    const incomplete = routes();
    for (const name of all) incomplete.register(name, nothing);
    for (const name of files) if (name !== missing) incomplete.admitFile(name);
    expect(() => incomplete.assertComplete()).toThrow(missing);
  });

  test('refuses an undeclared handler and a second one', () => {
    const { register, admitFile } = routes();
    expect(() => admitFile('GET /secrets' as FileRouteName)).toThrow('not declared');
    admitFile('GET /media/:id');
    expect(() => admitFile('GET /media/:id')).toThrow('two handlers');
    expect(() => register('GET /api/secrets' as RouteName, nothing)).toThrow('not declared');
    expect(() => register('constructor' as RouteName, nothing)).toThrow('not declared');
    register('GET /api/session', nothing as RouteHandler<'GET /api/session'>);
    expect(() => register('GET /api/session', nothing as RouteHandler<'GET /api/session'>)).toThrow('two handlers');
  });
});

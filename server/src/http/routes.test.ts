import { PassThrough } from 'node:stream';
import { httpRequests, type RouteName, type Uid } from '@tunemate/protocol';
import { newClientId } from '@tunemate/testkit/answers';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { describe, expect, test } from 'vitest';
import { createLimits } from '../access/limits.ts';
import { fileAccess, type FileRouteName } from '../access/files.ts';
import type { SessionOfCookie } from '../access/session.ts';
import { playlistRoutes } from '../catalogue/playlists/playlist-routes.ts';
import { takeUploads } from '../chats/uploads/upload-route.ts';
import { createLog } from '../system/logging.ts';
import { createTurns, type Turns } from '../realtime/turns.ts';
import { accept } from '../system/ports.ts';
import { createAddresses, createOrigins } from './address.ts';
import { createFileSlots, createRoutes, type RouteHandler } from './routes.ts';
import { createSessionCookie } from './session-cookie.ts';

interface Options {
  http?: FastifyInstance;
  turns?: Turns;
  sessionOfCookie?: SessionOfCookie;
}

function routes({ http = Fastify(), turns = createTurns(0), ...options }: Options = {}) {
  const origins = createOrigins({ publicUrl: 'http://localhost:3000', isPublicUrlGiven: true, host: '127.0.0.1' });
  return createRoutes({
    http,
    limits: createLimits({ clock: { now: () => 0 }, scale: 0 }),
    sessionOfCookie: options.sessionOfCookie ?? (() => Promise.resolve({ status: 'signed-out' })),
    cookie: createSessionCookie(origins),
    origins,
    addresses: createAddresses({ trustProxy: [], publicUrl: origins.publicUrl, log: createLog('silent') }),
    turns,
    log: createLog('silent'),
  });
}
const nothing = (() => Promise.resolve(accept({}))) as unknown as RouteHandler<RouteName>;
const all = Object.keys(httpRequests) as RouteName[];
const files = Object.keys(fileAccess) as FileRouteName[];

describe('the table of routes', () => {
  test('starts when every declared route has its handler', () => {
    const complete = routes();
    for (const name of all) complete.register(name, nothing);
    for (const name of files) complete.admitFile(name);
    expect(() => complete.assertComplete()).not.toThrow();
  });

  test.each(all)('throws at start when %s has no handler', (missing) => {
    const incomplete = routes();
    for (const name of all) if (name !== missing) incomplete.register(name, nothing);
    for (const name of files) incomplete.admitFile(name);
    expect(() => incomplete.assertComplete()).toThrow(missing);
  });

  test.each(files)('throws at start when the file route %s has no handler', (missing) => {
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

test('requests of one person over HTTP are served in turn with those of others, and files too (WIRE-68)', async () => {
  const http = Fastify();
  const sessionOfCookie = (cookie: string | undefined) =>
    Promise.resolve({ status: 'signed-in' as const, uid: (cookie ?? '') as Uid, sessionId: 's' });
  const { register, admitFile } = routes({ http, turns: createTurns(1), sessionOfCookie });
  const served: string[] = [];
  http.setValidatorCompiler(() => () => true);
  http.setSerializerCompiler(() => () => '{}');
  register('GET /api/accounts/sessions', (caller) => {
    served.push(caller.session.uid);
    return Promise.resolve(accept({ sessions: [] }));
  });
  const file = admitFile('GET /media/:id');
  http.get('/media/:id', { onRequest: file.onRequest }, (request, reply) => {
    served.push(file.callerOf(request).session.uid);
    return reply.send('');
  });
  await http.ready();
  for (const url of ['/api/accounts/sessions', '/media/one']) {
    served.length = 0;
    const ask = (cookie: string) => http.inject({ url, headers: { cookie } });
    const many = Array.from({ length: 60 }, () => ask('mara'));
    const other = ask('ivo');
    expect((await other).statusCode).toBe(200);
    expect(served.indexOf('ivo')).toBeLessThan(20);
    await Promise.all(many);
    expect(served).toHaveLength(61);
  }
});

test('what is sent up is worked on in the turn of its person, who pays for it with their share (WIRE-68)', async () => {
  const sessionOfCookie = () => Promise.resolve({ status: 'signed-in' as const, uid: 'mara' as Uid, sessionId: 's' });
  let inTurnOf: string | null = null;
  const turns: Turns = async ({ uid }, lane, work) => {
    inTurnOf = `${uid} ${lane}`;
    return await work(() => undefined).finally(() => (inTurnOf = null));
  };
  const seen: (string | null)[] = [];
  const http = Fastify();
  const { admitFile } = routes({ http, turns, sessionOfCookie });
  for (const name of ['POST /api/chats/images', 'POST /api/chats/voices'] as const) {
    await http.register((inner, _options, done) => {
      const upload = () => {
        seen.push(inTurnOf);
        return Promise.resolve(accept({}));
      };
      takeUploads(inner, { name, takenTypes: ['image/png'], bodyLimit: 100, admitFile, upload });
      done();
    });
  }
  const list = () => {
    seen.push(inTurnOf);
    return [];
  };
  const library = { list, byId: () => null };
  const save = () => Promise.resolve(accept({ outcome: 'nothing' }));
  const deps = { queues: { save }, library, links: { read: () => null }, publicUrl: () => '', admitFile };
  await http.register(playlistRoutes(deps as unknown as Parameters<typeof playlistRoutes>[0]));
  const send = (url: string, type: string) =>
    http.inject({
      method: 'POST',
      url,
      headers: { 'content-type': type, origin: 'http://localhost:3000' },
      payload: 'x.mp3',
    });
  await send(`/api/chats/images?with=${'A'.repeat(22)}`, 'image/png');
  await send(`/api/chats/voices?with=${'A'.repeat(22)}`, 'image/png');
  await send(`/api/queues/m3u8?kind=audio&name=List&clientId=${newClientId()}`, 'audio/x-mpegurl');
  expect(seen).toEqual(['mara http', 'mara http', 'mara http']);
});

test('files are sent to four hundred at once of one customer, whatever the accounts and networks, and to others', () => {
  const hold = createFileSlots(8);
  const ends: (() => void)[] = [];
  const take = (n: number, network: string) => {
    const raw = new PassThrough();
    ends.push(() => raw.destroy());
    const session = { status: 'signed-in', uid: `person ${String(n)}` as Uid, sessionId: 's' } as const;
    try {
      hold({ session, network } as Parameters<typeof hold>[0], { raw } as unknown as FastifyReply);
      return 'held';
    } catch (error) {
      return (error as Error).message;
    }
  };
  for (let n = 0; n < 400; n += 1) expect(take(n, `2001:db8:7:${n.toString(16)}`)).toBe('held');
  expect(take(400, '2001:db8:7:ffff')).toBe('limit/too-many');
  expect(take(401, '2001:db8:8:0')).toBe('held');
  ends.forEach((end) => end());
});

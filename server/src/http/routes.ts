/**
 * One way in for every HTTP request of the protocol: its row of the access table, the session it needs, its schema, its
 * limits, its handler. What is not in the table can't be registered, and a row without a handler stops the start (R1).
 */
import { httpRequests, type RouteName, type RoutePayload, type RouteValue } from '@tunemate/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { BucketName, Limits } from '../access/limits.ts';
import type { Session, SessionOfCookie } from '../access/session.ts';
import { type AccessRow, httpAccess } from '../access/table.ts';
import { type Log, type Outcome, refuse } from '../ports.ts';
import { type Addresses, networkOf } from './address.ts';
import { RefusedRequest, sendRefusal } from './answers.ts';
import type { Origins } from './origins.ts';
import { isFromOwnPage } from './same-site.ts';
import type { SessionCookie } from './session-cookie.ts';

const warnedOrigins = 10;

interface SessionFor {
  none: Session;
  session: Exclude<Session, { status: 'signed-out' }>;
  verified: Extract<Session, { status: 'signed-in' }>;
}

/** Who asks, from the connection and the cookie alone. */
export interface Visit<Who extends Session = Session> {
  session: Who;
  address: string;
  /** The address as limits count it. */
  network: string;
  userAgent: string;
  isFromThisMachine: boolean;
  /** Gives the browser a session's token. */
  keepSession(token: string): void;
  /** Takes the cookie back and asks the browser to forget what it stored of us. */
  dropSession(): void;
}

export type VisitOf<Name extends RouteName> = Visit<SessionFor[(typeof httpAccess)[Name]['session']]>;
export type RouteHandler<Name extends RouteName> = (
  visit: VisitOf<Name>,
  payload: RoutePayload<Name>,
) => Promise<Outcome<RouteValue<Name>>>;
/** The buckets that one call draws from; by default its row's, keyed by person or address. */
export type BucketsOf<Name extends RouteName> = (
  visit: VisitOf<Name>,
  payload: RoutePayload<Name>,
) => readonly (readonly [BucketName, string])[];

export type RegisterRoute = <Name extends RouteName>(
  name: Name,
  handler: RouteHandler<Name>,
  bucketsOf?: BucketsOf<Name>,
) => void;

export interface RoutesDeps {
  http: FastifyInstance;
  limits: Limits;
  sessionOfCookie: SessionOfCookie;
  cookie: SessionCookie;
  origins: Origins;
  addresses: Addresses;
  log: Log;
}

export interface Routes {
  register: RegisterRoute;
  /** Throws when a row of the access table has no handler. */
  assertComplete(): void;
}

export function createRoutes(deps: RoutesDeps): Routes {
  const { http, limits, sessionOfCookie, cookie, origins, addresses } = deps;
  const warnOnce = foreignPageWarning(deps.log, origins);
  const registered = new Set<string>();
  const visits = new WeakMap<FastifyRequest, Visit>();

  async function visitOf(request: FastifyRequest, reply: FastifyReply): Promise<Visit> {
    const address = addresses.of(request.raw);
    return {
      session: await sessionOfCookie(request.headers.cookie),
      address,
      network: networkOf(address),
      userAgent: request.headers['user-agent'] ?? '',
      isFromThisMachine: addresses.isLocal(request.raw),
      keepSession: (token) => void reply.header('set-cookie', cookie.keep(token)),
      dropSession: () => void reply.header('set-cookie', cookie.drop()).header('clear-site-data', '"cache", "storage"'),
    };
  }

  /** Before the body is even read: the address's own limit, the same-site rule, the session. */
  async function admit(row: AccessRow, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    pass(await limits.take('httpIp', networkOf(addresses.of(request.raw))));
    if (request.method !== 'GET' && request.method !== 'HEAD' && !isFromOwnPage(request.headers, origins)) {
      warnOnce(request.headers.origin);
      pass(refuse('access/cross-site'));
    }
    const visit = await visitOf(request, reply);
    const { session } = visit;
    if (row.session !== 'none' && session.status === 'signed-out') pass(refuse('auth/required'));
    if (row.session === 'verified' && session.status === 'unverified') pass(refuse('auth/email-unverified'));
    if (session.status !== 'signed-out') pass(await limits.take('general', session.uid));
    visits.set(request, visit);
  }

  function register<Name extends RouteName>(
    name: Name,
    handler: RouteHandler<Name>,
    bucketsOf?: BucketsOf<Name>,
  ): void {
    if (!Object.hasOwn(httpAccess, name)) throw new Error(`${name} is not in the access table`);
    if (registered.has(name)) throw new Error(`${name} has two handlers`);
    registered.add(name);
    const row: AccessRow = httpAccess[name];
    const { payload, value } = httpRequests[name];
    const [method, url] = name.split(' ') as ['GET' | 'POST' | 'PATCH', string];
    const isGet = method === 'GET';
    const buckets = bucketsOf ?? ((visit) => ownBuckets(row, visit));
    http.route({
      method,
      url,
      schema: {
        ...(isGet ? { querystring: payload } : { querystring: z.strictObject({}), body: payload }),
        response: { 200: z.strictObject({ ok: z.literal(true), value }) },
      },
      onRequest: (request, reply) => admit(row, request, reply),
      handler: async (request, reply) => {
        const visit = visits.get(request) as VisitOf<Name>;
        const read = (isGet ? request.query : request.body) as RoutePayload<Name>;
        for (const [bucket, key] of buckets(visit, read)) pass(await limits.take(bucket, key));
        const outcome = await handler(visit, read);
        return outcome.ok ? outcome : sendRefusal(reply, outcome);
      },
    });
  }

  return {
    register,
    assertComplete() {
      const missing = Object.keys(httpAccess).filter((name) => !registered.has(name));
      if (missing.length > 0) throw new Error(`no handler for ${missing.join(', ')}`);
    },
  };
}

/** Most often it is no attack: the people who run this open it under an address that PUBLIC_URL does not name. */
function foreignPageWarning(log: Log, origins: Origins): (origin: string | undefined) => void {
  const warned = new Set<string>();
  return (origin = 'none') => {
    if (warned.has(origin) || warned.size >= warnedOrigins) return;
    warned.add(origin);
    const advice = 'if that is how people reach this server, set PUBLIC_URL to it';
    log.warn({ origin: origin.slice(0, 200), publicUrl: origins.publicUrl(), advice }, 'request.foreign-origin');
  };
}

function ownBuckets(row: AccessRow, { session, network }: Visit): readonly (readonly [BucketName, string])[] {
  // 'general' was already drawn on the way in.
  if (row.limit === 'general') return [];
  return [[row.limit, session.status === 'signed-out' ? network : session.uid]];
}

function pass(outcome: Outcome<unknown>): void {
  if (!outcome.ok) throw new RefusedRequest(outcome);
}

/**
 * Registers every HTTP route of the protocol with its row of the access table: session, schema, limits, handler. A
 * route without a row can't be registered, and a row without a handler stops the start. Addresses of files have rows of
 * their own and are counted the same way.
 */
import { httpRequests, type RouteName, type RoutePayload, type RouteValue, type Result } from '@tunemate/protocol';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import type { BucketName } from '../access/limits.ts';
import type { Session } from '../access/session.ts';
import { fileAccess, type FileRouteName, httpAccess, type RouteAccessRow } from '../access/table.ts';
import { type AdmissionDeps, createAdmission, pass, type Visit } from './admission.ts';
import { sendRefusal } from './answers.ts';

interface SessionFor {
  none: Session;
  session: Exclude<Session, { status: 'signed-out' }>;
  verified: Extract<Session, { status: 'signed-in' }>;
}

export type VisitOf<Name extends RouteName> = Visit<SessionFor[(typeof httpAccess)[Name]['session']]>;
export type RouteHandler<Name extends RouteName> = (
  visit: VisitOf<Name>,
  payload: RoutePayload<Name>,
) => Promise<Result<RouteValue<Name>>>;
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

/** Admission to a route that takes or sends bytes. */
export interface FileAdmission {
  onRequest: onRequestAsyncHookHandler;
  /** The caller, once admitted: every row of files requires a verified session. */
  visitOf(request: FastifyRequest): Visit<SessionFor['verified']>;
}
export type AdmitFile = (name: FileRouteName) => FileAdmission;

export interface RoutesDeps extends AdmissionDeps {
  http: FastifyInstance;
}

export interface Routes {
  register: RegisterRoute;
  /** Called once for each row, with the route that the caller serves. */
  admitFile: AdmitFile;
  /** Throws when a row of the access table has no handler. */
  assertComplete(): void;
}

export function createRoutes(deps: RoutesDeps): Routes {
  const { http, limits } = deps;
  const { admit, visitOf } = createAdmission(deps);
  const registered = new Set<string>();

  function claim(name: string, table: object): void {
    if (!Object.hasOwn(table, name)) throw new Error(`${name} is not in the access table`);
    if (registered.has(name)) throw new Error(`${name} has two handlers`);
    registered.add(name);
  }

  function register<Name extends RouteName>(
    name: Name,
    handler: RouteHandler<Name>,
    bucketsOf?: BucketsOf<Name>,
  ): void {
    claim(name, httpAccess);
    const row: RouteAccessRow = httpAccess[name];
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
        const visit = visitOf(request) as VisitOf<Name>;
        const read = (isGet ? request.query : request.body) as RoutePayload<Name>;
        for (const [bucket, key] of buckets(visit, read)) pass(await limits.take(bucket, key));
        const outcome = await handler(visit, read);
        return outcome.ok ? outcome : sendRefusal(reply, outcome);
      },
    });
  }

  return {
    register,
    admitFile(name) {
      claim(name, fileAccess);
      const row = fileAccess[name];
      return {
        async onRequest(request, reply) {
          await admit(row, request, reply);
          if (row.limit === 'uncounted') return;
          for (const [bucket, key] of ownBuckets(row, visitOf(request))) pass(await limits.take(bucket, key));
        },
        visitOf: (request) => visitOf(request) as Visit<SessionFor['verified']>,
      };
    },
    assertComplete() {
      const missing = Object.keys({ ...httpAccess, ...fileAccess }).filter((name) => !registered.has(name));
      if (missing.length > 0) throw new Error(`no handler for ${missing.join(', ')}`);
    },
  };
}

function ownBuckets(row: RouteAccessRow, { session, network }: Visit): readonly (readonly [BucketName, string])[] {
  // A token of 'general' was already taken at admission.
  if (row.limit === 'general') return [];
  return [[row.limit, session.status === 'signed-out' ? network : session.uid]];
}

/**
 * Registers every HTTP route of the protocol as it is declared: session, schema, limits, handler. A route that is not
 * declared can't be registered, and a declared one without a handler stops the start. Addresses of files are declared in
 * `access/files.ts` and are counted the same way.
 */
import { finished } from 'node:stream';
import {
  httpRequests,
  type Result,
  type RouteDeclaration,
  type RouteName,
  type RoutePayload,
  type RouteValue,
  type Language,
} from '@tunemate/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { BucketName } from '../access/bounds.ts';
import type { Limits } from '../access/limits.ts';
import type { Session, SessionOfCookie, UserSession } from '../access/session.ts';
import { createSlots, type FreeSlot, type Slots } from '../access/slots.ts';
import { fileAccess, type FileNeeds, type FileRouteName } from '../access/files.ts';
import { customerOf } from '../system/networks.ts';
import { type Log, refuse } from '../system/ports.ts';
import { networkOf, isFromAnotherSite, isFromOwnPage, peerOf, type Addresses, type Origins } from './address.ts';
import { RefusedRequest, sendRefusal } from './answers.ts';
import type { Turns } from '../realtime/turns.ts';
import { languageOf } from './language.ts';
import type { SessionCookie } from './session-cookie.ts';

interface SessionFor {
  none: Session;
  session: UserSession;
  verified: Extract<Session, { status: 'signed-in' }>;
  operator: Extract<Session, { status: 'signed-in' }>;
}

type CallerOf<Name extends RouteName> = HttpCaller<SessionFor[(typeof httpRequests)[Name]['session']]>;
export type RouteHandler<Name extends RouteName> = (
  caller: CallerOf<Name>,
  payload: RoutePayload<Name>,
) => Promise<Result<RouteValue<Name>>>;
/** The buckets that one call takes from; by default its row's, keyed by user or network. */
type BucketsOf<Name extends RouteName> = (
  caller: CallerOf<Name>,
  payload: RoutePayload<Name>,
) => readonly (readonly [BucketName, string])[];

interface RoutesDeps {
  http: FastifyInstance;
  limits: Limits;
  sessionOfCookie: SessionOfCookie;
  cookie: SessionCookie;
  origins: Origins;
  addresses: Addresses;
  /** Called when the limit of a network refused a request of it. */
  networkRefused?: (network: string) => void;
  /** The order of one person's requests, over HTTP and socket. */
  turns: Turns;
  log: Log;
}

type Routes = ReturnType<typeof createRoutes>;
export type RegisterRoute = Routes['register'];
export type AdmitFile = Routes['admitFile'];

export function createRoutes(deps: RoutesDeps) {
  const { http, limits } = deps;
  const { admit, callerOf } = createAdmission(deps);
  const inTurn = turnsOf(deps, callerOf);
  const registered = new Set<string>();

  function claim(name: string, table: object): void {
    if (!Object.hasOwn(table, name)) throw new Error(`${name} is not declared`);
    if (registered.has(name)) throw new Error(`${name} has two handlers`);
    registered.add(name);
  }

  function register<Name extends RouteName>(
    name: Name,
    handler: RouteHandler<Name>,
    bucketsOf?: BucketsOf<Name>,
  ): void {
    claim(name, httpRequests);
    const row: RouteDeclaration = httpRequests[name];
    const { payload, value } = row;
    const [method, url] = name.split(' ') as ['GET' | 'POST' | 'PATCH', string];
    const isGet = method === 'GET';
    const buckets = bucketsOf ?? ((caller) => ownBuckets(row, caller));
    http.route({
      method,
      url,
      schema: {
        ...(isGet ? { querystring: payload } : { querystring: z.strictObject({}), body: payload }),
        response: { 200: z.strictObject({ ok: z.literal(true), value }) },
      },
      onRequest: (request, reply) => admit(row, request, reply),
      handler: async (request, reply) => {
        const caller = callerOf(request) as CallerOf<Name>;
        const read = (isGet ? request.query : request.body) as RoutePayload<Name>;
        for (const [bucket, key] of buckets(caller, read)) throwIfRefused(await limits.take(bucket, key));
        const outcome = await inTurn(request, row, () => handler(caller, read));
        return outcome.ok ? outcome : sendRefusal(reply, outcome);
      },
    });
  }

  return {
    register,
    /** For a route that takes or sends bytes; called once for each row. */
    admitFile(name: FileRouteName) {
      claim(name, fileAccess);
      const row = fileAccess[name];
      return {
        async onRequest(request: FastifyRequest, reply: FastifyReply) {
          await admit(row, request, reply);
          // Sending goes on for as long as the client reads, so only the beginning has a turn.
          await inTurn(request, row, () => Promise.resolve());
          if (row.limit === 'uncounted') return;
          for (const [bucket, key] of ownBuckets(row, callerOf(request)))
            throwIfRefused(await limits.take(bucket, key));
        },
        /** What a body or an answer costs is charged to the person, as a request is. */
        inTurn: <T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> => inTurn(request, row, work),
        // Every row of files requires a verified session.
        callerOf: (request: FastifyRequest) => callerOf(request) as HttpCaller<SessionFor['verified']>,
      };
    },
    /** Throws when a declared route has no handler. */
    assertComplete() {
      const missing = Object.keys({ ...httpRequests, ...fileAccess }).filter((name) => !registered.has(name));
      if (missing.length > 0) throw new Error(`no handler for ${missing.join(', ')}`);
    },
  };
}

/**
 * Work of a signed-in person waits for their turn and is charged to their share of the time. A change is refused when the
 * session has ended until then, while its body arrived or others had their turn.
 */
function turnsOf({ turns, sessionOfCookie }: RoutesDeps, callerOf: (request: FastifyRequest) => HttpCaller) {
  return <T>(request: FastifyRequest, row: FileNeeds, work: () => Promise<T>): Promise<T> => {
    const { session, network } = callerOf(request);
    if (session.status === 'signed-out') return work();
    return turns({ uid: session.uid, network }, 'http', async () => {
      if (!isReading(request) && row.session !== 'none') {
        const now = await sessionOfCookie(request.headers.cookie);
        if (now.status === 'signed-out' || now.sessionId !== session.sessionId) throwIfRefused(refuse('auth/required'));
      }
      return await work();
    });
  };
}

function ownBuckets(
  row: Pick<RouteDeclaration, 'limit'>,
  { session, network }: HttpCaller,
): readonly (readonly [BucketName, string])[] {
  // A token of 'general' was already taken at admission.
  if (row.limit === 'general') return [];
  return [[row.limit, session.status === 'signed-out' ? network : session.uid]];
}

const isReading = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

const warnedOrigins = 10;

/** What the connection and the cookie say about the caller of a route. */
export interface HttpCaller<Of extends Session = Session> {
  session: Of;
  address: string;
  /** The address as limits count it. */
  network: string;
  userAgent: string;
  /** Of the pages and mails that this caller reads. */
  language: Language;
  isFromThisMachine: boolean;
  /** True when the page was opened at an address that is not ours: all its requests will be refused. */
  isAtForeignAddress: boolean;
  /** The mark of a device that signed in before; null without one. */
  device: string | null;
  /** The secret of a browser that signed up and waits for its mail; null without one. */
  waiting: string | null;
  /** Before `keepSession`. */
  keepDevice(mark: string): void;
  keepWaiting(secret: string): void;
  dropWaiting(): void;
  keepSession(token: string): void;
  /** Deletes the cookie and asks the browser to clear what it stored for this origin. */
  dropSession(): void;
}

/**
 * Admits or refuses the requests of every route before the body is read: the limit of the address, the same-site rule,
 * and the session that the route's row requires.
 */
function createAdmission(deps: Omit<RoutesDeps, 'http'>) {
  const { limits, sessionOfCookie, cookie, origins, addresses, networkRefused, log } = deps;
  const warnOnce = foreignPageWarning(log, origins);
  const callers = new WeakMap<FastifyRequest, HttpCaller>();

  async function read(request: FastifyRequest, reply: FastifyReply): Promise<HttpCaller> {
    const address = addresses.of(request.raw);
    origins.noteOpened(request.headers.host, peerOf(request.raw.socket));
    return {
      session: await sessionOfCookie(request.headers.cookie),
      address,
      network: networkOf(address),
      userAgent: request.headers['user-agent'] ?? '',
      language: languageOf(request.headers),
      isFromThisMachine: addresses.isFromThisMachine(request.raw),
      isAtForeignAddress: isAtForeignAddress(request.headers.referer, origins),
      device: cookie.readDevice(request.headers.cookie),
      waiting: cookie.readWaiting(request.headers.cookie),
      keepWaiting: (secret) => void reply.header('set-cookie', cookie.keepWaiting(secret)),
      dropWaiting: () => void reply.header('set-cookie', cookie.dropWaiting()),
      keepDevice: (mark) => void reply.header('set-cookie', cookie.keepDevice(mark)),
      keepSession: (token) => void reply.header('set-cookie', cookie.keep(token)),
      dropSession: () => void reply.header('set-cookie', cookie.drop()).header('clear-site-data', '"cache", "storage"'),
    };
  }

  return {
    async admit(row: FileNeeds, request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const isCounted = row.limit !== 'uncounted';
      if (isCounted) {
        const network = addresses.networkOf(request.raw);
        const taken = await limits.take('httpIp', network);
        if (!taken.ok) networkRefused?.(network);
        throwIfRefused(taken);
      }
      const mayChange = !isReading(request);
      // Reading changes nothing, but a navigation by another site would use up limits, such as that of exports.
      if (mayChange ? !isFromOwnPage(request.headers, origins) : isFromAnotherSite(request.headers)) {
        if (mayChange) warnOnce(request.headers.origin);
        throw new RefusedRequest(refuse('access/cross-site'));
      }
      const caller = await read(request, reply);
      const { session } = caller;
      const { status } = session;
      if (row.session !== 'none' && status === 'signed-out') throwIfRefused(refuse('auth/required'));
      const needsVerified = row.session === 'verified' || row.session === 'operator';
      if (needsVerified && status === 'unverified') throwIfRefused(refuse('auth/email-unverified'));
      // Others learn nothing of what operators can do.
      const isOperator = session.status === 'signed-in' && session.isOperator === true;
      if (row.session === 'operator' && !isOperator) throwIfRefused(refuse('access/not-found'));
      if (isCounted && session.status !== 'signed-out') throwIfRefused(await limits.take('general', session.uid));
      callers.set(request, caller);
    },
    callerOf(request: FastifyRequest): HttpCaller {
      const caller = callers.get(request);
      if (!caller) throw new Error('the request was not admitted');
      return caller;
    },
  };
}

/** Browsers send no Origin with a page's own GET, but its Referer. Without a Referer the answer is false. */
function isAtForeignAddress(referer: string | undefined, origins: Origins): boolean {
  return referer !== undefined && URL.canParse(referer) && !origins.isOwn(new URL(referer).origin);
}

/** Bodies of these types alone are taken, as bytes; others are read and refused. */
export function takeOnly(http: FastifyInstance, types: readonly string[]): void {
  http.removeAllContentTypeParsers();
  http.addContentTypeParser([...types], { parseAs: 'buffer' }, (_request, bytes, parsed) => parsed(null, bytes));
  http.addContentTypeParser('*', (_request, body, parsed) => {
    body.resume();
    parsed(new RefusedRequest(refuse('input/unsupported')));
  });
}

export function throwIfRefused(outcome: Result<unknown>): void {
  if (!outcome.ok) throw new RefusedRequest(outcome);
}

/** Most often not an attack: the operator has not set PUBLIC_URL to the address that people use. */
function foreignPageWarning(log: Log, origins: Origins): (origin: string | undefined) => void {
  const warned = new Set<string>();
  return (origin = 'none') => {
    if (warned.has(origin) || warned.size >= warnedOrigins) return;
    warned.add(origin);
    const advice = 'if that is how people reach this server, set PUBLIC_URL to it';
    log.warn({ origin: origin.slice(0, 200), publicUrl: origins.publicUrl(), advice }, 'request.foreign-origin');
  };
}

/** Files that are sent to one customer's networks at once: far more than a house with a party plays. */
const filesPerCustomer = 400;

/**
 * Slots for files that are sent: `perPerson` for a person, and a wide bound for all people of one customer, whose slow
 * readers would otherwise hold as many files open as they have accounts.
 */
export function createFileSlots(perPerson: number): (caller: HttpCaller<UserSession>, reply: FastifyReply) => void {
  const [people, customers] = [createSlots({ perKey: perPerson }), createSlots({ perKey: filesPerCustomer })];
  return ({ session, network }, reply) => {
    holdSlot(people, session.uid, reply);
    holdSlot(customers, customerOf(network), reply);
  };
}

/**
 * Holds a slot while a request is answered: until the answer is sent, the client disconnects or the handler calls the
 * returned function. Refuses the request when no slot is free.
 */
export function holdSlot(slots: Slots, key: string, reply: FastifyReply): FreeSlot {
  const slot = slots.take(key);
  if (!slot.ok) throw new RefusedRequest(slot);
  finished(reply.raw, () => slot.value());
  return slot.value;
}

/**
 * Admits or refuses the requests of every route before the body is read: the limit of the address, the same-site rule,
 * and the session that the route's row requires. It does not know what the route does.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Result } from '@tunemate/protocol';
import type { Limits } from '../access/limits.ts';
import type { Session, SessionOfCookie } from '../access/session.ts';
import type { FileAccessRow } from '../access/table.ts';
import { type Log, refuse } from '../system/ports.ts';
import { type Addresses, networkOf } from './address.ts';
import { RefusedRequest } from './answers.ts';
import type { Origins } from './origins.ts';
import { isFromOwnPage } from './same-site.ts';
import type { SessionCookie } from './session-cookie.ts';

const warnedOrigins = 10;

/** The caller, known from the connection and the cookie alone. */
export interface Visit<Who extends Session = Session> {
  session: Who;
  address: string;
  /** The address as limits count it. */
  network: string;
  userAgent: string;
  isFromThisMachine: boolean;
  /** True when the page was opened at an address that is not ours: all its requests will be refused. */
  isAtForeignAddress: boolean;
  /** Gives the browser a session's token. */
  keepSession(token: string): void;
  /** Deletes the cookie and asks the browser to clear what it stored for this origin. */
  dropSession(): void;
}

export interface AdmissionDeps {
  limits: Limits;
  sessionOfCookie: SessionOfCookie;
  cookie: SessionCookie;
  origins: Origins;
  addresses: Addresses;
  log: Log;
}

export interface Admission {
  /** Lets the request in or ends it by throwing a refusal. */
  admit(row: FileAccessRow, request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** The visit of a request that was admitted. */
  visitOf(request: FastifyRequest): Visit;
}

export function createAdmission({
  limits,
  sessionOfCookie,
  cookie,
  origins,
  addresses,
  log,
}: AdmissionDeps): Admission {
  const warnOnce = foreignPageWarning(log, origins);
  const visits = new WeakMap<FastifyRequest, Visit>();

  async function read(request: FastifyRequest, reply: FastifyReply): Promise<Visit> {
    const address = addresses.of(request.raw);
    return {
      session: await sessionOfCookie(request.headers.cookie),
      address,
      network: networkOf(address),
      userAgent: request.headers['user-agent'] ?? '',
      isFromThisMachine: addresses.isLocal(request.raw),
      isAtForeignAddress: isAtForeignAddress(request.headers.referer, origins),
      keepSession: (token) => void reply.header('set-cookie', cookie.keep(token)),
      dropSession: () => void reply.header('set-cookie', cookie.drop()).header('clear-site-data', '"cache", "storage"'),
    };
  }

  return {
    async admit(row, request, reply) {
      const isCounted = row.limit !== 'uncounted';
      if (isCounted) pass(await limits.take('httpIp', addresses.networkOf(request.raw)));
      if (request.method !== 'GET' && request.method !== 'HEAD' && !isFromOwnPage(request.headers, origins)) {
        warnOnce(request.headers.origin);
        pass(refuse('access/cross-site'));
      }
      const visit = await read(request, reply);
      const { session } = visit;
      if (row.session !== 'none' && session.status === 'signed-out') pass(refuse('auth/required'));
      if (row.session === 'verified' && session.status === 'unverified') pass(refuse('auth/email-unverified'));
      if (isCounted && session.status !== 'signed-out') pass(await limits.take('general', session.uid));
      visits.set(request, visit);
    },
    visitOf(request) {
      const visit = visits.get(request);
      if (!visit) throw new Error('the request was not admitted');
      return visit;
    },
  };
}

/** Browsers send no Origin with a page's own GET; its Referer names the page. A page without one is not judged. */
function isAtForeignAddress(referer: string | undefined, origins: Origins): boolean {
  return referer !== undefined && URL.canParse(referer) && !origins.isOwn(new URL(referer).origin);
}

/** Ends the request where the outcome is a refusal. */
export function pass(outcome: Result<unknown>): void {
  if (!outcome.ok) throw new RefusedRequest(outcome);
}

/** Most often no attack: the server was opened under an address that PUBLIC_URL does not name. */
function foreignPageWarning(log: Log, origins: Origins): (origin: string | undefined) => void {
  const warned = new Set<string>();
  return (origin = 'none') => {
    if (warned.has(origin) || warned.size >= warnedOrigins) return;
    warned.add(origin);
    const advice = 'if that is how people reach this server, set PUBLIC_URL to it';
    log.warn({ origin: origin.slice(0, 200), publicUrl: origins.publicUrl(), advice }, 'request.foreign-origin');
  };
}

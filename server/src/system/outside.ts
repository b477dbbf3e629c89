/**
 * Requests to servers outside: bounded in time and size, without redirects, and over https never into a private
 * network, neither by a literal address nor by what a name resolves to when connecting.
 */
import type { LookupAddress, LookupOptions } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { BlockList, isIP } from 'node:net';

export interface OutsideCall {
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: Buffer | string;
  /** For all of it, the answer's last byte included. */
  withinMs: number;
  /** Of the answer's body; 0 reads none of it. */
  mostBytes: number;
  /** A longer body is cut there: its status is what counts. Without, it fails. */
  isCut?: boolean;
  /** True only for an address that the operator set: it may be of a private network. */
  isOperators?: boolean;
  /** Tests only: what names lead to. */
  line?: PublicLine;
}

export interface OutsideAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * Plain http is sent as it is: only the caller knows whether the address may have it. Throws when the server can't be
 * reached, does not answer in time, or sends more than `mostBytes`.
 */
export function callOutside(url: URL, call: OutsideCall): Promise<OutsideAnswer> {
  const { method, headers, body, withinMs, mostBytes, isCut = false, isOperators = false, line } = call;
  return new Promise((resolve, reject) => {
    const options = { method, headers, signal: AbortSignal.timeout(withinMs) };
    const outgoing =
      url.protocol === 'http:'
        ? httpRequest(url, options)
        : httpsRequest(url, isOperators ? options : { ...options, ...guarded(url, line) });
    outgoing.on('error', reject);
    outgoing.once('response', (answer) => {
      readBody(answer, mostBytes, isCut)
        .then((text) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }))
        .catch(reject)
        .finally(() => answer.destroy());
    });
    outgoing.end(body);
  });
}

/**
 * Why a server outside can't be reached, where the failure of a connection says it. `plain`: it closes the connection or
 * answers in another protocol, mostly because one side encrypts. `reserved`: `fetch` connects to no such port. `account`: it does not accept the name and password.
 */
export type OutsideCause = 'certificate' | 'tls' | 'name' | 'port' | 'reserved' | 'network' | 'plain' | 'account';
/** By the codes and words of Node, undici, OpenSSL and nodemailer, which names its own code in place of the system's. */
const causes: readonly (readonly [OutsideCause, RegExp])[] = [
  ['certificate', /CERT|SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)|certificate/u],
  ['account', /^EAUTH$/u],
  ['name', /^(?:ENOTFOUND|EAI_|ENODATA|EDNS)|getaddrinfo/u],
  ['port', /\bECONNREFUSED\b/u],
  ['reserved', /^bad port$/u],
  // It waits for the first word of TLS.
  ['plain', /Greeting never received/u],
  ['network', /\b(?:EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN)\b|^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/u],
  ['tls', /^(?:EPROTO$|ERR_SSL_|ERR_TLS_|ETLS$)|wrong version number|packet length too long|before secure TLS/u],
  [
    'plain',
    /^(?:HPE_|UND_ERR_SOCKET|ECONNRESET|EPIPE|EPROTOCOL)|closed unexpectedly|Invalid greeting|does not match the HTTP|ECONNRESET/u,
  ],
];

/** Looks through what caused a failure; null where nothing says why. */
export function causeOf(failure: unknown): OutsideCause | null {
  for (let [at, depth]: [unknown, number] = [failure, 0]; at instanceof Error && depth < 5; depth += 1) {
    const code = 'code' in at && typeof at.code === 'string' ? at.code : '';
    const found = causes.find(([, signs]) => signs.test(code) || signs.test(at instanceof Error ? at.message : ''));
    if (found !== undefined) return found[0];
    at = at instanceof AggregateError ? at.errors[0] : at.cause;
  }
  return null;
}

/** What the operator reads, with the way out. */
export const adviceOn: Readonly<Record<OutsideCause, string>> = {
  certificate:
    'Its certificate is signed by no authority known here, is over, or names another host. Name the file of its authority in NODE_EXTRA_CA_CERTS, renew it, or use http inside the house.',
  tls: 'What answers there speaks no TLS that is known here. Is the port right, and should it be plain inside the house?',
  name: 'Its name leads nowhere from here. Is it spelled right, and known to this machine or container?',
  port: 'Nothing listens at that port. Is it running, and is the port right? In a container, localhost is the container itself.',
  reserved: 'http is never spoken at that port, as in browsers. Let it listen at another one, such as 8080.',
  network: 'No connection to its address comes about. Is that machine on, and does a firewall let this one through?',
  plain:
    'It closes the connection, or what answers speaks another protocol. Is the port right, and should the address begin with https or smtps?',
  account: 'It does not accept the name and the password of its setting.',
};
export const outsideCauses = Object.keys(adviceOn) as readonly OutsideCause[];
/** For a line of the log. */
export function reasonOf(failure: unknown): { advice?: string } {
  const cause = causeOf(failure);
  return cause === null ? {} : { advice: adviceOn[cause] };
}

/** Connections apart from those of the operator's own servers, which are kept open under the name of their host. */
const publicAgent = new Agent({ keepAlive: true, timeout: 5000 });

/** A literal address is connected to without a look-up. */
function guarded({ hostname }: URL, line = publicLine()) {
  const host = bareHost(hostname);
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new Error(`${host} is of a private network`);
  return { agent: publicAgent, lookup: lookupBy(line) };
}

/** Without the brackets of an IPv6 address. */
const bareHost = (hostname: string): string => hostname.replaceAll(/[[\]]/gu, '');

async function readBody(answer: IncomingMessage, mostBytes: number, isCut: boolean): Promise<string> {
  if (mostBytes === 0) return '';
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes && !isCut) throw new Error('the answer is too long');
    chunks.push(chunk);
    if (bytes >= mostBytes && isCut) break;
  }
  return Buffer.concat(chunks).subarray(0, mostBytes).toString('utf8');
}

const inside = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  inside.addSubnet(network, bits, 'ipv4');
}

const outside = new BlockList();
outside.addSubnet('2000::', 3, 'ipv6');
const wrapping = new BlockList();
// Transition addresses contain an IPv4 address; documentation addresses are never assigned.
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const) {
  wrapping.addSubnet(network, bits, 'ipv6');
}

/** True for an IP address that every machine on the internet could reach. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !inside.check(address, 'ipv4');
  return family === 6 && outside.check(address, 'ipv6') && !wrapping.check(address, 'ipv6');
}

type Found = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/** How names that a user may choose are resolved and asked. Tests have one of their own. */
export interface PublicLine {
  /** All addresses of a name. */
  resolve(host: string): Promise<readonly string[]>;
  isPublic(address: string): boolean;
  request(url: URL, options: PublicRequest): ClientRequest;
  close(): void;
}

/** How `openPublic` asks. */
export interface PublicRequest extends RequestOptions {
  headers: Readonly<Record<string, string>>;
}

/** Of the addresses of a name; no server needs more. */
const mostAddresses = 8;

/**
 * Asks the name servers itself. The system's look-up waits in one of the few threads that files and passwords need too,
 * and a name server that never answers would hold it. `nameServers` are by default those of the system.
 */
export function publicLine(nameServers?: readonly string[]): PublicLine {
  const asking = new Set<Resolver>();
  return {
    async resolve(host) {
      // One of its own for each name: it reads only once which name servers the system has, and these change.
      const resolver = new Resolver({ timeout: 1500, tries: 2 });
      if (nameServers) resolver.setServers(nameServers);
      asking.add(resolver);
      const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      asking.delete(resolver);
      return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    },
    isPublic: isPublicAddress,
    request: httpsRequest,
    close: () => asking.forEach((resolver) => resolver.cancel()),
  };
}

/**
 * The beginning of an answer from an address that a user may have chosen: no redirect is followed, and the connection
 * is used for this alone. The caller reads or destroys the body, until the signal ends it. Throws when the server can't
 * be reached, and when any address of its name is not public: the check is of the very addresses that are connected to.
 */
export function openPublic(
  line: PublicLine,
  url: URL,
  { headers, signal }: { headers: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // A literal address is connected to without a look-up.
    if (isIP(bareHost(url.hostname)) !== 0) throw new Error('the host is a literal address');
    // A connection that is kept open may be one that the operator's own settings allowed.
    const outgoing = line.request(url, { method: 'GET', headers, signal, agent: false, lookup: lookupBy(line) });
    outgoing.on('error', reject);
    outgoing.once('response', resolve);
    outgoing.end();
  });
}

function lookupBy(line: PublicLine) {
  return (host: string, options: LookupOptions, found: Found): void => {
    const give = (addresses: readonly string[]): void => {
      if (addresses.length === 0) return found(new Error('the name has no address'), '');
      if (!addresses.every((each) => line.isPublic(each))) {
        return found(new Error('the name resolves to a private network'), '');
      }
      const all = addresses.slice(0, mostAddresses).map((address) => ({ address, family: isIP(address) }));
      const [first] = all;
      if (options.all || !first) found(null, all);
      else found(null, first.address, first.family);
    };
    line.resolve(host).then(give, (error: NodeJS.ErrnoException) => found(error, ''));
  };
}

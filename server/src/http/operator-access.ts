/**
 * Who counts as the operator over HTTP: the holder of METRICS_TOKEN, or, where there is none, this machine. The token
 * comes as a bearer, or as the password that a browser asks for.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Addresses } from './address.ts';

export interface OperatorAccess {
  isOperator(request: IncomingMessage): boolean;
  /** Whether a browser is to ask for the token. */
  readonly asksForToken: boolean;
}

export function operatorAccess(token: string | null, addresses: Addresses): OperatorAccess {
  return {
    isOperator: (request) =>
      token === null ? addresses.isLocal(request) : isSame(tokenOf(request.headers.authorization ?? ''), token),
    asksForToken: token !== null,
  };
}

/** Of `Bearer TOKEN`, or of `Basic` with any name and the token as the password. */
function tokenOf(authorization: string): string {
  const [scheme = '', given = ''] = authorization.split(' ');
  if (scheme.toLowerCase() === 'bearer') return given;
  if (scheme.toLowerCase() !== 'basic') return '';
  const pair = Buffer.from(given, 'base64').toString();
  return pair.slice(pair.indexOf(':') + 1);
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

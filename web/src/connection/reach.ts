/**
 * What answers at the server's address, once something has failed: the server itself, a proxy in front of one that does
 * not run, something else in its place (the sign-in page of a network, a check of a content network), or nothing.
 */
import { isResult } from './http.ts';

export type Reach = 'ours' | 'away' | 'another' | 'nothing';

export const timeoutMs = 10_000;

/** 511 is a network's that wants a sign-in. */
export const isProxyFailure = (status: number): boolean => status >= 500 && status !== 511;

/** Never throws. */
export async function reachOf(fetch: typeof globalThis.fetch): Promise<Reach> {
  try {
    const answer = await fetch('/api/config', {
      method: 'GET',
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (isResult(await answer.json().catch(() => null))) return 'ours';
    return isProxyFailure(answer.status) ? 'away' : 'another';
  } catch {
    return 'nothing';
  }
}

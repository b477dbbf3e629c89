/**
 * What answers at the server's address, once something has failed: the server itself, a proxy in front of one that does
 * not run, something else in its place (the sign-in page of a network, a check of a content network), or nothing.
 */
import { isResult } from './http.ts';

export type Reach = 'ours' | 'away' | 'another' | 'nothing';

const timeoutMs = 10_000;

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
    return answer.status >= 500 && answer.status !== 511 ? 'away' : 'another';
  } catch {
    return 'nothing';
  }
}

/**
 * The same for code that could not be fetched: `ours` when the server does not have it, as after an update, and `part`
 * when it answers by now. Browsers but Safari name the part in the error.
 */
export async function reachOfPart(fetch: typeof globalThis.fetch, error: unknown): Promise<Reach | 'part'> {
  const [address] = /https?:\/\/\S+\.js\b/u.exec(String(error)) ?? [];
  if (address === undefined || new URL(address).origin !== location.origin) return reachOf(fetch);
  try {
    const answer = await fetch(address, { cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) });
    if (answer.ok && answer.headers.get('content-type')?.includes('javascript')) return 'part';
  } catch {
    return 'nothing';
  }
  return reachOf(fetch);
}

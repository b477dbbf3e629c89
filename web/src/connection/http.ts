/**
 * Requests over HTTP, typed by the protocol's table of routes. The result is the server's; a failure on the way (no
 * network, a proxy's error page, a timeout) becomes a refusal with a code too, so that nothing is thrown. A page that
 * answers in the server's place, such as the sign-in page of a network, counts as a server that can't be reached.
 */
import type { ErrorCode, Refusal, Result, RouteName, RoutePayloadInput, RouteValue } from '@tunemate/protocol';

const timeoutMs = 20_000;

/** Calls a route of this page's own server. Never throws. */
export type CallRoute = <Name extends RouteName>(
  name: Name,
  payload: RoutePayloadInput<Name>,
) => Promise<Result<RouteValue<Name>>>;

/** Of answers that are not the server's own, which carry their code. */
const codeOfStatus: Partial<Record<number, ErrorCode>> = {
  413: 'input/too-large',
  429: 'limit/too-many',
  502: 'server/busy',
  503: 'server/busy',
  504: 'server/busy',
};

export function createCallRoute(fetch: typeof globalThis.fetch): CallRoute {
  return async <Name extends RouteName>(name: Name, payload: RoutePayloadInput<Name>) => {
    const [method, path] = name.split(' ') as [string, string];
    let response: Response;
    let body: unknown;
    try {
      // The values of a GET are text.
      const query = method === 'GET' ? new URLSearchParams(payload as Record<string, string>).toString() : '';
      response = await fetch(query === '' ? path : `${path}?${query}`, {
        method,
        credentials: 'same-origin',
        signal: AbortSignal.timeout(timeoutMs),
        headers: method === 'GET' ? {} : { 'content-type': 'application/json' },
        body: method === 'GET' ? null : JSON.stringify(payload),
      });
      body = await response.json().catch(() => null);
    } catch {
      return { ok: false, error: { code: 'server/unavailable' } } as const;
    }
    if (isResult<RouteValue<Name>>(body)) return body;
    return { ok: false, error: refusalOf(response) } as const;
  };
}

/** The refusal in a response that should have been a file. */
export async function refusedBy(response: Response): Promise<{ ok: false; error: Refusal }> {
  const body: unknown = await response.json().catch(() => null);
  return isResult<never>(body) && !body.ok ? body : { ok: false, error: refusalOf(response) };
}

function refusalOf(response: Response): Refusal {
  // Above that are networks that want a sign-in, and content networks whose server does not answer.
  const isFailure = response.status >= 500 && response.status <= 510;
  const code = codeOfStatus[response.status] ?? (isFailure ? 'server/failed' : 'server/unavailable');
  const retryAfterSeconds = Number(response.headers.get('retry-after') ?? 'NaN');
  return Number.isFinite(retryAfterSeconds) ? { code, retryAfterMs: retryAfterSeconds * 1000 } : { code };
}

/** Checks the shape of the envelope only: the server validates its values. */
export function isResult<Value>(body: unknown): body is Result<Value> {
  if (typeof body !== 'object' || body === null || !('ok' in body)) return false;
  if (body.ok === true) return 'value' in body;
  return body.ok === false && 'error' in body && typeof body.error === 'object' && body.error !== null;
}

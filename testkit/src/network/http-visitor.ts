/**
 * A browser as the server sees it over HTTP: keeps its cookie, says which page it is on, reads the envelope.
 */
import type { Result, RouteName, RoutePayloadInput, RouteValue } from '@tunemate/protocol';

export interface Answer<Value> {
  readonly status: number;
  readonly headers: Headers;
  readonly result: Result<Value>;
}

export interface HttpVisitor {
  /** Calls a route of the protocol from one of our own pages. */
  call<Name extends RouteName>(name: Name, payload: RoutePayloadInput<Name>): Promise<Answer<RouteValue<Name>>>;
  /** As `call`, with whatever payload and further headers: what a broken or hostile client might send. */
  send(name: RouteName, payload: unknown, headers?: Record<string, string>): Promise<Answer<unknown>>;
  /** Fetches any address with this browser's cookie; changes nothing about the jar. */
  fetch(
    path: string,
    init?: { method?: string; headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> },
  ): Promise<Response>;
  /** The session's cookie as a header, for sockets and for tests with a stolen cookie. */
  cookie(): string;
  setCookie(cookie: string): void;
}

/** `address` is where requests go, `origin` where the page says it is from. */
export function createHttpVisitor(address: string, origin: string): HttpVisitor {
  let cookie = '';
  /** The cookie that marks this browser as one that signed in before. */
  let device = '';
  /** The cookie of a browser that signed up and waits for its mail. */
  let waiting = '';
  const cookies = (): { cookie?: string } => {
    const header = [cookie, waiting, device].filter((each) => each !== '').join('; ');
    return header === '' ? {} : { cookie: header };
  };

  async function send(
    name: RouteName,
    payload: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<unknown>> {
    const [method = 'GET', path = '/'] = name.split(' ');
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
    const own = { origin, ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) };
    const query = method === 'GET' ? queryOf(payload) : '';
    const response = await fetch(`${address}${path}${query === '' ? '' : `?${query}`}`, {
      method,
      redirect: 'manual',
      headers: { ...own, ...cookies(), ...headers },
      body: method === 'GET' ? null : body,
    });
    for (const line of response.headers.getSetCookie()) {
      const pair = line.split(';', 1)[0] ?? '';
      if (/^(?:__Host-)?device=/.test(pair)) device = pair;
      else if (/^(?:__Host-)?waiting=/.test(pair)) waiting = pair.endsWith('=') ? '' : pair;
      else cookie = pair.endsWith('=') ? '' : pair;
    }
    return { status: response.status, headers: response.headers, result: (await response.json()) as Result<unknown> };
  }

  return {
    send,
    call: async <Name extends RouteName>(name: Name, payload: RoutePayloadInput<Name>) =>
      (await send(name, payload)) as Answer<RouteValue<Name>>,
    fetch: (path, init = {}) => fetch(`${address}${path}`, { ...init, headers: { ...cookies(), ...init.headers } }),
    cookie: () => cookie,
    setCookie(next) {
      cookie = next;
    },
  };
}

/** Of anything, also of what no query can say: the fuzzer sends broken payloads. */
function queryOf(payload: unknown): string {
  const fields = Object.entries(Object(payload) as Record<string, unknown>);
  // Objects too, some of which have no text of their own.
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));
  return new URLSearchParams(fields.map(([name, value]) => [name, text(value)])).toString();
}

/**
 * Addresses that sign a person in, for the demo alone: a small server on the loopback that sets the cookie of a session
 * which the demo opened with a password, and leads to a page of the demo's server. The product has no such address.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SignInLinks {
  /** One address for each person, in their order. */
  readonly urls: readonly string[];
  close(): void;
}

/** Cookies belong to a host name, whatever the port: two names keep two people apart in one browser. */
export const loopbackNames = ['localhost', '127.0.0.1'] as const;

/** `page` is a path of the server at `port`. */
export async function openSignInLinks(
  port: number,
  people: readonly { readonly cookie: string; readonly page: string }[],
): Promise<SignInLinks> {
  const secrets = people.map(() => randomBytes(12).toString('base64url'));
  const server = createServer((request, response) => {
    const index = secrets.indexOf(request.url?.slice(1) ?? '');
    const person = people[index];
    const host = loopbackNames[index % loopbackNames.length];
    if (person === undefined || request.headers.host !== `${host}:${String(ownPort())}`) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(302, {
      'set-cookie': `${person.cookie}; Path=/; HttpOnly; SameSite=Lax`,
      location: `http://${host}:${String(port)}${person.page}`,
      'cache-control': 'no-store',
    });
    response.end();
  });
  const ownPort = () => (server.address() as AddressInfo).port;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    urls: secrets.map((secret, index) => `http://${loopbackNames[index % 2] ?? ''}:${String(ownPort())}/${secret}`),
    close: () => void server.close(),
  };
}

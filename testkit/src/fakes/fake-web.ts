/**
 * A web of other servers on this machine: every name leads to one loopback server over plain http, unless the test gives
 * the name other addresses. For what the server fetches from hosts that people name.
 */
import { createServer, type IncomingHttpHeaders, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isPublicAddress, type PublicLine } from '../../../server/src/system/outside.ts';

export interface WebCall {
  readonly host: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface FakeWeb {
  readonly line: PublicLine;
  /** What names resolve to; without an entry to this web. */
  readonly names: Map<string, readonly string[]>;
  readonly calls: WebCall[];
  /** Connections that are open. */
  open(): number;
  answer: (call: WebCall, response: ServerResponse) => void;
  close(): Promise<void>;
}

/** The address that stands for this web. */
export const webAddress = '127.0.0.1';

export const sendPage = (response: ServerResponse, html: string | Uint8Array, headers: Record<string, string> = {}) =>
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html);

export async function startFakeWeb(): Promise<FakeWeb> {
  const server = createServer((request, response) => {
    const call = { host: request.headers.host ?? '', path: request.url ?? '', headers: request.headers };
    web.calls.push(call);
    web.answer(call, response);
  });
  const sockets = new Set<unknown>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, webAddress, resolve));
  const { port } = server.address() as AddressInfo;
  const names = new Map<string, readonly string[]>();
  const web: FakeWeb = {
    line: {
      resolve: (host) => Promise.resolve(names.get(host) ?? [webAddress]),
      isPublic: (address) => address === webAddress || isPublicAddress(address),
      request: (url, options) =>
        httpRequest({
          ...options,
          ...{ hostname: url.hostname, port, path: url.pathname + url.search },
          headers: { ...options.headers, host: url.host },
        }),
      close: () => undefined,
    },
    names,
    calls: [],
    open: () => sockets.size,
    answer: ({ host, path }, response) => sendPage(response, `<title>${host}${path}</title>`),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
  return web;
}

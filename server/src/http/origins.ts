/**
 * Which origin this installation is, and which pages may therefore speak to it. Never taken from a request.
 */
import type { Config } from '../config.ts';

export interface Origins {
  /** Scheme, host and port of links and redirects. */
  publicUrl: () => string;
  isSecure: () => boolean;
  /** Exact scheme, host and port of a page that may send requests or open sockets. */
  isOwn: (origin: string) => boolean;
  /** All of them: PUBLIC_URL, and without that setting also the other names of this machine. */
  all: () => readonly string[];
  /** Without PUBLIC_URL, PORT=0 is known only once the server listens. */
  listensOn: (port: number) => void;
}

export function createOrigins(config: Pick<Config, 'publicUrl' | 'isPublicUrlGiven'>): Origins {
  let publicUrl = config.publicUrl;
  let own = ownOrigins();

  function ownOrigins(): readonly string[] {
    if (config.isPublicUrlGiven) return [publicUrl];
    const aliases = ['127.0.0.1', '[::1]'].map((host) => publicUrl.replace('localhost', host));
    return [publicUrl, ...aliases];
  }

  return {
    publicUrl: () => publicUrl,
    isSecure: () => publicUrl.startsWith('https:'),
    isOwn: (origin) => own.includes(origin),
    all: () => own,
    listensOn(port) {
      if (config.isPublicUrlGiven) return;
      publicUrl = new URL(`http://localhost:${String(port)}`).origin;
      own = ownOrigins();
    },
  };
}

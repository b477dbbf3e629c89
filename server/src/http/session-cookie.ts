/**
 * The one cookie: an opaque token that scripts can't read and other sites can't send. With an https address it carries
 * the `__Host-` prefix, so that no neighbouring domain can set it.
 */
import type { Origins } from './origins.ts';

/** A session's longest life; the server checks it as well. */
const maxAgeSeconds = 30 * 24 * 60 * 60;
const token = /^[\w-]{43}$/;

export interface SessionCookie {
  /**
   * The token of a raw `cookie` header; null when it is missing or malformed. Of two cookies of this name one was set
   * by another port or path of this host, and nothing says which: then it is null as well.
   */
  read: (cookieHeader: string | undefined) => string | null;
  /** Values for `set-cookie`. */
  keep: (token: string) => string;
  drop: () => string;
}

export function createSessionCookie(origins: Pick<Origins, 'isSecure'>): SessionCookie {
  const isSecure = origins.isSecure();
  const name = isSecure ? '__Host-sid' : 'sid';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    read(cookieHeader) {
      const pairs = (cookieHeader ?? '').split(';').map((pair) => pair.trim());
      const [value = '', ...further] = pairs
        .filter((pair) => pair.startsWith(`${name}=`))
        .map((pair) => pair.slice(name.length + 1));
      return further.length === 0 && token.test(value) ? value : null;
    },
    keep: (value) => `${name}=${value}; ${attributes}; Max-Age=${String(maxAgeSeconds)}`,
    drop: () => `${name}=; ${attributes}; Max-Age=0`,
  };
}

/**
 * The one cookie: an opaque token that scripts can't read and other sites can't send. With an https address it has the
 * `__Host-` prefix, so that no sibling domain can set it.
 */
import type { Origins } from './origins.ts';

/** A session's longest life; the server checks it as well. */
const maxAgeSeconds = 30 * 24 * 60 * 60;
const token = /^[\w-]{43}$/;

export type SessionCookie = ReturnType<typeof createSessionCookie>;

export function createSessionCookie(origins: Pick<Origins, 'isSecure'>) {
  const isSecure = origins.isSecure();
  const name = isSecure ? '__Host-sid' : 'sid';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    /**
     * The token of a raw `cookie` header; null when it is missing or malformed. Null also when there are two cookies of
     * this name: one of them was set by another port or path of this host, and the server can't know which.
     */
    read(cookieHeader: string | undefined) {
      const pairs = (cookieHeader ?? '').split(';').map((pair) => pair.trim());
      const [value = '', ...further] = pairs
        .filter((pair) => pair.startsWith(`${name}=`))
        .map((pair) => pair.slice(name.length + 1));
      return further.length === 0 && token.test(value) ? value : null;
    },
    /** Values for `set-cookie`. */
    keep: (value: string) => `${name}=${value}; ${attributes}; Max-Age=${String(maxAgeSeconds)}`,
    drop: () => `${name}=; ${attributes}; Max-Age=0`,
  };
}

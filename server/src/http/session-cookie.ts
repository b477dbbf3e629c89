/**
 * The cookies: the session's opaque token, the secret of a browser that signed up and waits for its mail, and the mark of a
 * device that signed in before. Scripts can't read them and other sites can't send them. With an https address they have the `__Host-` prefix, so that no sibling domain can
 * set them.
 */
import { codeLifetimeMs, sessionLifetimeMs } from '../access/session.ts';
import type { Origins } from './address.ts';

const deviceMaxAgeSeconds = 400 * 24 * 60 * 60;
const token = /^[\w-]{43}$/;
/** An id and its signature for each account that the device signed in to. */
const deviceMark = /^[\w-]{22}\.[\w-]{43}(?:~[\w-]{22}\.[\w-]{43}){0,3}$/;

export type SessionCookie = ReturnType<typeof createSessionCookie>;

export function createSessionCookie(origins: Pick<Origins, 'isSecure'>) {
  const isSecure = origins.isSecure();
  const prefix = isSecure ? '__Host-' : '';
  const [name, waitingName, deviceName] = [`${prefix}sid`, `${prefix}waiting`, `${prefix}device`];
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;

  /**
   * Null when the cookie is missing or malformed. Null also when there are two of this name: one of them was set by
   * another port or path of this host, and the server can't know which.
   */
  function valueOf(cookieHeader: string | undefined, named: string, form: RegExp): string | null {
    const pairs = (cookieHeader ?? '').split(';').map((pair) => pair.trim());
    const [value = '', ...further] = pairs
      .filter((pair) => pair.startsWith(`${named}=`))
      .map((pair) => pair.slice(named.length + 1));
    return further.length === 0 && form.test(value) ? value : null;
  }

  return {
    /** The token of a raw `cookie` header. */
    read: (cookieHeader: string | undefined) => valueOf(cookieHeader, name, token),
    readWaiting: (cookieHeader: string | undefined) => valueOf(cookieHeader, waitingName, token),
    readDevice: (cookieHeader: string | undefined) => valueOf(cookieHeader, deviceName, deviceMark),
    /** Values for `set-cookie`. */
    keep: (value: string) => `${name}=${value}; ${attributes}; Max-Age=${String(sessionLifetimeMs / 1000)}`,
    keepWaiting: (value: string) => `${waitingName}=${value}; ${attributes}; Max-Age=${String(codeLifetimeMs / 1000)}`,
    dropWaiting: () => `${waitingName}=; ${attributes}; Max-Age=0`,
    keepDevice: (value: string) => `${deviceName}=${value}; ${attributes}; Max-Age=${String(deviceMaxAgeSeconds)}`,
    drop: () => `${name}=; ${attributes}; Max-Age=0`,
  };
}

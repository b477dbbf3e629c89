/**
 * The path to open after signing in: only paths of this site, so that a link cannot redirect users to another one.
 */
import { deviceStorage } from '../../store/lenient-storage.ts';

const anyOrigin = 'https://tunemate.invalid';
const notAfterLogin = ['/login', '/signup', '/auth/'];

/** The address that `next` names as seen from a page of this site; null when it is not one of this site. */
function ownAddress(next: string): URL | null {
  const url = URL.canParse(next, anyOrigin) ? new URL(next, anyOrigin) : null;
  // '/.//host' is a path here, and another site as soon as that path is used as an address.
  return url?.origin === anyOrigin && !url.pathname.startsWith('//') ? url : null;
}

/** The path to open; '/' when `next` is missing, of another site, or the sign-in screen itself. */
export function safeNext(next: string | null): string {
  if (next === null || !next.startsWith('/')) return '/';
  const url = ownAddress(next);
  if (!url || notAfterLogin.some((path) => url.pathname.startsWith(path))) return '/';
  return url.pathname + url.search;
}

/** The address of the sign-in screen that opens `path` afterwards. */
export const loginPath = (path: string): string => withNext('/login', path);

/** The same of the sign-up. */
export const signUpPath = (path: string): string => withNext('/signup', path);

function withNext(screen: string, path: string): string {
  const next = safeNext(path);
  return next === '/' ? screen : `${screen}?next=${encodeURIComponent(next)}`;
}

/** True for a link to a room as it is shared: a person who opens it may be new here. */
export const mayBeShared = (next: string): boolean => /^\/join(?:-audio-room)?\?/.test(next);

const kept = 'tunemate/after-sign-up';

/** Keeps `next` for the page that a mail opens which this page asked for, in a tab of its own. */
export function keepNext(next: string): void {
  if (next === '/') deviceStorage.removeItem(kept);
  else deviceStorage.setItem(kept, next);
}

export const keptNext = (): string => safeNext(deviceStorage.getItem(kept));

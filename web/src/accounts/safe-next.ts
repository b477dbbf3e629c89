/**
 * The path to open after signing in: only paths of this site, so that a link cannot redirect users to another one.
 */

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
export function loginPath(path: string): string {
  const next = safeNext(path);
  return next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`;
}

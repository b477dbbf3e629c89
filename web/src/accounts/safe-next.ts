/**
 * Where to go after signing in: a path of this site and nothing else, so that a link cannot send people elsewhere.
 */

const anyOrigin = 'https://tunemate.invalid';
const notAfterLogin = ['/login', '/signup', '/auth/'];

/** The path to go on to, '/' when `next` is missing, foreign, or would lead back to signing in. */
export function safeNext(next: string | null): string {
  if (next === null || !next.startsWith('/')) return '/';
  let url: URL;
  try {
    url = new URL(next, anyOrigin);
  } catch {
    // Not an address at all.
    return '/';
  }
  if (url.origin !== anyOrigin || notAfterLogin.some((path) => url.pathname.startsWith(path))) return '/';
  return url.pathname + url.search;
}

/** The address of the sign-in screen that comes back to `path` afterwards. */
export function loginPath(path: string): string {
  const next = safeNext(path);
  return next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`;
}

/**
 * Tells another system of the operator who signed in and out here (ACC-9). Nobody waits for it and nobody is told when it
 * fails; the failure only goes to the browser's error log.
 */

/** POST on sign-in, DELETE on sign-out, with the cookies of that system. Does nothing without an address. */
export async function syncToken(
  fetch: typeof globalThis.fetch,
  url: string | null,
  method: 'POST' | 'DELETE',
  uid: string,
): Promise<void> {
  if (url === null) return;
  try {
    const response = await fetch(url, {
      method,
      credentials: 'include',
      // The page may be reloading right now.
      keepalive: true,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ uid }),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
  } catch (cause) {
    reportError(new Error(`accounts.token-sync-failed ${method}`, { cause }));
  }
}

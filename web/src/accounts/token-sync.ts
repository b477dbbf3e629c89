/**
 * Notifies another system of the operator when a user signs in or out here (ACC-9). Nothing waits for it, and a
 * failure is only written to the browser's console.
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

/**
 * Deletes what this browser stored of a user who is signed out: by this page, another tab, another device, or because
 * the account is gone. Settings of the device stay. The next person at a shared computer finds nothing of the one
 * before, also on plain http, where browsers ignore the server's `Clear-Site-Data`.
 */
const ofUser =
  /^tunemate\/(?:drafts|outbox|acts|played-voices|hidden-previews|kept-home|visit|asked|typed-text|queue-answered|recent-emoji)\b/;

type Browser = Pick<Window, 'localStorage' | 'sessionStorage'> & {
  readonly caches?: Pick<CacheStorage, 'delete'>;
  readonly navigator: Partial<Pick<Navigator, 'serviceWorker'>>;
};

/** Never throws. */
export async function forgetUser(browser: Browser): Promise<void> {
  for (const storage of ['localStorage', 'sessionStorage'] as const) emptyOf(() => browser[storage]);
  // Which notification was pressed, and those that were not pressed: they name people.
  await browser.caches?.delete('tunemate-taps').catch(() => false);
  const worker = await browser.navigator.serviceWorker?.getRegistration('/').catch(() => undefined);
  const shown = await worker?.getNotifications().catch(() => []);
  for (const notification of shown ?? []) notification.close();
}

function emptyOf(storage: () => Storage): void {
  try {
    const all = storage();
    for (const key of Object.keys(all)) if (ofUser.test(key)) all.removeItem(key);
  } catch {
    // The browser forbids storage: nothing is in it.
  }
}

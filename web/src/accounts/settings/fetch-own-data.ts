/** Downloads the export of the user's data. It may be large: the browser keeps it outside the page's memory. */
import type { Result } from '@tunemate/protocol';
import { refusedBy } from '../../connection/http.ts';

/** The timeout until the file begins; the download itself has none. */
const timeoutMs = 30_000;

/** Never throws; a file that is cut off is server/unavailable. */
export type FetchOwnData = () => Promise<Result<Blob>>;

export function createFetchOwnData(fetch: typeof globalThis.fetch): FetchOwnData {
  return async () => {
    const givingUp = new AbortController();
    const timer = setTimeout(() => givingUp.abort(), timeoutMs);
    try {
      const response = await fetch('/api/accounts/export', {
        credentials: 'same-origin',
        cache: 'no-store',
        signal: givingUp.signal,
      });
      clearTimeout(timer);
      return response.ok ? { ok: true, value: await response.blob() } : await refusedBy(response);
    } catch {
      return { ok: false, error: { code: 'server/unavailable' } };
    } finally {
      clearTimeout(timer);
    }
  };
}

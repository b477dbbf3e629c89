/** Sends a file to this page's own server. The type of the file is its own. */
import { type Result, uploadWithinMs } from '@tunemate/protocol';
import { isResult, refusedBy } from './http.ts';

/** Never throws; without an answer it is server/unavailable. */
export async function upload<Value>(
  fetch: typeof globalThis.fetch,
  address: string,
  body: Blob,
): Promise<Result<Value>> {
  try {
    const answer = await fetch(address, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': body.type },
      body,
      signal: AbortSignal.timeout(uploadWithinMs),
    });
    const said: unknown = await answer
      .clone()
      .json()
      .catch(() => null);
    return isResult<Value>(said) ? said : await refusedBy(answer);
  } catch {
    return { ok: false, error: { code: 'server/unavailable' } };
  }
}

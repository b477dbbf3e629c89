/** Code of this page that could not be fetched. One place decides what to do, whichever part it was. */

/** Resolves to true where the part can be fetched now, so that another attempt is worth it. */
type Handler = (error: unknown, isSecond: boolean) => Promise<boolean>;

let handle: Handler = () => Promise.resolve(false);
/** What stands in the place of parts now. */
const waiting = new Set<() => void>();

/** Sets what is done; the last one counts. */
export function handleLostParts(handler: Handler): void {
  handle = handler;
}

/** Calls `retry` whenever lost parts may be there again, until the answer is called. */
export function whenPartsReturn(retry: () => void): () => void {
  waiting.add(retry);
  return () => void waiting.delete(retry);
}

/** React shows that a part is missing up to 300 ms after it is. */
const shownMs = 500;

/** Everything that is missing is fetched again. */
export function retryLostParts(): void {
  setTimeout(() => [...waiting].forEach((retry) => retry()), shownMs);
}

/** Fetches code, and once more where a first failure was over by then. */
export async function fetchPart<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await load();
  } catch (error) {
    if (!(await handle(error, false))) throw error;
  }
  try {
    return await load();
  } catch (error) {
    await handle(error, true);
    throw error;
  }
}

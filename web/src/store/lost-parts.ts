/** Code of this page that could not be fetched. One place decides what to do, whichever part it was. */

/** Resolves to true where the part can be fetched now, so that another attempt is worth it. */
type Handler = (error: unknown, isSecond: boolean) => Promise<boolean>;

let handle: Handler = () => Promise.resolve(false);

/** Sets what is done; the last one counts. */
export function handleLostParts(handler: Handler): void {
  handle = handler;
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

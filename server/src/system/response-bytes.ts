/** The bytes that another server answers with, as they come and within bounds. */
import { within } from './within.ts';

/** `away`: they do not come, or too slowly. `answer`: there are too many. */
type Failing = new (fault: 'away' | 'answer') => Error;

/** Waits at most `partMs` for each part; the time that a reader of the bytes takes does not count. */
export async function* partsOf(
  response: Response,
  partMs: number,
  ending: AbortController,
  Failure: Failing,
): AsyncGenerator<Buffer, void> {
  const reader = response.body?.getReader();
  try {
    while (reader !== undefined) {
      const part = await within(partMs, reader.read(), null);
      if (part === null) throw new Failure('away');
      if (part.done) return;
      yield Buffer.from(part.value);
    }
  } catch {
    throw new Failure('away');
  } finally {
    ending.abort();
  }
}

/** Throws when there is more than `most`, or when it comes in drops for longer than `withinMs`. */
export async function wholeOf(
  bytes: AsyncGenerator<Buffer, void>,
  most: number,
  Failure: Failing,
  withinMs = Number.POSITIVE_INFINITY,
): Promise<Buffer> {
  const startedMs = performance.now();
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of bytes) {
    size += part.length;
    if (size > most) throw new Failure('answer');
    if (performance.now() - startedMs > withinMs) throw new Failure('away');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

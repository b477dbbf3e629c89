import type { Result } from '@tunemate/protocol';

/**
 * Asks on behalf of an effect: `take` gets the answer. Returns what ends it, for the effect's clean-up: nothing is asked
 * again then, and an answer that is on its way is not taken.
 */
export function asking<Value>(
  ask: (signal: AbortSignal) => Promise<Result<Value>>,
  take: (answer: Result<Value>) => void,
): () => void {
  const gone = new AbortController();
  const { signal } = gone;
  void ask(signal).then((answer) => {
    if (!signal.aborted) take(answer);
  });
  return () => gone.abort();
}

import type { ErrorCode, Refusal, Result } from '@tunemate/protocol';

/** Refusals that pass by themselves. */
const passing: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'limit/too-many',
  'server/busy',
  'server/failed',
  'server/unavailable',
]);

const longestPauseMs = 30_000;

/** From one second, twice as long after each refusal, and not sooner than the server says. */
function pauseMs({ retryAfterMs = 0 }: Refusal, refusals: number): number {
  const windowMs = Math.min(longestPauseMs, 1000 * 2 ** refusals);
  return retryAfterMs + windowMs * (0.5 + Math.random() / 2);
}

/**
 * Asks on behalf of an effect: `take` gets the answer. What asks so has no words for a refusal that passes, such as too
 * many requests, so that it would be missing without a sign: then it is asked again. Returns what ends it, for the effect's
 * clean-up: nothing is asked again then, and an answer that is on its way is not taken.
 */
export function asking<Value>(
  ask: (signal: AbortSignal) => Promise<Result<Value>>,
  take: (answer: Result<Value>) => void,
): () => void {
  const gone = new AbortController();
  const { signal } = gone;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const askOnce = async (refusals: number): Promise<void> => {
    const answer = await ask(signal);
    if (signal.aborted) return;
    if (answer.ok || !passing.has(answer.error.code)) return take(answer);
    timer = setTimeout(() => void askOnce(refusals + 1), pauseMs(answer.error, refusals));
  };
  void askOnce(0);
  return () => {
    gone.abort();
    clearTimeout(timer);
  };
}

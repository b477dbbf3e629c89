/** Work that comes round again: never twice at once, and a failure is a log line, not an end. */
import type { Log } from './ports.ts';

/** Runs `work` every `periodMs`, the first time after one period. Returns what stops it. */
export function every(periodMs: number, name: string, work: () => Promise<void>, log: Log): () => void {
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    work()
      .catch((error: unknown) => log.warn({ err: error, job: name }, 'job.failed'))
      .finally(() => {
        isRunning = false;
      });
  }, periodMs);
  timer.unref();
  return () => clearInterval(timer);
}

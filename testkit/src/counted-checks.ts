/**
 * How many answers a test compared. One test of an access matrix asks for many people on many lines, so its report
 * counts answers and not tests.
 */
import type { TaskMeta } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Answers that this test compared with what the tables say. */
    checks?: number;
  }
}

/** Notes `count` more checks in the report of the run. */
export function noteChecks({ meta }: { meta: TaskMeta }, count: number): void {
  meta.checks = (meta.checks ?? 0) + count;
}

/**
 * Whether changes can be stored, as the last writes of this process have shown: one line in the log when that changes, and
 * what `/status` and the alerts say.
 */
import { Failure, type Log, systemCode } from '../system/ports.ts';
import { asFailure } from './failures.ts';

export type Trouble = 'full' | 'failing' | 'read-only' | 'slow';

export interface WritingState {
  /** Null while all is well. `code` is the database's; of a slow disk how long its last slow sync took. */
  now(): { trouble: Trouble; code: string } | null;
  /** A write was stored. */
  stored(): void;
  /** A write was not; errors that say nothing of the disk are passed over. */
  failed(error: unknown): void;
  /** The disk has stored something, in so many milliseconds until now. */
  synced(ms: number): void;
}

const troubles: Readonly<Record<string, Trouble>> = {
  'database.full': 'full',
  'database.failing': 'failing',
  'database.read-only': 'read-only',
};
const slowMs = 250;
/** A disk counts as slow until it has been quick for so long. */
const slowForMs = 60_000;

export function writingState(log: Log | undefined): WritingState {
  let now: ReturnType<WritingState['now']> = null;
  let slowUntilMs = 0;
  let failedAtMs = 0;

  function set(next: typeof now): void {
    const isNew = next?.trouble !== now?.trouble;
    now = next;
    if (!isNew) return;
    if (next === null) log?.info({}, 'storage.well');
    else if (next.trouble === 'slow') log?.warn({ took: next.code }, 'storage.slow');
    else log?.error({ code: next.code }, `storage.${next.trouble}`);
  }

  const state: WritingState = {
    now() {
      if (now?.trouble === 'slow' && performance.now() > slowUntilMs) set(null);
      return now;
    },
    stored() {
      if (now !== null && now.trouble !== 'slow') set(null);
    },
    failed(error) {
      const failure = asFailure(error);
      const trouble = failure instanceof Failure ? troubles[failure.message] : undefined;
      if (trouble === undefined) return;
      failedAtMs = performance.now();
      set({ trouble, code: systemCode((failure as Failure).cause) });
    },
    synced(ms) {
      // What began before a write failed says nothing of the disk as it is since then.
      if (performance.now() - ms >= failedAtMs) state.stored();
      if (ms < slowMs) return void state.now();
      slowUntilMs = performance.now() + slowForMs;
      if (now === null || now.trouble === 'slow') set({ trouble: 'slow', code: `${String(Math.round(ms))} ms` });
    },
  };
  return state;
}

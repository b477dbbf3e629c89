/**
 * A page older than its server loads itself anew: once, for a server that is still being replaced must not make it spin.
 * What was typed and not sent is put back afterwards.
 */
import type { LenientStorage } from '../store/lenient-storage.ts';

const key = 'tunemate/reloaded-at';
/** After this long a new reload is a new matter. */
const onceInMs = 10 * 60 * 1000;

export interface ReloadParts {
  readonly page: Pick<Location, 'reload'>;
  /** Puts aside what was typed. */
  readonly keep: () => void;
  readonly nowMs: number;
}

/** False when this tab has just been reloaded for the same reason. */
export function reloadOnce(storage: LenientStorage, { page, keep, nowMs }: ReloadParts): boolean {
  const lastMs = Number(storage.getItem(key) ?? 'NaN');
  if (nowMs - lastMs < onceInMs) return false;
  storage.setItem(key, String(nowMs));
  keep();
  page.reload();
  return true;
}

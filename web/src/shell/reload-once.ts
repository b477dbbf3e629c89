/**
 * Reloads a page that is older than its server: once, because a server that is still being replaced must not cause a
 * loop. Text that was typed and not sent is restored afterwards.
 */
import type { LenientStorage } from '../store/lenient-storage.ts';

const key = 'tunemate/reloaded-at';
/** After this time another reload is allowed. */
const onceInMs = 10 * 60 * 1000;

export interface ReloadParts {
  readonly page: Pick<Location, 'reload'>;
  /** Stores typed text. */
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

/**
 * Whether a host's tab may take control without being asked. Each host's tab of this browser holds a lock while it
 * lives, so a holder of control that was a tab of this browser and holds no lock is gone. What other devices do is not
 * known here: there the host presses 'Take over'.
 */

export interface ControlClaim {
  /** True when the tab that holds control was one of this browser's, and is no more. */
  isGone(controller: string): Promise<boolean>;
  /** Lets go; the browser does the same when the tab is closed or crashes. */
  release(): void;
}

const KEY = 'tunemate/host-tabs';
/** Tabs remembered per browser; older ones have long lost control to newer ones. */
const REMEMBERED = 20;
const lockOf = (tabId: string): string => `tunemate/tab/${tabId}`;

/** `locks` is missing where the page is not served securely; then nobody is ever known to be gone. */
export function claimControl(
  tabId: string,
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  locks: LockManager | undefined,
): ControlClaim {
  const letGo = Promise.withResolvers<void>();
  locks?.request(lockOf(tabId), { ifAvailable: true }, () => letGo.promise).catch(() => undefined);
  remember(storage, tabId);
  return {
    async isGone(controller) {
      if (locks === undefined || !remembered(storage).includes(controller)) return false;
      const { held = [] } = await locks.query();
      return !held.some(({ name }) => name === lockOf(controller));
    },
    release: () => letGo.resolve(),
  };
}

function remembered(storage: Pick<Storage, 'getItem'>): string[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === 'string') : [];
  } catch {
    // Storage is forbidden, or holds something else.
    return [];
  }
}

function remember(storage: Pick<Storage, 'getItem' | 'setItem'>, tabId: string): void {
  const others = remembered(storage).filter((one) => one !== tabId);
  try {
    storage.setItem(KEY, JSON.stringify([tabId, ...others].slice(0, REMEMBERED)));
  } catch {
    // Storage is full or forbidden: the next tab asks for 'Take over'.
  }
}

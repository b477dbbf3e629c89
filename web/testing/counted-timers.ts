/** The device's timers, and how many of a test's own are to come: other code in the process may set some meanwhile. */
import { deviceClock } from '../src/store/clock.ts';

export function countedTimers() {
  const toCome = new Set<object>();
  return {
    count: (): number => toCome.size,
    schedule(task: () => void, delayMs: number): () => void {
      const timer = {};
      toCome.add(timer);
      const cancel = deviceClock.schedule(() => {
        toCome.delete(timer);
        task();
      }, delayMs);
      return () => {
        toCome.delete(timer);
        cancel();
      };
    },
  };
}

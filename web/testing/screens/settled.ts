/** Waits for what a busy machine draws late. */
import { vi } from 'vitest';

/** What `read` answers once the code that was asked for is there and has been drawn, and nothing changes it any more. */
export async function settled<Value>(read: () => Value): Promise<Value> {
  for (let before = read(); ; before = read()) {
    await vi.dynamicImportSettled();
    // React shows a part up to 300 ms after its code has come.
    await new Promise((resolve) => setTimeout(resolve, 400));
    await drawn(3);
    if (JSON.stringify(read()) === JSON.stringify(before)) return before;
  }
}

/** A log rests 150 ms after it scrolled, and draws further rows then. */
const restMs = 200;

/** Once it has stayed the same for some frames: rows are measured after they are drawn, and move others then. */
export async function still(read: () => number): Promise<number> {
  for (let [frames, last, sinceMs] = [0, Number.NaN, 0]; ;) {
    await drawn(1);
    const now = read();
    if (now !== last) [frames, last, sinceMs] = [0, now, performance.now()];
    else frames += 1;
    if (frames >= 5 && performance.now() - sinceMs >= restMs) return now;
  }
}

async function drawn(frames: number): Promise<void> {
  for (let frame = 0; frame < frames; frame += 1) await new Promise(requestAnimationFrame);
}

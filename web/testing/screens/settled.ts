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

/** Once it has stayed the same for some frames: rows are measured after they are drawn, and move others then. */
export async function still(read: () => number): Promise<number> {
  for (let [frames, last] = [0, Number.NaN]; ;) {
    await drawn(1);
    const now = read();
    frames = now === last ? frames + 1 : 0;
    last = now;
    if (frames === 5) return now;
  }
}

async function drawn(frames: number): Promise<void> {
  for (let frame = 0; frame < frames; frame += 1) await new Promise(requestAnimationFrame);
}

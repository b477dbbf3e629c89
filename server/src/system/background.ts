/**
 * Runs background tasks at intervals: never two runs of one task at a time, and a failed run is logged. It does not
 * know what a task does or which clock it reads.
 */
import type { Log } from './ports.ts';

interface Task {
  name: string;
  everyMs: number;
  run: () => Promise<unknown>;
}

export interface Background {
  /** Runs `run` every `everyMs` milliseconds once it has started, first after one such pause. */
  every(everyMs: number, name: string, run: () => Promise<unknown>): void;
  /** Nothing runs by itself before. */
  start(): void;
  /** Runs every task once, now: for tests that move the clock themselves. */
  runAll(): Promise<void>;
  /** Starts nothing more and waits for what runs. */
  stop(): Promise<void>;
}

/** With `isStill` nothing runs by itself, only by `runAll`. */
export function createBackground(log: Log, isStill = false): Background {
  const tasks: Task[] = [];
  const timers: NodeJS.Timeout[] = [];
  let hasStarted = false;
  const running = new Map<string, Promise<void>>();

  function runOnce({ name, run }: Task): Promise<void> {
    const ongoing = running.get(name);
    if (ongoing) return ongoing;
    // Wrapped in a promise, so that a synchronous throw is caught as well.
    const done = Promise.resolve()
      .then(run)
      .then(
        () => undefined,
        (error: unknown) => log.warn({ task: name, err: error }, 'background.failed'),
      )
      .finally(() => running.delete(name));
    running.set(name, done);
    return done;
  }

  const repeat = (task: Task) => void timers.push(setInterval(() => void runOnce(task), task.everyMs).unref());

  return {
    every(everyMs, name, run) {
      const task = { name, everyMs, run };
      tasks.push(task);
      if (hasStarted) repeat(task);
    },
    start() {
      if (isStill) return;
      hasStarted = true;
      tasks.forEach(repeat);
    },
    async runAll() {
      for (const task of tasks) await runOnce(task);
    },
    async stop() {
      timers.forEach((timer) => clearInterval(timer));
      await Promise.all(running.values());
    },
  };
}

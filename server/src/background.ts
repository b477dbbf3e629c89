/**
 * Work that returns by itself: each task at its own pace, never two runs of one at a time, and a failure of one run is
 * logged and forgotten. What a task does and which clock it reads is its own business.
 */
import type { Log } from './ports.ts';

interface Task {
  name: string;
  everyMs: number;
  run: () => Promise<unknown>;
}

export interface Background {
  /** Runs `run` every `everyMs` milliseconds, first after one such pause. */
  every(everyMs: number, name: string, run: () => Promise<unknown>): void;
  /** Runs every task once, now: for tests that move the clock themselves. */
  runAll(): Promise<void>;
  /** Starts nothing more and waits for what runs. */
  stop(): Promise<void>;
}

export function createBackground(log: Log): Background {
  const tasks: Task[] = [];
  const timers: NodeJS.Timeout[] = [];
  const running = new Map<string, Promise<void>>();

  function runOnce({ name, run }: Task): Promise<void> {
    const ongoing = running.get(name);
    if (ongoing) return ongoing;
    // Within a promise from its first step on: a task that throws before it waits must not end the process either.
    const done = Promise.resolve()
      .then(run)
      .then(() => undefined)
      .catch((error: unknown) => log.warn({ task: name, err: error }, 'background.failed'))
      .finally(() => running.delete(name));
    running.set(name, done);
    return done;
  }

  return {
    every(everyMs, name, run) {
      const task = { name, everyMs, run };
      tasks.push(task);
      timers.push(setInterval(() => void runOnce(task), everyMs).unref());
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

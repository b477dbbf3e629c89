/** Virtual time: runs tasks in the order of their times; time passes only between tasks. */

interface Task {
  readonly atMs: number;
  readonly order: number;
  run: (() => void) | null;
}

/** Times are milliseconds since the world began. */
export class SimTime {
  #nowMs = 0;
  #order = 0;
  /** A binary heap by time, then by order of arrival. */
  readonly #heap: Task[] = [];

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Runs `task` at a time (at once if it has passed); returns the cancel function. */
  at(atMs: number, task: () => void): () => void {
    const entry: Task = { atMs: Math.max(atMs, this.#nowMs), order: this.#order++, run: task };
    this.#push(entry);
    return () => {
      entry.run = null;
    };
  }

  after(delayMs: number, task: () => void): () => void {
    return this.at(this.#nowMs + delayMs, task);
  }

  runUntil(untilMs: number): void {
    for (let first = this.#heap[0]; first !== undefined && first.atMs <= untilMs; first = this.#heap[0]) {
      this.#pop();
      this.#nowMs = first.atMs;
      first.run?.();
    }
    this.#nowMs = untilMs;
  }

  #push(entry: Task): void {
    const heap = this.#heap;
    heap.push(entry);
    for (let child = heap.length - 1; child > 0;) {
      const parent = (child - 1) >> 1;
      if (!this.#swapIfEarlier(child, parent)) return;
      child = parent;
    }
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    heap[0] = last;
    for (let parent = 0; ;) {
      const left = parent * 2 + 1;
      const child = this.#isEarlier(left + 1, left) ? left + 1 : left;
      if (!this.#swapIfEarlier(child, parent)) return;
      parent = child;
    }
  }

  #swapIfEarlier(child: number, parent: number): boolean {
    const heap = this.#heap;
    const [below, above] = [heap[child], heap[parent]];
    if (below === undefined || above === undefined || !this.#isEarlier(child, parent)) return false;
    [heap[child], heap[parent]] = [above, below];
    return true;
  }

  #isEarlier(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (a === undefined || b === undefined) return false;
    return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
  }
}

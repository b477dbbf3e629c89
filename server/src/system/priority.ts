/** Lets a process come behind others. */
import { getPriority, setPriority } from 'node:os';

/**
 * Lowers the priority of a process (0: this one) to `priority`, as the system counts it: a larger number comes later. One
 * that comes later already stays: a user without rights may not raise it, as under `nice -n 15`.
 */
export function lowerPriority(pid: number, priority: number): void {
  if (getPriority(pid) < priority) setPriority(pid, priority);
}

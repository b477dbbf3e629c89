/** The port to what a device keeps from one visit to the next. */

/** What a device remembers of its players. Plain data; what is read may be anything. */
export interface PlayerMemory {
  read(): unknown;
  write(memory: unknown): void;
}

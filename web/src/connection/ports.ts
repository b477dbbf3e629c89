/**
 * What the connection needs from the world: a link that carries messages, time, and chance. Tests bring their own.
 */
import type { Entries, EphemeralEvent, Refusal, RequestName, Result } from '@tunemate/protocol';

/** One opened line. It never mends itself: when it is lost, a new one is opened. */
export interface Link {
  /** Sends a request; `onAnswer` is called at most once, and never after `onLost`. */
  send(name: RequestName, payload: unknown, onAnswer: (result: Result<unknown>) => void): void;
  /** Ends the line and tells the server at once; `onLost` does not follow. */
  close(): void;
}

export interface LinkEvents {
  onOpen(): void;
  /** The line is gone, or never came to be. `refusal` says why when the server said so. */
  onLost(refusal: Refusal | null): void;
  onEntries(batch: Entries): void;
  onEphemeral(news: EphemeralEvent): void;
}

export type OpenLink = (events: LinkEvents) => Link;

/** Time of this device. `now` in milliseconds; a timer's answer takes it back. */
export interface Clock {
  now(): number;
  schedule(task: () => void, delayMs: number): () => void;
}

export const deviceClock: Clock = {
  now: () => Date.now(),
  schedule(task, delayMs) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

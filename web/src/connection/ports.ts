/**
 * What the connection needs from the world: a link that carries messages, time, and chance. Tests bring their own.
 */
import type { Entries, EphemeralEvent, Refusal, RequestName, Result } from '@tunemate/protocol';

/** One attempt at a connection. It never reconnects: when it is lost, a new link is opened. */
export interface Link {
  /** Sends a request; `onAnswer` is called at most once, and never after `onLost`. */
  send(name: RequestName, payload: unknown, onAnswer: (result: Result<unknown>) => void): void;
  /** Closes the link and tells the server at once that the page leaves; `onLost` is not called. */
  close(): void;
  /** Breaks the link off without a word: the page comes back over another one. `onLost` is not called. */
  breakOff(): void;
}

export interface LinkEvents {
  onOpen(): void;
  /** The link is lost, or could not be opened. `refusal` is the server's reason, if it sent one. */
  onLost(refusal: Refusal | null): void;
  onEntries(batch: Entries): void;
  onEphemeral(event: EphemeralEvent): void;
}

export type OpenLink = (events: LinkEvents) => Link;

/** Time of this device. `now` in milliseconds; `schedule` returns a function that cancels the timer. */
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

/** What the server is given from outside, and what runs while it does. */
import type { Background } from './background.ts';
import type { Clock, Ids, Log } from '../system/ports.ts';

export interface AppParts {
  /** This machine's clock; not used where processes share a database, which then serves the time. */
  clock: Clock;
  ids: Ids;
  log: Log;
  /** The built web application; by default web/dist. */
  webDir?: string;
  /** Tests only: push messages may go to this machine, over plain http. */
  pushToLoopback?: boolean;
  /** Tests only: a write fails when it touches a stream that it did not name, instead of being logged as an error. */
  isStrict?: boolean;
  /** Tests only: called for every SQL statement. */
  onStatement?: ((statement: string) => void) | undefined;
  /** Tests only: `clock` serves the time also where processes share a database. */
  keepsOwnTime?: boolean;
}

/** What runs in the background, and how it is stopped. */
export interface Running {
  background: Background;
  /** Set when the server begins to stop; `/readyz` says so. */
  isClosing: boolean;
  /** Run in reverse: what was made last is closed first. */
  closers: (() => Promise<void>)[];
  end: () => Promise<void>;
}

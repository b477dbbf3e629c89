/** What the server is given from outside, and what runs while it does. */
import type { Background } from './background.ts';
import type { Clock, Ids, Log } from './ports.ts';

export interface AppParts {
  /** This machine's clock. Time is the database's instead where processes share one. */
  clock: Clock;
  ids: Ids;
  log: Log;
  /** The built web application; by default web/dist. */
  webDir?: string;
  /** Tests only: push messages may go to this machine, over plain http. */
  pushToLoopback?: boolean;
  /** Tests only: a write fails when it touches a stream that it did not name, instead of being logged as an error. */
  isStrict?: boolean;
  /** Tests only: hears of every statement that the database is given. */
  onStatement?: ((statement: string) => void) | undefined;
  /** Tests only: time is that of `clock`, also where processes share a database. */
  keepsOwnTime?: boolean;
}

/** What runs, and how it is ended. */
export interface Running {
  background: Background;
  /** From then on nothing new is begun. */
  isClosing: boolean;
  /** Run in reverse: what was made last is closed first. */
  closers: (() => Promise<void>)[];
  end: () => Promise<void>;
}

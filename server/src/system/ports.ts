/**
 * What services need of the outside world, as types. Only `app.ts` and its parts know the implementations.
 */
import type { ErrorCode, PushNews, Refusal, Result, Uid } from '@tunemate/protocol';

/** Server time in milliseconds since the epoch. */
export interface Clock {
  /** Whole milliseconds: what is stored. */
  now(): number;
  /** The same clock with its fraction: what players synchronise to. */
  preciseNow(): number;
}

/** Follows a clock that can be set. */
export interface SettableClock extends Clock {
  /** By how many milliseconds that clock was set ahead of this one, or back (negative); 0 while it was not set. */
  aheadMs(): number;
  /** From now on this clock shows what that one does. */
  take(): void;
}

/** Sources of unguessable values. */
export interface Ids {
  /** 22 characters of 0-9A-Za-z: at least 128 random bits. For uids, room ids, messages. */
  newId(): string;
  /** 256 random bits, base64url: session tokens and e-mail codes. Only its hash is ever stored. */
  newToken(): string;
  /** The first 6 characters of a random UUID, upper-cased. */
  newRoomCode(): string;
}

/** Structured log; every line of interest has a named event such as `room.ended`. Never a token, password or body. */
export interface Log {
  debug(fields: object, event: string): void;
  info(fields: object, event: string): void;
  warn(fields: object, event: string): void;
  error(fields: object, event: string): void;
}

/**
 * Pushes news to a person's devices if they have the app closed. Called after the commit; never waits, never throws.
 */
export type Notify = (to: Uid, news: PushNews) => void;

/** The answer of a service that refuses. A refusal is expected, so it is returned and never thrown. */
export type Refused = Extract<Result<never>, { ok: false }>;

/** The value of an answer without content. */
export type Nothing = Record<string, never>;

export function accept<Value>(value: Value): { ok: true; value: Value } {
  return { ok: true, value };
}
export function refuse(code: ErrorCode, more: Omit<Refusal, 'code'> = {}): Refused {
  return { ok: false, error: { code, ...more } };
}

/** The code that the system, a driver or the network gave an error, such as `ENOENT`; empty where there is none. */
export function systemCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** A failure of the outside world (database, mail, network), thrown by adapters. `code` is what the client learns. */
export class Failure extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, event: string, cause?: unknown) {
    super(event, { cause });
    this.name = 'Failure';
    this.code = code;
  }
}

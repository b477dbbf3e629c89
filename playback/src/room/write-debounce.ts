/**
 * Keeps writes that replace each other (the host's seeks) to at most one in 300 ms. A single one goes out at once; those
 * that follow closely wait, and the last of them wins. Holds no timer: the caller asks again at `dueAtMs`.
 */
import { writeDebounceMs } from '../timings.ts';

/** What waits to be written, and when the last write was. Local monotonic milliseconds. */
export interface WriteDebounce<Write> {
  readonly lastWriteAtMs: number | null;
  readonly waiting: { readonly write: Write; readonly dueAtMs: number } | null;
}

/** Nothing written, nothing waiting. */
export const nothingWritten: WriteDebounce<never> = { lastWriteAtMs: null, waiting: null };

/** The new state, and what to send now, if anything. */
export interface WriteDecision<Write> {
  readonly state: WriteDebounce<Write>;
  readonly send: Write | null;
}

/** Takes a command. */
export function requestWrite<Write>(state: WriteDebounce<Write>, write: Write, nowMs: number): WriteDecision<Write> {
  const isQuiet = state.lastWriteAtMs === null || nowMs - state.lastWriteAtMs >= writeDebounceMs;
  if (isQuiet) return { state: { lastWriteAtMs: nowMs, waiting: null }, send: write };
  return { state: { ...state, waiting: { write, dueAtMs: nowMs + writeDebounceMs } }, send: null };
}

/** Sends what waits, once it is due. */
export function flushWrite<Write>(state: WriteDebounce<Write>, nowMs: number): WriteDecision<Write> {
  const { waiting } = state;
  if (waiting === null || nowMs < waiting.dueAtMs) return { state, send: null };
  return { state: { lastWriteAtMs: nowMs, waiting: null }, send: waiting.write };
}

/**
 * The frames of a connection: text in WebSocket messages, how each side writes them and reads those of the other.
 *
 * A request is `[id, name, payload]`, its answer `[id, result]`, an event of the server `[name, value]`. Three words stand
 * alone: `ping` of the server, `pong` of the page, and `bye` of a page that leaves.
 */
import type { Result } from './errors.ts';
import type { ServerEvents } from './wire.ts';

/**
 * The protocol's version. Raise it once for each release that changes a schema; protocol.golden.test.ts reminds of it.
 */
export const protocolVersion = 8;

/** Where pages open their WebSocket. */
export const socketPath = '/socket';

export const pingWord = 'ping';
export const pongWord = 'pong';
export const byeWord = 'bye';

/** How often the server sends a ping to each connection, and how long the page has to answer; milliseconds. */
export const pingEveryMs = 25_000;
export const pongWithinMs = 20_000;

export interface RequestFrame {
  /** Chosen by the client; the answer carries it. */
  readonly id: number;
  readonly name: string;
  /** One payload, unless the client breaks the protocol. */
  readonly values: readonly unknown[];
}

type EventFrame = {
  [Name in keyof ServerEvents]: readonly [name: Name, value: ServerEvents[Name]];
}[keyof ServerEvents];
export type ServerFrame = readonly [id: number, result: Result<unknown>] | EventFrame;

/** Each value becomes JSON; undefined becomes null. */
export function writeRequest(id: number, name: string, ...values: readonly unknown[]): string {
  return JSON.stringify([id, name, ...values]);
}

export function writeAnswer(id: number, result: Result<unknown>): string {
  return JSON.stringify([id, result]);
}

export function writeEvent<Name extends keyof ServerEvents>(name: Name, value: ServerEvents[Name]): string {
  return JSON.stringify([name, value]);
}

/** Null for text that is no request. */
export function readRequest(text: string): RequestFrame | null {
  const frame = readList(text);
  if (frame === null) return null;
  const [id, name, ...values] = frame;
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0 || typeof name !== 'string') return null;
  return { id, name, values };
}

/** Null for a word, and for what is no frame of this version. What a frame holds is not checked. */
export function readServerFrame(text: string): ServerFrame | null {
  const frame = readList(text);
  const [head] = frame ?? [];
  const isFrame = frame?.length === 2 && (typeof head === 'number' || typeof head === 'string');
  return isFrame ? (frame as unknown as ServerFrame) : null;
}

function readList(text: string): readonly unknown[] | null {
  if (!text.startsWith('[')) return null;
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) ? read : null;
  } catch {
    return null;
  }
}

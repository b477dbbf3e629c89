/** Reading answers of the server, and ids as clients make them. */
import { randomUUID } from 'node:crypto';
import type { ClientId, Result } from '@tunemate/protocol';

/** A fresh client id, as a browser makes one for each mutation. */
export const newClientId = (): ClientId => randomUUID() as ClientId;

/** The value of an answer that must be an acceptance. */
export function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`refused: ${result.error.code}`);
  return result.value;
}

/** The code of an answer that must be a refusal. */
export function refusalOf(result: Result<unknown>): string {
  if (result.ok) throw new Error('was not refused');
  return result.error.code;
}

/** The code of an answer, 'ok' for an acceptance. */
export const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.error.code);

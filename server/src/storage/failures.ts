/**
 * What a database error means to us: try the transaction again, the disk is full, or the database can't be reached.
 */
import { Failure } from '../ports.ts';

const retryCodes = new Set(['40001', '40P01', 'SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT']);
const fullCodes = new Set(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', '53100']);
/** PostgreSQL's classes of lost connections, ended sessions, used-up resources and read-only stand-ins; the network's; SQLite's. */
const unreachableCodes =
  /^(?:08|57P0|57014|25P02|25P03|25006|53|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_|SQLITE_IOERR|SQLITE_CANTOPEN|SQLITE_READONLY)/;
/** What the driver and the pool say without a code: a connection that broke, or was broken before it was used again. */
const unreachableMessages =
  /Connection terminated|timeout exceeded|timeout expired|Query read timeout|is not queryable|pool after calling end|driver has already been destroyed/;

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** The database gave the transaction up to let another one finish; nothing of it was kept. */
export function isTransient(error: unknown): boolean {
  return retryCodes.has(codeOf(error));
}

/** True for a broken unique constraint, in either dialect. */
export function isDuplicate(error: unknown): boolean {
  return ['23505', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'].includes(codeOf(error));
}

/** Turns what a driver threw into a Failure where it is the outside world's fault; anything else is a bug and stays. */
export function asFailure(error: unknown): unknown {
  const code = codeOf(error);
  if (fullCodes.has(code)) return new Failure('server/storage-full', 'database.full', error);
  // It was tried again as often as is reasonable.
  if (isTransient(error)) return new Failure('server/unavailable', 'database.busy', error);
  const message = error instanceof Error ? error.message : '';
  const isUnreachable = unreachableCodes.test(code) || unreachableMessages.test(message);
  return isUnreachable ? new Failure('server/unavailable', 'database.unreachable', error) : error;
}

/**
 * Classifies database errors: retry the transaction, the disk takes nothing more, or the database can't be reached.
 */
import { systemCode, Failure } from '../system/ports.ts';

const retryCodes = new Set(['40001', '40P01', 'SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT']);
/** Why nothing can be stored while reading goes on. */
const takesNothing: Readonly<Record<string, 'database.full' | 'database.failing' | 'database.read-only'>> = {
  SQLITE_FULL: 'database.full',
  '53100': 'database.full',
  SQLITE_IOERR_WRITE: 'database.failing',
  SQLITE_IOERR_FSYNC: 'database.failing',
  SQLITE_IOERR_DIR_FSYNC: 'database.failing',
  SQLITE_IOERR_TRUNCATE: 'database.failing',
  SQLITE_READONLY: 'database.read-only',
  SQLITE_READONLY_DIRECTORY: 'database.read-only',
};
/**
 * PostgreSQL's classes of lost connections, ended sessions, used-up resources and read-only stand-ins; the network's;
 * SQLite's.
 */
const unreachableCodes =
  /^(?:08|57P0|57014|25P02|25P03|25006|53|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_|SQLITE_IOERR|SQLITE_CANTOPEN|SQLITE_READONLY)/;
/** Messages of the driver and the pool without a code: a connection broke, in use or idle. */
const unreachableMessages =
  /Connection terminated|timeout exceeded|timeout expired|Query read timeout|is not queryable|pool after calling end|driver has already been destroyed/;

/** The database aborted the transaction in favour of another one; nothing of it was stored. */
export function isTransient(error: unknown): boolean {
  return retryCodes.has(systemCode(error));
}

/** True for a broken unique constraint, in either dialect. */
export function isDuplicate(error: unknown): boolean {
  return ['23505', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'].includes(systemCode(error));
}

/**
 * Turns a driver's error into a Failure if the outside world caused it; any other error is a bug and stays as it is.
 */
export function asFailure(error: unknown): unknown {
  const code = systemCode(error);
  const event = takesNothing[code];
  if (event !== undefined) return new Failure('server/storage-full', event, error);
  // All retries were used.
  if (isTransient(error)) return new Failure('server/unavailable', 'database.busy', error);
  const message = error instanceof Error ? error.message : '';
  const isUnreachable = unreachableCodes.test(code) || unreachableMessages.test(message);
  return isUnreachable ? new Failure('server/unavailable', 'database.unreachable', error) : error;
}

/** Nothing can be stored for now and reading goes on: the disk is full, or the database is a stand-in that takes no writes. */
export function takesNoWrites(error: unknown): boolean {
  return error instanceof Failure && (error.code === 'server/storage-full' || systemCode(error.cause) === '25006');
}

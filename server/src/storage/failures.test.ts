/** The classification of database errors. postgres/postgres-pool.test.ts tests it with real outages. */
import { describe, expect, test } from 'vitest';
import { Failure } from '../system/ports.ts';
import { asFailure, isDuplicate, isTransient } from './failures.ts';

const coded = (code: string) => Object.assign(new Error('it failed'), { code });
const said = (message: string) => new Error(message);
const meaning = (error: unknown) => {
  const failure = asFailure(error);
  return failure instanceof Failure ? [failure.code, failure.message, failure.cause === error] : failure;
};

describe('an error of the database', () => {
  test.each([
    ['SQLITE_FULL', 'full'],
    ['53100', 'full'],
    ['SQLITE_IOERR_WRITE', 'failing'],
    ['SQLITE_IOERR_FSYNC', 'failing'],
    ['SQLITE_READONLY', 'read-only'],
  ])('%s means that the disk takes nothing more: it is %s', (code, how) => {
    expect(meaning(coded(code))).toEqual(['server/storage-full', `database.${how}`, true]);
  });

  test.each(['40001', '40P01', 'SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT'])('%s is tried again, and then busy', (code) => {
    expect(isTransient(coded(code))).toBe(true);
    expect(meaning(coded(code))).toEqual(['server/unavailable', 'database.busy', true]);
  });

  test.each([
    ...['08006', '57P01', '57014', '25P03', '25006', '53300', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'],
    ...['ENETDOWN', 'ENOTFOUND', 'EAI_AGAIN', 'SQLITE_IOERR_READ', 'SQLITE_CANTOPEN', 'SQLITE_READONLY_DBMOVED'],
  ])('%s means that it can’t be reached', (code) => {
    expect(isTransient(coded(code))).toBe(false);
    expect(meaning(coded(code))).toEqual(['server/unavailable', 'database.unreachable', true]);
  });

  test.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'Connection terminated due to connection timeout',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Cannot use a pool after calling end on the pool',
    'driver has already been destroyed',
  ])('without a code, “%s” means the same', (message) => {
    expect(meaning(said(message))).toEqual(['server/unavailable', 'database.unreachable', true]);
  });

  test.each([
    ['a broken rule of a table', coded('23505')],
    ['a wrong statement', coded('42601')],
    ['a code in the middle of another', coded('X08006')],
    ['a bug', new TypeError('x is not a function')],
    ['text', 'Connection terminated'],
    ['nothing', null],
  ])('%s is a bug and is not converted', (_, error) => {
    expect(asFailure(error)).toBe(error);
    expect(isTransient(error)).toBe(false);
  });

  test.each(['23505', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'])('%s is a duplicate', (code) => {
    expect([isDuplicate(coded(code)), isDuplicate(coded('23503')), isDuplicate(undefined)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

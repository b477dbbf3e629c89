/**
 * Runs one suite on every database that the product supports.
 * SQLite gets a file of its own for each database, PostgreSQL a database of its own on the run's shared server.
 */
import { join } from 'node:path';
import type { RoomKind } from '@tunemate/protocol';
import { afterAll, describe } from 'vitest';
import { writeMigratedSqlite } from './migrated-sqlite.ts';
import { createDatabase } from './postgres.ts';
import { coversEverything } from '../extent.ts';
import { describeWithService, requestService } from './request-service.ts';
import { makeTempDir } from './temp-dir.ts';

/** The databases that the product supports. */
export type DialectName = 'sqlite' | 'postgres';

/**
 * The kind of room for a suite's tests on this database: both kinds and both databases run each test, and nothing that
 * is proven is proven four times.
 */
export const kindOn = (dialect: DialectName): RoomKind => (dialect === 'sqlite' ? 'video' : 'audio');

/**
 * Makes a database and answers where it is: `sqlite:/absolute/path` or `postgres://…`. It is empty;
 * the product's tables may be there already, unless it is to be `isEmpty`, so a test that needs them migrates.
 * It is dropped when the suite has ended.
 */
export type MakeDatabaseUrl = (options?: { isEmpty?: boolean }) => Promise<string>;

/**
 * Declares `suite` once for each dialect. Where PostgreSQL cannot run, that half is a skip (in CI: a failure). A run
 * that does not cover everything leaves that half out, and counts its tests.
 */
export function describeEachDialect(
  name: string,
  suite: (makeDatabaseUrl: MakeDatabaseUrl, dialect: DialectName) => void,
): void {
  describe(`${name} on SQLite`, () => {
    suite(
      droppedAtTheEnd(async ({ isEmpty = false } = {}) => {
        const dir = await makeTempDir('sqlite');
        const path = join(dir.path, 'tunemate.db');
        if (!isEmpty) await writeMigratedSqlite(path);
        return { url: `sqlite:${path}`, drop: () => dir.remove() };
      }),
      'sqlite',
    );
  });
  const onPostgres = `${name} on PostgreSQL`;
  if (!coversEverything) {
    describe.skipIf(!coversEverything)(onPostgres, () => {
      suite(() => Promise.reject(new Error('this run has no PostgreSQL')), 'postgres');
    });
    return;
  }
  describeWithService(
    onPostgres,
    () => requestService('postgres'),
    ({ url }) =>
      suite(
        droppedAtTheEnd((options) => createDatabase(url, options)),
        'postgres',
      ),
  );
}

function droppedAtTheEnd(
  make: (...options: Parameters<MakeDatabaseUrl>) => Promise<{ url: string; drop: () => Promise<void> }>,
): MakeDatabaseUrl {
  const drops: (() => Promise<void>)[] = [];
  afterAll(async () => {
    await Promise.all(drops.map((drop) => drop()));
  });
  return async (...options) => {
    const { url, drop } = await make(...options);
    drops.push(drop);
    return url;
  };
}

/**
 * Kysely's dialect for SQLite with four differences: a statement is prepared once and kept, where Kysely prepares it
 * again for every query; waiting queries get the one connection in order, where Kysely wakes all of them each time; a
 * transaction that SQLite has ended by itself is not rolled back again; and all missing migrations are one transaction,
 * so that an upgrade that fails or is killed changes nothing.
 */
import { putLatest } from '@tunemate/domain';
import type { Database as File, Statement } from 'better-sqlite3';
import {
  type DatabaseConnection,
  type Driver,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';

/** How many statements stay prepared; the product has about 300, and some more by the lengths of their lists. */
const keptStatements = 500;

export class PreparingSqliteDialect extends SqliteDialect {
  readonly #file: File;

  constructor(file: File) {
    super({ database: file });
    this.#file = file;
  }

  override createDriver(): Driver {
    return new FairSqliteDriver(this.#file);
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter();
  }
}

class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): true {
    return true;
  }
}

/** The database with cached `prepare`: the least recently used statement is dropped first. */
function prepareOnce(file: File): SqliteDatabase {
  const kept = new Map<string, SqliteStatement>();
  return {
    close: () => void file.close(),
    prepare(sql) {
      const statement = kept.get(sql) ?? shareable(file, file.prepare(sql));
      return putLatest(kept, sql, statement, keptStatements);
    },
  };
}

/** Reading row by row needs a statement of its own: a prepared one is busy until its last row was read. */
function shareable(file: File, statement: Statement): SqliteStatement {
  return {
    reader: statement.reader,
    all: (parameters) => statement.all(parameters),
    run: (parameters) => statement.run(parameters),
    iterate: (parameters) => file.prepare(statement.source).iterate(parameters),
  };
}

/** SQLite has one connection; waiting work gets it in order of arrival. */
class FairSqliteDriver extends SqliteDriver {
  readonly #file: File;
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  constructor(file: File) {
    super({ database: prepareOnce(file) });
    this.#file = file;
  }

  /** On a full disk SQLite has rolled back by itself; a second time is an error that would hide the first. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#file.inTransaction) await super.rollbackTransaction(connection);
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    return await super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    await super.releaseConnection();
    const next = this.#waiting.shift();
    // The connection stays taken, so that new work queues behind the next in line.
    if (next) next();
    else this.#isTaken = false;
  }
}

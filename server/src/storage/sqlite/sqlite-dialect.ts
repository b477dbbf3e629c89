/**
 * Kysely's dialect for SQLite, on two connections to one file, which differs from Kysely's own: a statement is prepared
 * and planned once and kept, where Kysely prepares it again for every query; writes have the one connection that writes
 * in order of arrival, are answered when they are on the disk, and hold up no read; a transaction that SQLite has ended
 * by itself is not rolled back again; and all missing migrations are one transaction, so that an upgrade that fails or
 * is killed changes nothing.
 */
import { accessSync, constants } from 'node:fs';
import { putLatest } from '@tunemate/domain';
import type SqliteFile from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
} from 'kysely';
import { systemCode } from '../../system/ports.ts';
import type { CommitLine } from './commit-line.ts';
import { OncePlannedCompiler } from './sqlite-compiler.ts';

export interface SqliteConnections {
  /** Makes all changes. */
  writer: SqliteFile.Database;
  /** Reads while the writer shows what may not be shown yet. */
  reader: SqliteFile.Database;
  line: CommitLine;
  /** Called after each write. */
  onWritten: () => void;
}

export class DurableSqliteDialect extends SqliteDialect {
  readonly #connections: SqliteConnections;

  constructor(connections: SqliteConnections) {
    super({ database: connections.writer });
    this.#connections = connections;
  }

  override createDriver(): Driver {
    return new DurableSqliteDriver(this.#connections);
  }

  override createAdapter(): SqliteAdapter {
    return new DurableSqliteAdapter();
  }

  override createQueryCompiler(): OncePlannedCompiler {
    return new OncePlannedCompiler();
  }
}

class DurableSqliteAdapter extends SqliteAdapter {
  /** Kysely would make each read wait for all writes before it. */
  override get supportsMultipleConnections(): true {
    return true;
  }

  override get supportsTransactionalDdl(): true {
    return true;
  }
}

/** How many statements stay prepared; the product has about 300, and some more by the lengths of their lists. */
const keptStatements = 500;

type Statement = SqliteFile.Statement;

/** `prepare` with a cache: the least recently used statement is dropped first. */
function prepareOnce(file: SqliteFile.Database): (sql: string) => Statement {
  const kept = new Map<string, Statement>();
  return (sql) => putLatest(kept, sql, kept.get(sql) ?? file.prepare(sql), keptStatements);
}

/** A write on a disk that was made read-only fails as one on a disk that fails: SQLite gives both the same code. */
function ofReadOnly(error: unknown, path: string): unknown {
  if (systemCode(error) !== 'SQLITE_IOERR_WRITE') return error;
  try {
    accessSync(path, constants.W_OK);
    return error;
  } catch (refused) {
    const isReadOnly = systemCode(refused) === 'EROFS';
    return isReadOnly
      ? Object.assign(new Error('the disk is read-only', { cause: error }), { code: 'SQLITE_READONLY' })
      : error;
  }
}

function resultOf<Row>(statement: Statement, parameters: readonly unknown[]): QueryResult<Row> {
  if (statement.reader) return { rows: statement.all(parameters) as Row[] };
  const { changes, lastInsertRowid } = statement.run(parameters);
  return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
}

interface Prepared {
  onWriter: (sql: string) => Statement;
  onReader: (sql: string) => Statement;
}

const statements = {
  begin: CompiledQuery.raw('begin'),
  commit: CompiledQuery.raw('commit'),
  rollBack: CompiledQuery.raw('rollback'),
};

/** What Kysely takes for one piece of work: a statement, or a transaction. */
class SqliteWork implements DatabaseConnection {
  readonly #connections: SqliteConnections;
  readonly #prepared: Prepared;
  /** In a transaction. */
  #hasTurn = false;

  constructor(connections: SqliteConnections, prepared: Prepared) {
    this.#connections = connections;
    this.#prepared = prepared;
  }

  async begin(): Promise<void> {
    await this.#connections.line.take();
    this.#hasTurn = true;
    await this.executeQuery(statements.begin);
  }

  /** On a full disk SQLite has rolled back by itself; a second time is an error that would hide the first. */
  async rollBack(): Promise<void> {
    if (this.#hasTurn && this.#connections.writer.inTransaction) await this.executeQuery(statements.rollBack);
  }

  release(): void {
    if (this.#hasTurn) this.#connections.line.leave();
    this.#hasTurn = false;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return await this.#run<Row>(query);
    } catch (error) {
      throw ofReadOnly(error, this.#connections.writer.name);
    }
  }

  async #run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { line, onWritten } = this.#connections;
    const { sql, parameters } = query;
    const statement = this.#prepared.onWriter(sql);
    const isInTransaction = this.#hasTurn;
    if (isInTransaction && query !== statements.commit) return resultOf(statement, parameters);
    if (!isInTransaction && statement.readonly && statement.reader) {
      return resultOf(line.isFree ? statement : this.#prepared.onReader(sql), parameters);
    }
    if (!isInTransaction) await line.take();
    this.#hasTurn = true;
    const result = await line.commit(() => {
      const done = resultOf<Row>(statement, parameters);
      this.#hasTurn = false;
      return done;
    }, isInTransaction);
    onWritten();
    return result;
  }

  /** Row by row, from a statement of its own: a prepared one is busy until its last row was read. */
  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    const { line, writer } = this.#connections;
    const isOwn = !this.#hasTurn;
    if (isOwn) await line.take();
    this.#hasTurn = true;
    try {
      for (const row of writer.prepare(sql).iterate(parameters)) yield { rows: [row as Row] };
    } finally {
      if (isOwn) this.release();
    }
  }
}

class DurableSqliteDriver implements Driver {
  readonly #connections: SqliteConnections;
  readonly #prepared: Prepared;

  constructor(connections: SqliteConnections) {
    this.#connections = connections;
    this.#prepared = { onWriter: prepareOnce(connections.writer), onReader: prepareOnce(connections.reader) };
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  acquireConnection(): Promise<SqliteWork> {
    return Promise.resolve(new SqliteWork(this.#connections, this.#prepared));
  }

  beginTransaction(work: SqliteWork): Promise<void> {
    return work.begin();
  }

  async commitTransaction(work: SqliteWork): Promise<void> {
    await work.executeQuery(statements.commit);
  }

  rollbackTransaction(work: SqliteWork): Promise<void> {
    return work.rollBack();
  }

  releaseConnection(work: SqliteWork): Promise<void> {
    work.release();
    return Promise.resolve();
  }

  destroy(): Promise<void> {
    this.#connections.writer.close();
    return Promise.resolve();
  }
}

/**
 * The connections to PostgreSQL. Any of them may break or stop responding at any moment, in use or idle: a waiting
 * query gets an error, and the pool opens another connection.
 */
import pg from 'pg';
import { Tally } from '../../system/tally.ts';
import type { Primary } from './postgres-primary.ts';

const connectWithinMs = 5000;
/** A connection that is in use for longer counts as dead: not every broken connection reports an error. */
const heldAtMostMs = 30_000;
/** The server-side counterpart: the database aborts a transaction that is idle for this long. */
const idleInTransactionMs = 15_000;
/**
 * The database looks this often whether a server still waits for what it does. Otherwise each query that was given up
 * while it waited for a lock would stay, until the database takes no more connections.
 */
const stillWaitedForMs = 2000;
const atOnce = 12;
/** A process's pool, and the connection that asks whether the database is there. */
export const connectionsOfProcess = atOnce + 1;
/** Each connection keeps the plans of what it prepared: of so many statements, and not of long lists, which vary. */
const mostPrepared = 200;
const longList = '$21';
/** Of statements that differ in the length of their lists: a person who asks for lists of all lengths fills no more. */
const mostOfOneShape = 3;

export interface PostgresPoolOptions {
  heldAtMostMs?: number;
  /** How many connections it opens at most. */
  most?: number;
  /** Where there are several hosts: which of them takes writes. */
  primary?: Primary | undefined;
}

export interface PostgresPool {
  pool: pg.Pool;
  /** Runs work without a time limit for its connection. */
  patiently<T>(work: () => Promise<T>): Promise<T>;
}

const types: pg.CustomTypesConfig = {
  // Our bigints are milliseconds and counts, far below 2^53.
  getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
};

/** Ends the connection at once, and rejects the query under way. */
function giveUp(client: pg.ClientBase): void {
  (client as pg.Client).end().catch(() => undefined);
}

/** Runs before the first use. When it rejects, because the connection failed, the pool drops this client. */
async function prepare(client: pg.ClientBase): Promise<void> {
  const timer = setTimeout(() => giveUp(client), connectWithinMs);
  try {
    await client.query(`set idle_in_transaction_session_timeout = ${String(idleInTransactionMs)}`);
    await client.query(`set client_connection_check_interval = ${String(stillWaitedForMs)}`).catch((error: unknown) => {
      // Not every version and system can do that.
      if (!(error instanceof pg.DatabaseError)) throw error;
    });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A newer version that starts beside this one adds columns, and PostgreSQL runs no prepared statement whose result has
 * changed. It refuses before it does anything.
 */
const isOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';

/** The first error has ended the transaction, if there is one. */
const isInEndedTransaction = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '25P02';

/** SQLSTATE 40001 (serialization_failure): the transaction runs again. */
const toBeRepeated = (cause: unknown): Error =>
  Object.assign(new Error('a prepared statement was outdated', { cause }), { code: '40001' });

/** A statement without the length of its lists. */
const shapeOf = (text: string): string =>
  text
    .replaceAll(/\$\d+/gu, '$')
    .replaceAll(/\$(?:, \$)+/gu, '$')
    .replaceAll(/(\([^()]*\))(?:, \1)+/gu, '$1');

/** The names of prepared statements, which are the same on all connections. */
function statementNames() {
  const names = new Map<string, string>();
  let shapes = new Tally<string>();
  /** Names are not used again: a connection may know the outdated statement under them. */
  let round = 0;
  return {
    of(text: string): string | undefined {
      const known = names.get(text);
      if (known !== undefined || names.size >= mostPrepared || text.includes(longList) || text.includes('@@'))
        return known;
      const shape = shapeOf(text);
      if (shapes.of(shape) >= mostOfOneShape) return undefined;
      shapes.add(shape);
      const name = `t${String(round)}_${String(names.size)}`;
      names.set(text, name);
      return name;
    },
    /** All, because one change of a table outdates many. Unless another connection found that out before. */
    forget(text: string, name: string | undefined): void {
      if (names.get(text) !== name) return;
      names.clear();
      shapes = new Tally();
      round += 1;
    },
  };
}

/**
 * Prepares each statement once on a connection: parsing and planning it anew cost more than half of the database's
 * work. Those that search for words are planned with the words, which decide the plan.
 */
function preparer(): (client: pg.ClientBase) => void {
  const names = statementNames();
  return (client) => {
    const send = client.query.bind(client) as (query: unknown, ...more: unknown[]) => unknown;
    async function sendPrepared(text: string, values: readonly unknown[]): Promise<unknown> {
      const name = names.of(text);
      try {
        return await send({ name, text, values });
      } catch (error) {
        if (!isOutdated(error)) throw error;
        names.forget(text, name);
        return await Promise.resolve(send({ name: names.of(text), text, values })).catch((again: unknown) => {
          throw isInEndedTransaction(again) ? toBeRepeated(error) : again;
        });
      }
    }
    const query = (text: unknown, values?: unknown, ...more: unknown[]): unknown =>
      typeof text === 'string' && Array.isArray(values) && values.length > 0 && more.length === 0
        ? sendPrepared(text, values)
        : send(text, values, ...more);
    client.query = query as typeof client.query;
  };
}

/** Cuts what leads to another host than the one that takes writes, also what connects while that changes. */
function followPrimary(pool: pg.Pool, primary: Primary): void {
  const clients = new Set<pg.Client>();
  const cutOthers = () => {
    for (const client of clients) if (!primary.isOf(client)) client.connection.stream.destroy();
  };
  pool.on('connect', (client) => {
    clients.add(client);
    cutOthers();
  });
  pool.on('remove', (client) => void clients.delete(client));
  primary.onMoved(cutOthers);
}

/** `url` has one host; with `primary` its host alone is replaced. */
export function openPostgresPool(url: string, options: PostgresPoolOptions = {}): PostgresPool {
  const { primary } = options;
  const mostMs = options.heldAtMostMs ?? heldAtMostMs;
  const timers = new Map<pg.ClientBase, NodeJS.Timeout>();
  let patientWork = 0;
  const pool = new pg.Pool({
    connectionString: url,
    max: options.most ?? atOnce,
    types,
    ...(primary && { Client: primary.Client }),
    connectionTimeoutMillis: connectWithinMs,
    // The pool waits for the promise; its types do not say so.
    onConnect: (client): unknown => prepare(client),
  });
  // Without these listeners (the pool's for idle connections, the client's for those in use) an error of a connection
  // would end the process.
  pool.on('error', () => undefined);
  const prepareStatements = preparer();
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    prepareStatements(client);
  });
  if (primary) followPrimary(pool, primary);
  pool.on('acquire', (client) => {
    if (patientWork === 0) timers.set(client, setTimeout(() => giveUp(client), mostMs).unref());
  });
  pool.on('release', (_error, client) => {
    clearTimeout(timers.get(client));
    timers.delete(client);
  });
  return {
    pool,
    async patiently(work) {
      patientWork += 1;
      try {
        return await work();
      } finally {
        patientWork -= 1;
      }
    },
  };
}

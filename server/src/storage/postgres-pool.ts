/**
 * The connections to PostgreSQL. Any of them may break or stop responding at any moment, in use or idle: a waiting
 * query gets an error, and the pool opens another connection.
 */
import pg from 'pg';

const connectWithinMs = 5000;
/** A connection that is in use for longer counts as dead: not every broken connection reports an error. */
const heldAtMostMs = 30_000;
/** The server-side counterpart: the database aborts a transaction that is idle for this long. */
const idleInTransactionMs = 15_000;
const atOnce = 12;
/** Each connection keeps the plans of what it prepared: of so many statements, and not of long lists, which vary. */
const mostPrepared = 200;
const longList = '$21';

export interface PostgresPoolOptions {
  heldAtMostMs?: number;
  /** How many connections it opens at most. */
  most?: number;
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
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Prepares each statement once on a connection: parsing and planning it anew cost more than half of the database's work.
 * Those that search for words are planned with the words, which decide the plan.
 */
function preparer(): (client: pg.ClientBase) => void {
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size >= mostPrepared || text.includes(longList) || text.includes('@@'))
      return known;
    const name = `t${String(names.size)}`;
    names.set(text, name);
    return name;
  };
  return (client) => {
    const send = client.query.bind(client) as (query: unknown, ...more: unknown[]) => unknown;
    const query = (text: unknown, values?: unknown, ...more: unknown[]): unknown =>
      typeof text === 'string' && Array.isArray(values) && values.length > 0
        ? send({ name: nameOf(text), text, values }, ...more)
        : send(text, values, ...more);
    client.query = query as typeof client.query;
  };
}

export function openPostgresPool(url: string, options: PostgresPoolOptions = {}): PostgresPool {
  const mostMs = options.heldAtMostMs ?? heldAtMostMs;
  const timers = new Map<pg.ClientBase, NodeJS.Timeout>();
  let patientWork = 0;
  const pool = new pg.Pool({
    connectionString: url,
    max: options.most ?? atOnce,
    types,
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

/**
 * The connections to PostgreSQL. Any of them may break or fall silent at any moment, in use or idle: whoever waits for an
 * answer gets an error, the pool opens another one, and nothing else happens.
 */
import pg from 'pg';

const connectWithinMs = 5000;
/** A connection that one piece of work holds for longer is taken for dead. A line can die without a word. */
const heldAtMostMs = 30_000;
/** The database frees what a transaction holds when it hears nothing from it for this long: the same, seen from there. */
const idleInTransactionMs = 15_000;
const atOnce = 12;

export interface PostgresPoolOptions {
  heldAtMostMs?: number;
}

export interface PostgresPool {
  pool: pg.Pool;
  /** Runs work that may hold a connection for as long as it takes. */
  patiently<T>(work: () => Promise<T>): Promise<T>;
}

const types: pg.CustomTypesConfig = {
  // Our bigints are milliseconds and counts, far below 2^53.
  getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
};

/** Ends it at once when a query is under way, and rejects that query. */
function giveUp(client: pg.ClientBase): void {
  (client as pg.Client).end().catch(() => undefined);
}

/** Before its first use. Rejects when the line breaks or stays silent, and the pool then forgets this client. */
async function prepare(client: pg.ClientBase): Promise<void> {
  const timer = setTimeout(() => giveUp(client), connectWithinMs);
  try {
    await client.query(`set idle_in_transaction_session_timeout = ${String(idleInTransactionMs)}`);
  } finally {
    clearTimeout(timer);
  }
}

export function openPostgresPool(url: string, options: PostgresPoolOptions = {}): PostgresPool {
  const mostMs = options.heldAtMostMs ?? heldAtMostMs;
  const timers = new Map<pg.ClientBase, NodeJS.Timeout>();
  let patientWork = 0;
  const pool = new pg.Pool({
    connectionString: url,
    max: atOnce,
    types,
    connectionTimeoutMillis: connectWithinMs,
    // The pool waits for the promise; its types do not say so.
    onConnect: (client): unknown => prepare(client),
  });
  // Without these listeners (the pool's for idle connections, the client's for those in use) an error of a connection
  // would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
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

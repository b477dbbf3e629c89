/**
 * What makes frequent queries cheap: building and compiling one takes longer than SQLite takes to answer it, so it is
 * built once, and lists have few lengths, so that few statements have to be prepared. On PostgreSQL each statement is a
 * trip over the network, so changes of several tables go together.
 */
import {
  type CompiledQuery,
  type QueryCreator,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  SqliteAdapter,
} from 'kysely';
import type { Db, Schema } from './schema.ts';

export const isSqlite = (db: Db): boolean => db.getExecutor().adapter instanceof SqliteAdapter;

interface Buildable<Row> {
  compile(db: Db): CompiledQuery<Row>;
}

interface Plan<Row> {
  query: CompiledQuery<Row>;
  /** Which value each parameter has; null for one that is always the same. */
  places: readonly (PropertyKey | null)[];
}

/** By what they are called with. */
type ValuesByKey = Readonly<Record<PropertyKey, unknown>>;

/** Builds for each database what is built for it first, with a mark in the place of each value. */
function plansOnce<Row>(build: (db: Db, marks: Map<unknown, PropertyKey>) => readonly Buildable<Row>[]) {
  /** By the class that stands for the dialect. */
  const known = new Map<unknown, readonly Plan<Row>[]>();
  return (db: Db): readonly Plan<Row>[] => {
    const dialect: unknown = db.getExecutor().adapter.constructor;
    const before = known.get(dialect);
    if (before) return before;
    const marks = new Map<unknown, PropertyKey>();
    const plans = build(db, marks).map((buildable) => {
      const query = buildable.compile(db);
      return { query, places: query.parameters.map((parameter) => marks.get(parameter) ?? null) };
    });
    known.set(dialect, plans);
    return plans;
  };
}

async function run<Row>(db: Db, { query, places }: Plan<Row>, values: ValuesByKey): Promise<Row[]> {
  const parameters = places.map((place, index) => (place === null ? query.parameters[index] : values[place]));
  return (await db.executeQuery<Row>({ ...query, parameters })).rows;
}

/**
 * A query that is built once for each database, with a mark in the place of each value; each call puts its values there.
 * So `build` must not look at them. `Values` are the parameters of the query, in any order. Answers the rows.
 */
export function builtOnce<Values extends readonly unknown[], Row>(
  build: (db: Db, ...values: Values) => Buildable<Row>,
): (db: Db, ...values: Values) => Promise<Row[]> {
  let count = 0;
  const plansFor = plansOnce((db, marks) => {
    const values = Array.from({ length: count }, (_, place) => {
      const mark = {};
      marks.set(mark, place);
      return mark;
    });
    return [build(db, ...(values as unknown as Values))];
  });
  return async (db, ...values) => {
    count = values.length;
    const [plan] = plansFor(db);
    return plan ? await run(db, plan, values as unknown as ValuesByKey) : [];
  };
}

/** Has a mark under each name that it is asked for. */
function marksByName(marks: Map<unknown, PropertyKey>): object {
  const named = new Map<PropertyKey, object>();
  const mark = (name: PropertyKey): object => {
    const known = named.get(name) ?? {};
    named.set(name, known);
    marks.set(known, name);
    return known;
  };
  return new Proxy({}, { get: (_, name) => mark(name) });
}

/** As `builtOnce`, of values that have names. */
export function builtByName<Values extends object, Row>(
  build: (db: Db, values: Values) => Buildable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const plansFor = plansOnce((db, marks) => [build(db, marksByName(marks) as Values)]);
  return async (db, values) => {
    const [plan] = plansFor(db);
    return plan ? await run(db, plan, values as ValuesByKey) : [];
  };
}

/**
 * The items for an `in`, the last one repeated up to the next power of two: a statement of a new length would have to be
 * prepared anew.
 */
export function padded<Item>(items: readonly Item[]): Item[] {
  const last = items.at(-1);
  if (last === undefined) return [];
  const length = 2 ** Math.ceil(Math.log2(items.length));
  return [...items, ...Array.from({ length: length - items.length }, () => last)];
}

/** A query for each number of values, made when it is first needed. */
export function byNumber<Query>(make: (count: number) => Query): (count: number) => Query {
  const made = new Map<number, Query>();
  return (count) => {
    const query = made.get(count) ?? make(count);
    made.set(count, query);
    return query;
  };
}

/** As `builtOnce`, for a list, which is not empty: built for each length that `padded` gives it. `More` are other values. */
export function builtForEach<Item, More extends readonly unknown[], Row>(
  build: (db: Db, items: readonly Item[], ...more: More) => Buildable<Row>,
): (db: Db, items: readonly Item[], ...more: More) => Promise<Row[]> {
  const queryFor = byNumber((length) =>
    builtOnce((db, ...values: unknown[]) =>
      build(db, values.slice(0, length) as Item[], ...(values.slice(length) as unknown as More)),
    ),
  );
  return (db, items, ...more) => {
    const all = padded(items);
    return queryFor(all.length)(db, ...all, ...more);
  };
}

/** As `builtOnce`, of rows with these columns, of which there is one at least: built for each number of them. */
export function builtForRows<Row extends object>(
  columns: readonly (keyof Row & string)[],
  build: (db: Db, rows: readonly Row[]) => Buildable<unknown>,
): (db: Db, rows: readonly Row[]) => Promise<void> {
  const queryFor = byNumber((count) =>
    builtOnce((db, ...values: unknown[]) => {
      const rowAt = (row: number) =>
        Object.fromEntries(columns.map((column, at) => [column, values[row * columns.length + at]]));
      return build(
        db,
        Array.from({ length: count }, (_, row) => rowAt(row) as Row),
      );
    }),
  );
  return async (db, rows) => {
    await queryFor(rows.length)(db, ...rows.flatMap((row) => columns.map((column) => row[column])));
  };
}

/** Databases bound the parameters of one statement. */
const rowsPerStatement = 500;

export function* chunked<Item>(items: readonly Item[], most = rowsPerStatement): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += most) yield items.slice(from, from + most);
}

/** How many rows the query finds. */
export async function countOf<Tables extends keyof Schema>(
  query: SelectQueryBuilder<Schema, Tables, object>,
): Promise<number> {
  const { count } = await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return count;
}

/** Whether the query finds a row. */
export const isThere = async (query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined;

/**
 * Whether this sub-query, which begins with 'select 1', finds a row: looked up for each row that asks. In an `or`
 * PostgreSQL answers an `exists` at will from a table of all rows, which it reads first: of every user of the server.
 */
export const lookedUp = (query: RawBuilder<unknown>): RawBuilder<boolean> => sql`((${query} limit 1) is not null)`;

type CommonTable = Parameters<QueryCreator<Schema>['with']>[1];

/** A query that changes rows. */
interface Changing extends Buildable<unknown> {
  execute(): Promise<unknown>;
}
type Change = (on: QueryCreator<Schema>) => Changing;

/** One statement on PostgreSQL, and one of each change on SQLite. */
function statementsOf(db: Db, changes: readonly Change[]): Changing[] {
  if (isSqlite(db)) return changes.map((change) => change(db));
  let on: QueryCreator<Schema> = db;
  for (const [index, change] of changes.slice(0, -1).entries()) {
    on = on.with(`change_${String(index)}`, ((inner: QueryCreator<Schema>) =>
      change(inner)) as CommonTable) as typeof on;
  }
  return changes.slice(-1).map((change) => change(on));
}

/**
 * Changes rows of different tables: on PostgreSQL in one statement, within which no query sees what the others change.
 */
export async function changeTogether(db: Db, changes: readonly Change[]): Promise<void> {
  for (const statement of statementsOf(db, changes)) await statement.execute();
}

/** As `changeTogether`, of changes that are built once, as `builtByName` builds a query. */
export function changesByName<Values extends object>(
  build: (values: Values) => readonly Change[],
): (db: Db, values: Values) => Promise<void> {
  const plansFor = plansOnce((db, marks) => statementsOf(db, build(marksByName(marks) as Values)));
  return async (db, values) => {
    for (const plan of plansFor(db)) await run(db, plan, values as ValuesByKey);
  };
}

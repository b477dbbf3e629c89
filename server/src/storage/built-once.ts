/**
 * Queries that are built once for each database: building and compiling a frequent one takes longer than SQLite takes to
 * answer it. A query is built with a mark in the place of each value, and each call puts its values there; so it must
 * not look at them.
 */
import type { CompiledQuery, Kysely } from 'kysely';
import type { Schema } from './schema.ts';

interface Buildable<Row> {
  compile(db: Kysely<Schema>): CompiledQuery<Row>;
}

interface Plan<Row> {
  query: CompiledQuery<Row>;
  /** The value of each parameter; null for one that is always the same. */
  places: readonly (number | null)[];
}

/** Answers the rows. `Values` are the parameters of the query, in any order. */
export function builtOnce<Values extends readonly unknown[], Row>(
  build: (db: Kysely<Schema>, ...values: Values) => Buildable<Row>,
): (db: Kysely<Schema>, ...values: Values) => Promise<Row[]> {
  /** By the class that stands for the dialect. */
  const plans = new Map<unknown, Plan<Row>>();

  function planFor(db: Kysely<Schema>, count: number): Plan<Row> {
    const dialect: unknown = db.getExecutor().adapter.constructor;
    const known = plans.get(dialect);
    if (known) return known;
    const marks = Array.from({ length: count }, () => ({}));
    const query = build(db, ...(marks as unknown as Values)).compile(db);
    const places = query.parameters.map((parameter) => {
      const place = marks.indexOf(parameter as object);
      return place === -1 ? null : place;
    });
    const plan = { query, places };
    plans.set(dialect, plan);
    return plan;
  }

  return async (db, ...values) => {
    const { query, places } = planFor(db, values.length);
    const parameters = places.map((place, index) => (place === null ? query.parameters[index] : values[place]));
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}

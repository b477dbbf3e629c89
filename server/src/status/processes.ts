/**
 * Processes that know each other: each writes what it is into the table `processes`, looks at what the others wrote, and
 * says once what does not fit together, in the log, as metrics and on the operator's page. What would do harm stops the
 * start of the process that comes later.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Config } from '../config.ts';
import type { Doorbell } from '../realtime/feed.ts';
import type { Database } from '../storage/database.ts';
import { connectionsOfProcess } from '../storage/postgres-pool.ts';
import { sharedKey } from '../storage/settings.ts';
import { type Clock, Failure, type Log } from '../system/ports.ts';
import { makeFolder } from '../system/whole-files.ts';
import { type Disagreement, disagreementsOf, kinds, type ProcessFacts, type Surroundings } from './process-facts.ts';

/** A process reports every 2 s: one that was silent for longer is not compared. */
const livesWithinMs = 6000;
/** For so long a start watches whether a process that it does not fit is still reporting. */
const watchedForMs = 6000;
const watchEveryMs = 250;
const probes = 5;
const marksFolder = 'folder-mark';

interface ProcessesDeps {
  database: Database;
  /** Shared by the processes. */
  clock: Clock;
  machine: Clock;
  log: Log;
  metrics: Registry;
  processId: string;
  version: string;
  config: Pick<Config, 'agreed' | 'withoutTls' | 'dataDir' | 's3'>;
  doorbell: Pick<Doorbell, 'service'>;
  /** What the library lists, the same array until that changes; null while it is being read. */
  libraryItems: () => readonly { id: string }[] | null;
}

export interface Processes {
  /** Throws `Failure` when this process would do harm beside one that is running. */
  assertFits(): Promise<void>;
  /** Writes what this process is, and compares it with the others. */
  look(): Promise<void>;
  /** As of the last look. */
  disagreements(): readonly Disagreement[];
  /** How many processes live, this one included. */
  living(): number;
}

export async function openProcesses(deps: ProcessesDeps): Promise<Processes> {
  const { database, clock, log, metrics, processId } = deps;
  const { db } = database;
  const key = await sharedKey(db, 'processes-key');
  let found: readonly Disagreement[] = [];
  /** Of the last look: what passes by itself, as when Redis or a process begins anew, is not said. Null before the first. */
  let suspected: ReadonlySet<string> | null = null;
  let [living, roundTripMs] = [1, 0];

  const libraryHash = onceOf((ids: readonly { id: string }[]) =>
    hash(
      ids
        .map(({ id }) => id)
        .toSorted()
        .join(),
    ),
  );
  const hash = (text: string): string => createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);

  async function facts(): Promise<ProcessFacts> {
    const items = deps.libraryItems();
    const settings = Object.entries(deps.config.agreed).map(([name, value]) => [name, hash(value)]);
    return {
      version: deps.version,
      settings: Object.fromEntries(settings) as Record<string, string>,
      folder: deps.config.s3 === null ? await markOf(deps.config.dataDir) : null,
      library: items && libraryHash(items),
      redis: await deps.doorbell.service(),
      connections: connectionsOfProcess,
    };
  }

  async function othersAlive() {
    const rows = await db
      .selectFrom('processes')
      .selectAll()
      .where('process_id', '!=', processId)
      .where('seen_at_ms', '>', clock.now() - livesWithinMs)
      .execute();
    // One of an earlier version says nothing of itself.
    return rows.flatMap(({ process_id: id, seen_at_ms: seenAtMs, facts: said }) =>
      said === null ? [] : [{ id, seenAtMs, facts: JSON.parse(said) as ProcessFacts }],
    );
  }

  async function compare(own: ProcessFacts): Promise<{ others: number; found: Disagreement[] }> {
    roundTripMs = await leastRoundTrip(database);
    const others = await othersAlive();
    const around: Surroundings = {
      roundTripMs,
      clockOffMs: deps.machine.preciseNow() - clock.preciseNow(),
      connectionsMost: await connectionsTaken(database),
      withoutTls: deps.config.withoutTls,
    };
    const all = others.map((other) => other.facts);
    return { others: others.length, found: disagreementsOf(own, all, around) };
  }

  /** A process that was killed looks alive for some seconds: what reports again does live. */
  async function harmOf(own: ProcessFacts): Promise<Disagreement | null> {
    const atStart = new Map((await othersAlive()).map(({ id, seenAtMs }) => [id, seenAtMs]));
    const giveUpAt = performance.now() + watchedForMs;
    for (;;) {
      const others = await othersAlive();
      const reporting = others.filter(({ id, seenAtMs }) => seenAtMs !== atStart.get(id));
      const harmfulTo = (some: typeof others) =>
        disagreementsOf(
          own,
          some.map((other) => other.facts),
          nothingAround,
        ).find(({ isHarmful }) => isHarmful);
      const harm = harmfulTo(reporting);
      if (harm) return harm;
      if (!harmfulTo(others) || performance.now() > giveUpAt) return null;
      await pause(watchEveryMs);
    }
  }

  void new Gauge({
    name: 'tunemate_processes_disagree',
    help: '1 where processes of the installation do not fit together, or one does not fit its surroundings, by kind.',
    labelNames: ['kind'],
    registers: [metrics],
    collect() {
      for (const kind of kinds) this.set({ kind }, found.some((each) => each.kind === kind) ? 1 : 0);
    },
  });
  void new Gauge({
    name: 'tunemate_database_round_trip_seconds',
    help: 'The least time that the database took to answer this process, of the last few questions.',
    registers: [metrics],
    collect() {
      this.set(roundTripMs / 1000);
    },
  });
  return {
    async assertFits() {
      const harm = await harmOf(await facts());
      if (harm) throw new Failure('server/unavailable', 'processes.do-not-fit', new Error(wordsOf(harm)));
    },
    async look() {
      const own = await facts();
      await db
        .updateTable('processes')
        .set({ facts: JSON.stringify(own) })
        .where('process_id', '=', processId)
        .where((row) => row.or([row('facts', 'is', null), row('facts', '!=', JSON.stringify(own))]))
        .execute();
      const before = namesOf(found);
      const seen = await compare(own);
      const earlier = suspected;
      suspected = new Set(seen.found.map(({ kind }) => kind));
      [found, living] = [seen.found.filter(({ kind }) => earlier?.has(kind) ?? true), seen.others + 1];
      if (namesOf(found) === before) return;
      if (found.length === 0) log.info({}, 'processes.agree');
      else log.warn({ disagreements: found.map(wordsOf) }, 'processes.disagree');
    },
    disagreements: () => found,
    living: () => living,
  };
}

/** Computes anew when the array is another one. */
function onceOf<Item, Made>(make: (items: readonly Item[]) => Made): (items: readonly Item[]) => Made {
  let last: { items: readonly Item[]; made: Made } | null = null;
  return (items) => {
    if (last?.items !== items) last = { items, made: make(items) };
    return last.made;
  };
}

const nothingAround: Surroundings = { roundTripMs: 0, clockOffMs: 0, connectionsMost: null, withoutTls: [] };

export const wordsOf = ({ what, advice }: Disagreement): string => `${what}. ${advice}`;
/** Times vary from look to look and are no news. */
const namesOf = (found: readonly Disagreement[]): string =>
  found.map(({ kind, what }) => (kind === 'settings' ? what : kind)).join();

/** A random name in the folder, by which two processes see that theirs is one. Of two that begin at once the first counts. */
async function markOf(folder: string): Promise<string> {
  const marks = join(folder, marksFolder);
  const first = async () => (await readdir(marks).catch((): string[] => [])).toSorted()[0];
  const found = await first();
  if (found !== undefined) return found;
  await makeFolder(join(marks, randomBytes(16).toString('hex')));
  return (await first()) ?? '';
}

async function leastRoundTrip({ answers }: Pick<Database, 'answers'>): Promise<number> {
  let leastMs = Infinity;
  for (let n = 0; n < probes; n += 1) {
    const askedMs = performance.now();
    await answers();
    leastMs = Math.min(leastMs, performance.now() - askedMs);
  }
  return leastMs;
}

/** Of the server, the database and the account the least. */
async function connectionsTaken({ db, dialect }: Database): Promise<number | null> {
  if (dialect === 'sqlite') return null;
  const { rows } = await sql<{ most: number }>`select least(
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
    (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
    (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)) as most`.execute(db);
  return rows[0]?.most ?? null;
}

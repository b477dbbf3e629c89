/**
 * Processes that know each other: each writes what it is into the table `processes`, looks at what the others wrote, and
 * says once what does not fit together, in the log, as metrics and on the operator's page. What would do harm stops the
 * start of the process that comes later.
 */
import { createHmac, type Hmac, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { onceOf } from '@tunemate/domain';
import { Gauge, type Registry } from 'prom-client';
import type { Config } from '../config.ts';
import type { Doorbell } from '../realtime/feed.ts';
import type { Database } from '../storage/database.ts';
import { connectionsOfProcess } from '../storage/postgres/postgres-pool.ts';
import type { Db } from '../storage/schema.ts';
import { sharedKey } from '../storage/settings.ts';
import type { Background } from '../system/background.ts';
import { inTurns, sortedInTurns } from '../system/in-turns.ts';
import { type Clock, Failure, type Log } from '../system/ports.ts';
import { makeFolder } from '../system/whole-files.ts';
import { type Disagreement, disagreementsOf, kinds, type ProcessFacts, type Surroundings } from './process-facts.ts';

/** A process reports every 2 s: one that was silent for longer is not compared. */
const livesWithinMs = 6000;
/** For so long a start watches whether a process that it does not fit is still reporting. */
const watchedForMs = 6000;
const watchEveryMs = 250;
const compareEveryMs = 10_000;
const settleEveryMs = 500;
const probes = 5;
const marksFolder = 'folder-mark';

interface ProcessesDeps {
  database: Database;
  /** Shared by the processes. */
  clock: Clock;
  machine: Clock;
  log: Log;
  metrics: Registry;
  background: Background;
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
  const { database, clock, log, processId, background } = deps;
  const { db } = database;
  const facts = await ownFacts(deps);
  /** Of one look, and of the one before: what passes by itself, as when Redis begins anew, is not said. */
  let [found, suspected]: [readonly Disagreement[], ReadonlySet<string> | null] = [[], null];
  let [living, roundTripMs] = [1, 0];
  const seen = () => othersSeen(db, processId, clock.now() - livesWithinMs);
  const others = othersApart(seen);

  async function compare(own: ProcessFacts, alive: readonly ProcessFacts[]): Promise<Disagreement[]> {
    roundTripMs = await leastRoundTrip(database);
    living = alive.length + 1;
    const around: Surroundings = {
      roundTripMs,
      clockOffMs: deps.machine.preciseNow() - clock.preciseNow(),
      connectionsMost: await connectionsTaken(database),
      withoutTls: deps.config.withoutTls,
    };
    return disagreementsOf(own, alive, around);
  }

  /**
   * Whether each other process has reported again or fallen silent. True until the start has looked: before that it may
   * excuse an outage, which looks like a report of processes that are gone.
   */
  let isSettled = true;
  let hasLooked = false;
  async function look(): Promise<void> {
    const own = await facts();
    await noteFacts(db, processId, JSON.stringify(own));
    const { alive, silent } = await others();
    const [before, earlier, now] = [namesOf(found), suspected, await compare(own, alive)];
    [isSettled, hasLooked] = [silent.length === 0, true];
    if (isSettled) suspected = new Set(now.map(({ kind }) => kind));
    found = now.filter(({ kind }) => earlier?.has(kind) ?? true);
    if (namesOf(found) === before) return;
    if (found.length === 0) log.info({}, 'processes.agree');
    else log.warn({ disagreements: found.map(wordsOf) }, 'processes.disagree');
  }

  background.every(compareEveryMs, 'processes.compare', async () => {
    if (hasLooked) await look();
  });
  background.every(settleEveryMs, 'processes.settle', async () => {
    if (!isSettled) await look();
  });
  showProcesses(deps.metrics, { found: () => found, roundTripMs: () => roundTripMs });
  return {
    async assertFits() {
      const harm = await harmOf(await facts(), othersApart(seen));
      if (harm) throw new Failure('server/unavailable', 'processes.do-not-fit', new Error(wordsOf(harm)));
    },
    look,
    disagreements: () => found,
    living: () => living,
  };
}

/** Reads what this process is, each time anew. */
async function ownFacts(deps: ProcessesDeps): Promise<() => Promise<ProcessFacts>> {
  const { config, version, doorbell } = deps;
  const key = await sharedKey(deps.database.db, 'processes-key');
  const shortOf = (hashed: Hmac): string => hashed.digest('base64url').slice(0, 22);
  const hash = (text: string): string => shortOf(createHmac('sha256', key).update(text));
  const libraryHash = onceOf(async (items: readonly { id: string }[]) => {
    const sorted = await sortedInTurns(items, (a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
    const hashed = createHmac('sha256', key);
    let before = '';
    for await (const some of inTurns(sorted)) {
      hashed.update(before + some.map(({ id }) => id).join());
      before = ',';
    }
    return shortOf(hashed);
  });
  const settings = Object.fromEntries(Object.entries(config.agreed).map(([name, value]) => [name, hash(value)]));
  return async () => {
    const items = deps.libraryItems();
    return {
      ...{ version, settings, connections: connectionsOfProcess },
      folder: config.s3 === null ? await markOf(config.dataDir) : null,
      library: items && (await libraryHash(items)),
      redis: await doorbell.service(),
    };
  };
}

interface Other {
  id: string;
  seenAtMs: number;
  facts: ProcessFacts;
}

/** Other processes, by whether they have reported since this one first saw them. */
interface Others {
  alive: ProcessFacts[];
  /** Running, or killed a moment ago. The start after an outage counts all of them as seen once more. */
  silent: ProcessFacts[];
}

function othersApart(seen: () => Promise<readonly Other[]>): () => Promise<Others> {
  let firstSeen: ReadonlyMap<string, number> = new Map();
  return async () => {
    const all = await seen();
    const first = (firstSeen = new Map(all.map(({ id, seenAtMs }) => [id, firstSeen.get(id) ?? seenAtMs])));
    const isSilent = ({ id, seenAtMs }: Other): boolean => first.get(id) === seenAtMs;
    const [alive, silent] = [all.filter((other) => !isSilent(other)), all.filter(isSilent)];
    return { alive: alive.map(({ facts }) => facts), silent: silent.map(({ facts }) => facts) };
  };
}

async function othersSeen(db: Db, ownId: string, sinceMs: number): Promise<Other[]> {
  const rows = await db
    .selectFrom('processes')
    .selectAll()
    .where('process_id', '!=', ownId)
    .where('seen_at_ms', '>', sinceMs)
    .execute();
  // One of an earlier version says nothing of itself.
  return rows.flatMap(({ process_id: id, seen_at_ms: seenAtMs, facts }) =>
    facts === null ? [] : [{ id, seenAtMs, facts: JSON.parse(facts) as ProcessFacts }],
  );
}

/** Writes nothing where nothing has changed. */
async function noteFacts(db: Db, processId: string, facts: string): Promise<void> {
  await db
    .updateTable('processes')
    .set({ facts })
    .where('process_id', '=', processId)
    .where((row) => row.or([row('facts', 'is', null), row('facts', '!=', facts)]))
    .execute();
}

/** Waits for a process that this one can't stand beside, until that reports again or falls silent. */
async function harmOf(own: ProcessFacts, others: () => Promise<Others>): Promise<Disagreement | null> {
  const harmBeside = (some: readonly ProcessFacts[]) =>
    disagreementsOf(own, some, nothingAround).find(({ isHarmful }) => isHarmful) ?? null;
  const giveUpAt = performance.now() + watchedForMs;
  for (;;) {
    const { alive, silent } = await others();
    const harm = harmBeside(alive);
    if (harm !== null) return harm;
    if (harmBeside(silent) === null || performance.now() > giveUpAt) return null;
    await pause(watchEveryMs);
  }
}

interface Shown {
  found: () => readonly Disagreement[];
  roundTripMs: () => number;
}

function showProcesses(metrics: Registry, { found, roundTripMs }: Shown): void {
  void new Gauge({
    name: 'tunemate_processes_disagree',
    help: '1 where processes of the installation do not fit together, or one does not fit its surroundings, by kind.',
    labelNames: ['kind'],
    registers: [metrics],
    collect() {
      for (const kind of kinds) this.set({ kind }, found().some((each) => each.kind === kind) ? 1 : 0);
    },
  });
  void new Gauge({
    name: 'tunemate_database_round_trip_seconds',
    help: 'The least time that the database took to answer this process, of the last few questions.',
    registers: [metrics],
    collect() {
      this.set(roundTripMs() / 1000);
    },
  });
}

const nothingAround: Surroundings = { roundTripMs: 0, clockOffMs: 0, connectionsMost: null, withoutTls: [] };

const wordsOf = ({ what, advice }: Disagreement): string => `${what}. ${advice}`;
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

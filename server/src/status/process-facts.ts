/** What processes of one installation say of themselves, and what of it does not fit together. */
import { unnamedRedis } from '../realtime/redis-doorbell.ts';

/** Written into the table `processes` by each, and read by the others. Hashes are made with a key of the database. */
export interface ProcessFacts {
  version: string;
  /** A hash of each setting that all processes must agree on, by its name. */
  settings: Readonly<Record<string, string>>;
  /** The mark of its DATA_DIR; null where an object store keeps what processes share. */
  folder: string | null;
  /** A hash of what its library lists; null while it is being read. */
  library: string | null;
  /** Which Redis it uses, as the doorbell names it; null without. */
  redis: string | null;
  /** How many connections to the database it opens at most. */
  connections: number;
}

/** What one process knows beside the facts of all. */
export interface Surroundings {
  /** The least time that the database took to answer, in milliseconds. */
  roundTripMs: number;
  /** How far this machine's clock is from the database's, in milliseconds. */
  clockOffMs: number;
  /** How many connections the database takes; null where it has no such limit. */
  connectionsMost: number | null;
  /** Settings whose address leads across a public network without TLS. */
  withoutTls: readonly string[];
}

/** What does not fit, and the way out. */
export interface Disagreement {
  kind: (typeof kinds)[number];
  what: string;
  advice: string;
  /** It would do harm: a process does not start beside others with it. */
  isHarmful: boolean;
}
export const kinds = [
  ...(['redis', 'folder', 'version', 'settings', 'library'] as const),
  ...(['connections', 'distance', 'clock', 'tls'] as const),
] as const;

/** A write of a room holds it over some eight statements, one after the other. */
const farMs = 25;
const clockIsOffMs = 1000;

/** `own` against `others`, which live. In the order of `kinds`. */
export function disagreementsOf(
  own: ProcessFacts,
  others: readonly ProcessFacts[],
  around: Surroundings,
): Disagreement[] {
  return [...redisOf(own, others), ...amongAll(own, others), ...ofThisProcess(own, others, around)];
}

function redisOf({ redis }: ProcessFacts, others: readonly ProcessFacts[]): Disagreement[] {
  if (redis === null && others.length > 0 && others.every((other) => other.redis === null)) {
    const what = 'several processes share the database without Redis';
    return [{ kind: 'redis', what, advice: 'Set the same REDIS_URL for each, or run one process.', isHarmful: false }];
  }
  const isSame = (other: string | null): boolean =>
    other === redis || (other !== null && redis !== null && [other, redis].includes(unnamedRedis));
  if (others.every((other) => isSame(other.redis))) return [];
  const what = 'processes of this database use no Redis, or another one';
  const advice = 'Set the same REDIS_URL for each: what one process stores reaches people on the others late.';
  return [{ kind: 'redis', what, advice, isHarmful: true }];
}

function amongAll(own: ProcessFacts, others: readonly ProcessFacts[]): Disagreement[] {
  const found: Disagreement[] = [];
  if (own.folder !== null && others.some(({ folder }) => folder !== null && folder !== own.folder)) {
    const advice =
      'Share one DATA_DIR between all processes, or set S3_URL: pictures are there for some requests only.';
    found.push({ kind: 'folder', what: 'another process has another DATA_DIR', advice, isHarmful: true });
  }
  if (others.some(({ version }) => version !== own.version)) {
    const advice = 'Stop every process, then start all of one version.';
    found.push({ kind: 'version', what: 'processes are of several versions', advice, isHarmful: false });
  }
  const names = others.flatMap(({ settings }) =>
    [...new Set([...Object.keys(settings), ...Object.keys(own.settings)])].filter(
      (name) => settings[name] !== own.settings[name],
    ),
  );
  if (names.length > 0 && found.every(({ kind }) => kind !== 'version')) {
    const what = `processes have other values of ${[...new Set(names)].toSorted().join(', ')}`;
    found.push({ kind: 'settings', what, advice: 'Set it for each process, and start them again.', isHarmful: false });
  }
  if (own.library !== null && others.some(({ library }) => library !== null && library !== own.library)) {
    const advice = 'Give each process the same MEDIA_DIR. After a change of its files this passes within ten minutes.';
    found.push({ kind: 'library', what: 'another process lists other files', advice, isHarmful: false });
  }
  return found;
}

function ofThisProcess(own: ProcessFacts, others: readonly ProcessFacts[], around: Surroundings): Disagreement[] {
  const found: Disagreement[] = [];
  const add = (kind: Disagreement['kind'], what: string, advice: string) =>
    void found.push({ kind, what, advice, isHarmful: false });
  const { roundTripMs, clockOffMs, connectionsMost, withoutTls } = around;
  const wanted = [own, ...others].reduce((sum, { connections }) => sum + connections, 0);
  if (connectionsMost !== null && wanted > connectionsMost) {
    const what = `processes may open ${String(wanted)} connections, and the database takes ${String(connectionsMost)}`;
    add('connections', what, 'Raise max_connections of PostgreSQL, or run fewer processes.');
  }
  if (roundTripMs > farMs) {
    const what = `the database answers this process after ${String(Math.round(roundTripMs))} ms`;
    add('distance', what, 'Run it beside the database: it slows the rooms that it shares with other processes.');
  }
  if (Math.abs(clockOffMs) > clockIsOffMs) {
    const what = `the clock of this machine is ${String(Math.round(clockOffMs))} ms off that of the database`;
    add('clock', what, 'Set the clock of both machines, by NTP.');
  }
  if (withoutTls.length > 0) {
    const what = `${withoutTls.join(' and ')} lead across a public network without TLS`;
    add('tls', what, 'Add ?sslmode=verify-full to DATABASE_URL, and begin REDIS_URL with rediss://.');
  }
  return found;
}

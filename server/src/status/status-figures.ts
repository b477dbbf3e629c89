/**
 * The lines of the status page, from the metrics for Prometheus, and the thresholds above which a line gets advice.
 */

/** A metric as prom-client returns it. */
export interface Metric {
  name: string;
  values: readonly { value: number; labels: Partial<Record<string, string | number>>; metricName?: string }[];
}

/** Facts that are not metrics. */
export interface Facts {
  version: string;
  protocolVersion: number;
  node: string;
  database: string;
  /** The newest migration. */
  schema: string;
  upMs: number;
  nowMs: number;
}

export interface Line {
  name: string;
  value: string;
  /** What the operator should do. */
  advice?: string;
}
export interface Section {
  title: string;
  lines: readonly Line[];
}

/** Shown for an unknown value. */
const none = '–';
const dayMs = 24 * 60 * 60 * 1000;
/** Above these a line has advice. */
const loopIsSlowSeconds = 0.25;
const answersAreSlowSeconds = 0.5;
const manyUnsentBytes = 16 * 1024 * 1024;
const manyMails = 20;
const backupIsOldMs = 2 * dayMs;

export function statusOf(metrics: readonly Metric[], facts: Facts): Section[] {
  const valuesOf = (name: string) => metrics.find((metric) => metric.name === name)?.values ?? [];
  const sum = (name: string): number | null => {
    const values = valuesOf(name);
    const total = values.reduce((all, { value }) => all + value, 0);
    return values.length === 0 || Number.isNaN(total) ? null : total;
  };
  const within = (name: string, share: number) => quantile(valuesOf(name), share);
  const loop = sum('nodejs_eventloop_lag_p99_seconds');
  const answers = within('tunemate_socket_request_seconds', 0.99);
  const unsent = sum('tunemate_unsent_bytes');
  const mails = sum('tunemate_mails_waiting');
  const backupAt = sum('tunemate_last_backup_timestamp_seconds');
  return [
    {
      title: 'People',
      lines: [
        { name: 'Connections to this process', value: count(sum('tunemate_connections')) },
        { name: 'People online', value: count(sum('tunemate_people_online')) },
        { name: 'Live rooms', value: count(sum('tunemate_rooms')) },
        { name: 'People in them', value: count(sum('tunemate_room_members')) },
        { name: 'Changes delivered', value: count(sum('tunemate_deliveries_total')) },
        line(
          'Reports that wait',
          count(sum('tunemate_reports_waiting')),
          (sum('tunemate_reports_waiting') ?? 0) > 0,
          'npm run admin -- reports list',
        ),
      ],
    },
    {
      title: 'Pace',
      lines: [
        line(
          '99 of 100 requests answered within',
          atMost(answers),
          (answers ?? 0) > answersAreSlowSeconds,
          'Is the disk or the database slow?',
        ),
        line(
          '99 of 100 turns of the loop wait',
          seconds(loop),
          (loop ?? 0) > loopIsSlowSeconds,
          'One core is full: add processes.',
        ),
        { name: '95 of 100 players are off by less than', value: atMost(within('tunemate_drift_seconds', 0.95)) },
      ],
    },
    {
      title: 'What waits',
      lines: [
        { name: 'Requests', value: count(sum('tunemate_requests_waiting')) },
        line(
          'Bytes that pages have not read',
          bytes(unsent),
          (unsent ?? 0) > manyUnsentBytes,
          'Somebody’s line is slow; who reads nothing is dropped.',
        ),
        line('Mails', count(mails), (mails ?? 0) > manyMails, 'Look for mail. in the log: is the mail server there?'),
      ],
    },
    {
      title: 'This process',
      lines: [
        { name: 'Up for', value: span(facts.upMs) },
        { name: 'Memory', value: bytes(sum('process_resident_memory_bytes')) },
        { name: 'Tunemate', value: `${facts.version}, protocol ${String(facts.protocolVersion)}` },
        { name: 'Node', value: facts.node },
        { name: 'Database', value: `${facts.database}, ${facts.schema}` },
        lastBackup(backupAt === null ? null : backupAt * 1000, facts.nowMs),
      ],
    },
  ];
}

/** The upper bound, in seconds, of the bucket with this quantile; null without observations. */
export function quantile(values: Metric['values'], share: number): number | null {
  const upTo = new Map<number, number>();
  for (const { metricName, labels, value } of values) {
    if (metricName?.endsWith('_bucket') !== true) continue;
    const bound = labels['le'] === '+Inf' ? Infinity : Number(labels['le']);
    upTo.set(bound, (upTo.get(bound) ?? 0) + value);
  }
  const all = upTo.get(Infinity) ?? 0;
  if (all === 0) return null;
  const bounds = [...upTo].toSorted(([a], [b]) => a - b);
  return bounds.find(([, below]) => below >= all * share)?.[0] ?? null;
}

function line(name: string, value: string, deservesLook: boolean, advice: string): Line {
  return deservesLook ? { name, value, advice } : { name, value };
}

/** `atMs` is 0 when there was no backup. */
function lastBackup(atMs: number | null, nowMs: number): Line {
  if (atMs === null) return { name: 'Last backup', value: none };
  const value = atMs === 0 ? 'never' : `${span(nowMs - atMs)} ago`;
  return line('Last backup', value, nowMs - atMs > backupIsOldMs, 'npm run backup');
}

const count = (value: number | null): string => (value === null ? none : new Intl.NumberFormat('en').format(value));
const seconds = (value: number | null): string =>
  value === null ? none : value < 1 ? `${String(Math.round(value * 1000))} ms` : `${value.toFixed(1)} s`;
const atMost = (value: number | null): string => (value === Infinity ? 'more than is counted' : seconds(value));
const bytes = (value: number | null): string =>
  value === null
    ? none
    : value < 1e6
      ? `${String(Math.round(value / 1000))} kB`
      : `${String(Math.round(value / 1e6))} MB`;

function span(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${String(minutes)} min`;
  if (minutes < 48 * 60) return `${String(Math.floor(minutes / 60))} h`;
  return `${String(Math.floor(minutes / (24 * 60)))} days`;
}

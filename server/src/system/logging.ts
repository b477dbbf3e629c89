/**
 * The log: one JSON line for each event, or a readable line in a terminal. The only place that knows pino. Errors are
 * reduced to a few fields, because a driver's error may contain the values of a row. Every event is one line of
 * printable characters, and one that happens again and again is soon written at each doubling alone.
 */
import pino from 'pino';
import type { Log } from './ports.ts';
import { asWord, errorLines, escapeUnprintable } from './printable.ts';

interface Reduced {
  type: string;
  message: string;
  code?: string;
  stack?: string | undefined;
  cause?: Reduced;
}

function reduce(error: unknown, depth = 0): Reduced {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  return {
    type: error.name,
    message: error.message,
    ...('code' in error ? { code: String(error.code) } : {}),
    stack: error.stack,
    ...(error.cause === undefined || depth > 2 ? {} : { cause: reduce(error.cause, depth + 1) }),
  };
}

const levelNames: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: '',
  40: 'warning',
  50: 'error',
  60: 'fatal',
};

/** `20:15:04 mail.written to=ann@example.org link=http://…`, with an error's calls on the lines below. */
function readableLine(json: string): string {
  const { level, time, msg, err, ...fields } = JSON.parse(json) as Record<string, unknown> & { err?: Reduced };
  const words = [
    new Date(Number(time)).toTimeString().slice(0, 8),
    levelNames[Number(level)],
    escapeUnprintable(String(msg)),
    ...Object.entries(fields).map(
      ([name, value]) =>
        `${asWord(name)}=${typeof value === 'string' ? asWord(value) : escapeUnprintable(JSON.stringify(value))}`,
    ),
  ];
  const line = words.filter(Boolean).join(' ');
  return [line, ...(err ? errorLines(err).map((each) => `  ${each}`) : [])].join('\n');
}

/** `level` as in LOG_LEVEL; 'silent' writes nothing. */
export function createLog(level: string, out: { isTTY?: boolean; write(text: string): unknown } = process.stdout): Log {
  const destination = {
    write: (json: string) => void out.write(`${out.isTTY ? readableLine(json) : escapeUnprintable(json.trimEnd())}\n`),
  };
  const options = { level, base: null, serializers: { err: (error: unknown) => reduce(error) } };
  return sparing(pino(options, destination));
}

const writtenEachTime = 16;
const countedMs = 60 * 60 * 1000;
const mostCounted = 5000;
/** What tells events of one name apart. */
const apart = ['name', 'route', 'task', 'event', 'roomId', 'file', 'mail'];

/**
 * Of what goes wrong, and of what happens in one room, an event is written 16 times in an hour and then at each doubling,
 * with `times`: a client that is broken, or a disk that is full for a night, would fill the log with one line.
 */
export function sparing(log: Log, nowMs: () => number = () => performance.now()): Log {
  const counted = new Map<string, { sinceMs: number; times: number }>();

  function timesOf(event: string, fields: Record<string, unknown>): number {
    const { code } = Object(fields.err) as { code?: unknown };
    const key = JSON.stringify([event, code, ...apart.map((name) => fields[name])].map(String));
    const before = counted.get(key);
    const isOver = before === undefined || nowMs() - before.sinceMs >= countedMs;
    const spell = isOver ? { sinceMs: nowMs(), times: 0 } : before;
    spell.times += 1;
    if (counted.size >= mostCounted) counted.clear();
    counted.set(key, spell);
    return spell.times;
  }

  const write = (level: 'info' | 'warn' | 'error') => (fields: object, event: string) => {
    const times = timesOf(event, fields as Record<string, unknown>);
    if (times <= writtenEachTime) log[level](fields, event);
    else if (Number.isInteger(Math.log2(times))) log[level]({ times, ...fields }, event);
  };

  return {
    debug: (fields, event) => log.debug(fields, event),
    info: (fields, event) => ('roomId' in fields ? write('info') : log.info.bind(log))(fields, event),
    warn: write('warn'),
    error: write('error'),
  };
}

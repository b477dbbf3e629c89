/**
 * The log: one JSON line for each event, or a readable line in a terminal. The only place that knows pino. Errors are
 * reduced to a few fields, because a driver's error may contain the values of a row. Every event is one line of
 * printable characters.
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
  return pino(options, destination);
}

/**
 * The log: one JSON line for each event, or a readable line where a person watches a terminal. The only place that
 * knows pino. Errors are reduced to what helps: a driver's error may carry the values of a row.
 */
import pino from 'pino';
import type { Log } from './ports.ts';

interface Reduced {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: Reduced;
}

function reduce(error: unknown, depth = 0): Reduced {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  return {
    type: error.name,
    message: error.message,
    ...('code' in error ? { code: String(error.code) } : {}),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
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

/** `20:15:04 mail.written to=ann@example.org link=http://…`, with a stack on the lines below. */
export function readableLine(json: string): string {
  const { level, time, msg, err, ...fields } = JSON.parse(json) as Record<string, unknown> & { err?: Reduced };
  const words = [
    new Date(Number(time)).toTimeString().slice(0, 8),
    levelNames[Number(level)] ?? '',
    String(msg),
    ...Object.entries(fields).map(
      ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
  ];
  const line = words.filter((word) => word !== '').join(' ');
  return `${line}\n${err ? `  ${err.stack ?? err.message}\n` : ''}`;
}

/** `level` as in LOG_LEVEL; 'silent' writes nothing. */
export function createLog(level: string, out: { isTTY?: boolean; write(text: string): unknown } = process.stdout): Log {
  const destination = { write: (line: string) => void out.write(out.isTTY ? readableLine(line) : line) };
  const options = { level, base: null, serializers: { err: (error: unknown) => reduce(error) } };
  return pino(options, destination);
}

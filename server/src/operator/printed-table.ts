/** Prints rows in aligned columns for a terminal. What people wrote is escaped, so that it commands no terminal. */
import { escapeUnprintable } from '../system/printable.ts';

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, ...rows].map((row) => row.map(escapeUnprintable));
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => Number(line[column]?.length))));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(Number(widths[column])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `2026-03-01 17:05`, in UTC. */
export const timeOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

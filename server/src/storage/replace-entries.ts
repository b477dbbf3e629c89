/** Changes what streams have stored, for words that must not be read again. */
import type { Change } from './record.ts';
import type { StreamEntriesTable } from './schema.ts';

/** The entries whose changes must not be read again as they are, with other ones; `replacement` gives null to keep one. */
export function replacedEntries(
  entries: readonly StreamEntriesTable[],
  replacement: (change: Change) => Change | null,
): StreamEntriesTable[] {
  return entries.flatMap((entry) => {
    const change = replacement(JSON.parse(entry.change) as Change);
    return change === null ? [] : [{ ...entry, change: JSON.stringify(change) }];
  });
}

/**
 * The words that the sender of a message has changed or deleted (those of a room also its host): triggers keep them for a
 * day, those of a room from the sending on, for a report of a person who had received them, and nothing else reads them.
 */
import type { Db } from './schema.ts';

const keptMs = 24 * 60 * 60 * 1000;

/** A message of a private chat or of a room. */
interface Spoken {
  /** The pair id of the chat, or the id of the room. */
  place: string;
  /** The number, or the id in a room. */
  message: string;
  sender: string;
}

/** What a report says of a message; of a picture or a recording that it was one. */
export function saidIn({ text, image, voice }: { text: string; image?: unknown; voice?: unknown }): string {
  if (voice) return '(a voice message)';
  return image ? `(a picture) ${text}` : text;
}

/** The oldest first. */
export async function earlierWordsOf(db: Db, { place, message, sender }: Spoken, nowMs: number): Promise<string[]> {
  const rows = await db
    .selectFrom('earlier_words')
    .select('text')
    .where('place', '=', place)
    .where('message', '=', message)
    .where('sender', '=', sender)
    .where('at_ms', '>', nowMs - keptMs)
    .orderBy('edits')
    .execute();
  return rows.map(({ text }) => text);
}

/** The words now and those of before; null when there are none. */
export function allWords(now: string | null, earlier: readonly string[]): string | null {
  const before = earlier.filter((each) => each !== now).map((each) => `before: ${each}`);
  const lines = [...(now === null ? [] : [now]), ...before];
  return lines.length === 0 ? null : lines.join('\n');
}

export async function pruneEarlierWords(db: Db, nowMs: number): Promise<void> {
  await db
    .deleteFrom('earlier_words')
    .where('at_ms', '<=', nowMs - keptMs)
    .execute();
}

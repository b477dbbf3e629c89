/**
 * Keeps a player on the file that it began to load, even when a newer copy of the item appears meanwhile: a player that
 * gets the rest of another file fails. A load from the first byte gets the newest file.
 */
import type { SentFile } from './exact-copies.ts';

/** So many are remembered, the latest; a forgotten one gets the newest file. */
const remembered = 10_000;

export function begunFiles() {
  const begun = new Map<string, SentFile>();
  return {
    /** What to send to this person of this item; `range` as they asked for it. */
    of(uid: string, id: string, newest: SentFile, range: string | undefined): SentFile {
      const key = `${uid} ${id}`;
      const isContinued = range !== undefined && !range.startsWith('bytes=0-');
      const sent = (isContinued ? begun.get(key) : undefined) ?? newest;
      begun.delete(key);
      begun.set(key, sent);
      const [oldest] = begun.keys();
      if (begun.size > remembered && oldest !== undefined) begun.delete(oldest);
      return sent;
    },
    /** What was begun is gone: this person goes on with another file. */
    instead(uid: string, id: string, sent: SentFile): void {
      const key = `${uid} ${id}`;
      if (begun.has(key)) begun.set(key, sent);
    },
  };
}

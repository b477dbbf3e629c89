/** Where unsent mail lies, for whoever tries Tunemate on their own machine without a mail server (MAIL-6). */
import { outboxHint } from './account-words.ts';

/** Nothing when mail is really sent, or the visitor is elsewhere: then `path` is null. */
export function OutboxHint({ path }: { path: string | null }) {
  return path === null ? null : <p className="meta">{outboxHint(path)}</p>;
}

/** The folder of unsent e-mails, for people who try Tunemate on their own machine without a mail server (MAIL-6). */
import { outboxHint } from './account-words.ts';

/** Shows nothing when `path` is null: a mail server is configured, or the visitor is on another machine. */
export function OutboxHint({ path }: { path: string | null }) {
  return path === null ? null : <p className="meta">{outboxHint(path)}</p>;
}

/**
 * The list of conversations, kept live: loaded when a screen needs it, updated from the user stream, and loaded again
 * on each new connection.
 */
import type { ConversationRow, Refusal, Uid } from '@tunemate/protocol';
import type { UserEvent } from '../connection/person-updates.ts';
import type { Connection } from '../connection/port.ts';
import { cell, type Readable } from '../store/cell.ts';
import { afterChange, newestFirst, opensPresence, unreadOf } from './conversation-rows.ts';

export interface ConversationList {
  /** Newest first; null until it was loaded. */
  readonly rows: Readable<readonly ConversationRow[] | null>;
  /** Unread messages of all conversations. */
  readonly unread: Readable<number>;
  /** Why the list could not be loaded; null when it is loaded or loading. */
  readonly failure: Readable<Refusal | null>;
  /** Loads the list, or loads it again. */
  load(): Promise<void>;
  /** Loads the list unless it was loaded. */
  need(): void;
  receive(change: UserEvent): void;
  /** A new connection is live, with this many unread messages. */
  renew(unread: number): void;
}

export function createConversationList(connection: Connection, self: Uid): ConversationList {
  const rows = cell<readonly ConversationRow[] | null>(null);
  const unread = cell(0);
  const failure = cell<Refusal | null>(null);
  let asking: Promise<void> | null = null;
  /** Changes that came while the list was being loaded. */
  let meanwhile: UserEvent[] = [];
  rows.subscribe(() => unread.set(unreadOf(rows.get() ?? [])));

  async function ask(): Promise<void> {
    meanwhile = [];
    failure.set(null);
    const answer = await connection.requestUntilAnswered('chats/list', {});
    asking = null;
    if (!answer.ok) return failure.set(answer.error);
    const fresh = newestFirst(answer.value.conversations);
    rows.set(meanwhile.reduce((now, change) => afterChange(now, change, self), fresh));
  }

  function load(): Promise<void> {
    asking ??= ask();
    return asking;
  }

  return {
    rows,
    unread,
    failure,
    load,
    need() {
      if (rows.get() === null) void load();
    },
    receive(change) {
      if (asking !== null) meanwhile.push(change);
      const now = rows.get();
      if (now !== null) rows.set(afterChange(now, change, self));
      // A count without the list would only grow.
      if (now === null ? change.type === 'chats/messageSent' : opensPresence(now, change)) void load();
    },
    renew(count) {
      if (rows.get() !== null || count > 0) void load();
      if (rows.get() === null) unread.set(count);
    },
  };
}

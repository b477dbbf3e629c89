/**
 * Loads the code of private chats once a user is signed in, so that the sign-in page need not load it. Changes
 * that arrive meanwhile are kept for it.
 */
import type { UserSnapshot } from '@tunemate/protocol';
import { onUserEvent, type UserEvent } from '../connection/person-updates.ts';
import { afterFirstSound } from '../store/first-sound.ts';
import { cell, type Readable } from '../store/cell.ts';
import type { ChatsModel, ChatsParts } from './chats-model.ts';

/**
 * Null until the code is loaded; until then `unread` is the number of unread messages as the snapshot says it. `waiting` is
 * the number of chats that wait as the last snapshot says it: their list comes later.
 */
export type LazyChats = Readable<ChatsModel | null> & Readonly<Record<'unread' | 'waiting', Readable<number>>>;

export function createLazyChats(parts: ChatsParts): LazyChats {
  const model = cell<ChatsModel | null>(null);
  const unread = cell(0);
  const waiting = cell(0);
  let latest: UserSnapshot | null = null;
  let meanwhile: UserEvent[] = [];
  let isLoading = false;

  async function load(): Promise<void> {
    if (isLoading || model.get() !== null) return;
    isLoading = true;
    try {
      await afterFirstSound();
      const { createChatsModel } = await import('./chats-model.ts');
      if (latest === null) return;
      const made = createChatsModel(parts, latest, meanwhile);
      meanwhile = [];
      model.set(made);
    } catch {
      // The server cannot be reached: the next connection tries again.
    } finally {
      isLoading = false;
    }
  }

  parts.connection.onUserSnapshot((snapshot) => {
    waiting.set(snapshot.chatsWaiting ?? 0);
    if (model.get() !== null) return;
    latest = snapshot;
    unread.set(snapshot.unreadChats);
    meanwhile = [];
    void load();
  });
  onUserEvent(parts.connection, (event) => {
    if (model.get() === null) meanwhile.push(event);
  });
  return { ...model, unread, waiting };
}

/**
 * Fetches the code of private chats once somebody is signed in, so that the sign-in page need not carry it. Nothing is
 * lost meanwhile: what the stream tells is handed over.
 */
import type { OwnSnapshot } from '@tunemate/protocol';
import { onOwnNews, type OwnNews } from '../connection/person-news.ts';
import { cell, type Readable } from '../store/cell.ts';
import type { ChatsModel, ChatsParts } from './chats-model.ts';

/** Null until the code is there. */
export type ChatsDoor = Readable<ChatsModel | null>;

export function createChatsDoor(parts: ChatsParts): ChatsDoor {
  const model = cell<ChatsModel | null>(null);
  let latest: OwnSnapshot | null = null;
  let meanwhile: OwnNews[] = [];
  let isLoading = false;

  async function load(): Promise<void> {
    if (isLoading || model.get() !== null) return;
    isLoading = true;
    try {
      const { createChatsModel } = await import('./chats-model.ts');
      if (latest === null) return;
      const made = createChatsModel(parts, latest);
      for (const change of meanwhile) made.receive(change);
      meanwhile = [];
      model.set(made);
    } catch {
      // Not reachable just now: the next line tries again.
    } finally {
      isLoading = false;
    }
  }

  parts.connection.onOwnSnapshot((snapshot) => {
    if (model.get() !== null) return;
    latest = snapshot;
    meanwhile = [];
    void load();
  });
  onOwnNews(parts.connection, (news) => {
    if (model.get() === null) meanwhile.push(news);
  });
  return model;
}

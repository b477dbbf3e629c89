/** Loads the messages before the first loaded one, a page at a time. Used by the room's chat and by private chats. */
import type { Result } from '@tunemate/protocol';
import { cell, type Readable } from '../store/cell.ts';
import type { MessageLog, Numbered } from './message-log.ts';

export type EarlierStatus = 'idle' | 'loading' | 'failed';

export interface EarlierPages {
  readonly status: Readable<EarlierStatus>;
  /** Does nothing while a page is loading, and when there is none. */
  load(): Promise<void>;
}

export interface EarlierPagesParts<Message extends Numbered> {
  /** Null while there is no log. */
  readonly log: () => MessageLog<Message> | null;
  readonly ask: (first: Message) => Promise<Result<MessageLog<Message>>>;
  readonly onPage: (page: MessageLog<Message>) => void;
}

export function createEarlierPages<Message extends Numbered>(parts: EarlierPagesParts<Message>): EarlierPages {
  const status = cell<EarlierStatus>('idle');
  return {
    status,
    async load() {
      const log = parts.log();
      const first = log?.messages[0];
      if (log === null || first === undefined || !log.hasEarlierMessages || status.get() === 'loading') return;
      status.set('loading');
      const answer = await parts.ask(first);
      if (answer.ok) parts.onPage(answer.value);
      status.set(answer.ok ? 'idle' : 'failed');
    },
  };
}

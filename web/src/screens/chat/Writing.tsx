/** The line to write on, and what keeps something from being sent. */
import type { Uid } from '@tunemate/protocol';
import { useState } from 'react';
import type { ChatsModel } from '../../chats/chats-model.ts';
import type { ConversationModel } from '../../chats/conversation-model.ts';
import { conversationWords } from '../../chats/conversation-words.ts';
import { isTooLong } from '../../chats/outbox.ts';
import { Composer } from '../../ui/talk/Composer.tsx';
import styles from './ChatScreen.module.css';

export interface WritingProps {
  chats: ChatsModel;
  model: ConversationModel;
  uid: Uid;
}

export function Writing({ chats, model, uid }: WritingProps) {
  const [draft, setDraft] = useState('');
  const send = (): void => {
    if (chats.outbox.send(uid, draft)) setDraft('');
  };
  return (
    <div className={styles.writing}>
      {isTooLong(draft) && (
        <p className={styles.warning} role="alert">
          {conversationWords.tooLong}
        </p>
      )}
      <Composer
        label={conversationWords.message}
        value={draft}
        onChange={(text) => {
          setDraft(text);
          if (text.trim() !== '') model.tellTyping();
        }}
        onSend={send}
      />
    </div>
  );
}

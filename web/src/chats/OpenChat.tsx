/** The open chat: head, log and composer, joined to the models. */
import { Suspense, useEffect, useState } from 'react';
import { useApp } from '../app-context.ts';
import { usePersonActions } from '../people/use-person-actions.ts';
import type { ChatsModel } from './chats-model.ts';
import { conversationItems, type MessageItem } from './conversation-items.ts';
import { ConversationLog } from './ConversationLog.tsx';
import { ImageView } from './ImageView.tsx';
import type { ConversationModel } from './conversation-model.ts';
import type { OpenConversation } from './open-conversation.ts';
import { conversationCopy } from './conversation-copy.ts';
import { chatCopy } from './chat-words.ts';
import { useReadable } from '../store/use-readable.ts';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { RoomBarSlot } from '../ui/layout/RoomBarSlot.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { useToast } from '../ui/feedback/toasts.ts';
import { copyText } from '../ui/copy-text.ts';
import { regainFocus } from '../ui/lost-focus.ts';
import { ChatHead } from './ChatHead.tsx';
import styles from './ChatScreen.module.css';
import { usePhotos } from './use-photos.ts';
import { Writing } from './Writing.tsx';
import { lazyPart } from '../store/lazy-part.ts';

const PersonSheet = lazyPart(async () => (await import('../people/PersonSheet.tsx')).PersonSheet);

export interface OpenChatProps {
  chats: ChatsModel;
  model: ConversationModel;
  conversation: OpenConversation;
}

export function OpenChat({ chats, model, conversation }: OpenChatProps) {
  const { serverNowMs } = useApp();
  const toast = useToast();
  const { other, presence, isClosed, log } = conversation;
  const waiting = useReadable(chats.outbox.waiting).filter(({ uid }) => uid === other.uid);
  const isTyping = useReadable(model.isTyping);
  const actions = usePersonActions(conversation);
  const photos = usePhotos(chats, other.uid);
  const [shown, setShown] = useState<MessageItem | null>(null);
  const [reported, setReported] = useState<number | null>(null);
  // The page that loaded is gone, and its Back with it.
  useEffect(() => regainFocus(), []);
  const items = conversationItems(conversation, waiting, chats.self);
  const copy = async (text: string): Promise<void> =>
    toast((await copyText(text)) ? conversationCopy.copied : conversationCopy.notCopied);

  return (
    <AppLayout band="celadon" title={chatCopy.bandTitle} wide bare>
      <div className={styles.page} onDragOver={photos.onDragOver} onDrop={photos.onDrop}>
        <ChatHead conversation={conversation} isTyping={isTyping} actions={actions} />
        <div>
          <RoomBarSlot />
        </div>
        {items.length === 0 ? (
          <EmptyState
            message={conversationCopy.saySomething}
            hint={isClosed ? undefined : conversationCopy.saySomethingHint}
          />
        ) : (
          <ConversationLog
            model={model}
            items={items}
            hasEarlier={log.hasEarlierMessages}
            nowMs={serverNowMs()}
            onCopy={(text) => void copy(text)}
            onShowImage={setShown}
            onRetry={(clientId) => chats.outbox.retry(clientId)}
            onDiscard={(clientId) => chats.outbox.discard(clientId)}
            onReport={setReported}
          />
        )}
        {isClosed ? (
          <p className={styles.closed}>{conversationCopy.closed(other.name)}</p>
        ) : (
          <Writing chats={chats} model={model} uid={other.uid} photos={photos} />
        )}
      </div>
      {reported !== null && (
        <Suspense>
          <PersonSheet
            person={{ ...other, isOnline: presence && presence.state === 'online' }}
            reported={{ type: 'privateMessage', number: reported }}
            onClose={() => setReported(null)}
          />
        </Suspense>
      )}
      {shown?.image && <ImageView image={shown.image} onClose={() => setShown(null)} />}
    </AppLayout>
  );
}

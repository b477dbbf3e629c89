/** One private conversation: the other person, the messages, and the message field. */
import type { Uid } from '@tunemate/protocol';
import { useCallback } from 'react';
import { useApp } from '../app-context.ts';
import type { ChatsModel } from './chats-model.ts';
import { chatCopy } from './chat-words.ts';
import { sentenceOf } from '../copy/errors.ts';
import { usePageTitle } from '../shell/use-page-title.ts';
import { useModel } from '../store/use-model.ts';
import { useReadable } from '../store/use-readable.ts';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { RoomBarSlot } from '../ui/layout/RoomBarSlot.tsx';
import { ButtonLink } from '../ui/buttons/ButtonLink.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';
import { LoadingHead } from './ChatHead.tsx';
import styles from './ChatScreen.module.css';
import { OpenChat } from './OpenChat.tsx';
import type { ConversationModel } from './conversation-model.ts';

/** `uid` as it is in the address; the server checks it. */
export function ChatScreen({ uid }: { uid: string }) {
  const chats = useReadable(useApp().chats);
  if (chats === null) return <Loading />;
  return <Opening chats={chats} uid={uid} />;
}

function Opening({ chats, uid }: { chats: ChatsModel; uid: string }) {
  const model = useModel(useCallback(() => chats.open(uid as Uid), [chats, uid]));
  return model === null ? <Loading /> : <Opened chats={chats} model={model} />;
}

function Opened({ chats, model }: { chats: ChatsModel; model: ConversationModel }) {
  const state = useReadable(model.state);
  usePageTitle(state.status === 'open' ? state.conversation.other.name : chatCopy.conversationTitle);
  if (state.status === 'loading') return <Loading />;
  if (state.status === 'open') return <OpenChat chats={chats} model={model} conversation={state.conversation} />;
  return (
    <AppLayout band="celadon" title={chatCopy.bandTitle}>
      <EmptyState tall message={chatCopy.notOpened} hint={sentenceOf(state.refusal)}>
        <ButtonLink href="/chats" variant="primary">
          {chatCopy.back}
        </ButtonLink>
      </EmptyState>
    </AppLayout>
  );
}

/** Framed like the open chat: without a connection it stands until there is one. */
function Loading() {
  return (
    <AppLayout band="celadon" title={chatCopy.bandTitle} wide bare>
      <div className={styles.page}>
        <LoadingHead />
        <div>
          <RoomBarSlot />
        </div>
        <LoadingScreen fill={false} />
      </div>
    </AppLayout>
  );
}

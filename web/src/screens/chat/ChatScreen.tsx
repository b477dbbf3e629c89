/** One private conversation: who it is with, what was said, and the line to write on. */
import type { Uid } from '@tunemate/protocol';
import { useMemo } from 'react';
import { useApp } from '../../app-context.ts';
import type { ChatsModel } from '../../chats/chats-model.ts';
import { chatWords } from '../../copy/people.ts';
import { sentenceOf } from '../../copy/sentences.ts';
import type { ScreenProps } from '../../routes.tsx';
import { usePageTitle } from '../../shell/use-page-title.ts';
import { useReadable } from '../../store/use-readable.ts';
import { whileWatched } from '../../store/while-watched.ts';
import { AppFrame } from '../../ui/frame/AppFrame.tsx';
import { ButtonLink } from '../../ui/keys/ButtonLink.tsx';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';
import { LoadingScreen } from '../../ui/notices/LoadingScreen.tsx';
import { OpenChat } from './OpenChat.tsx';
import type { ConversationModel } from '../../chats/conversation-model.ts';

export function ChatScreen({ params }: ScreenProps) {
  const chats = useReadable(useApp().chats);
  if (chats === null) return <LoadingScreen />;
  return <Opening chats={chats} uid={params['uid'] ?? ''} />;
}

function Opening({ chats, uid }: { chats: ChatsModel; uid: string }) {
  const visit = useMemo(
    () =>
      whileWatched(
        // The server looks at what the address holds.
        () => chats.open(uid as Uid),
        (conversation) => conversation.close(),
      ),
    [chats, uid],
  );
  const model = useReadable(visit);
  return model === null ? <LoadingScreen /> : <Opened chats={chats} model={model} />;
}

function Opened({ chats, model }: { chats: ChatsModel; model: ConversationModel }) {
  const state = useReadable(model.state);
  usePageTitle(state.status === 'open' ? state.conversation.other.name : chatWords.conversationTitle);
  if (state.status === 'loading') return <LoadingScreen />;
  if (state.status === 'open') return <OpenChat chats={chats} model={model} conversation={state.conversation} />;
  return (
    <AppFrame band="celadon" title={chatWords.bandTitle}>
      <EmptyState tall message={chatWords.notOpened} hint={sentenceOf(state.refusal)}>
        <ButtonLink href="/chats" variant="primary">
          {chatWords.back}
        </ButtonLink>
      </EmptyState>
    </AppFrame>
  );
}

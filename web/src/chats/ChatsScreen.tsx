/** The list of private conversations, newest first and live. */
import type { ConversationRow } from '@tunemate/protocol';
import { Suspense, useEffect, useState } from 'react';
import { useApp } from '../app-context.ts';
import type { ChatsModel } from './chats-model.ts';
import type { ConversationList } from './conversation-list.ts';
import { formatWhen } from '../words/dates.ts';
import { homeWords } from '../words/home.ts';
import { chatWords } from './chat-words.ts';
import { sentenceOf } from '../words/errors.ts';
import { useReadable } from '../store/use-readable.ts';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { ListPage } from '../ui/layout/ListPage.tsx';
import { PictureIcon, SearchIcon } from '../ui/icons/icons.tsx';
import { lazyPart } from '../store/lazy-part.ts';
import { Badge } from '../ui/buttons/Badge.tsx';
import { Button } from '../ui/buttons/Button.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { List } from '../ui/lists/List.tsx';
import { Row } from '../ui/lists/Row.tsx';
import { SkeletonRows } from '../ui/lists/Skeleton.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import { BackToHome } from '../shell/BackToHome.tsx';
import { useNow } from '../store/use-now.ts';

const SearchMessages = lazyPart(async () => (await import('./search/SearchMessages.tsx')).SearchMessages);
const NewChat = lazyPart(async () => (await import('./NewChat.tsx')).NewChat);

export function ChatsScreen() {
  const chats = useReadable(useApp().chats);
  return (
    <AppLayout band="celadon" title={chatWords.bandTitle}>
      {chats === null ? (
        <ListPage title={chatWords.listTitle} action={<BackToHome variant="ghost" />}>
          <SkeletonRows />
        </ListPage>
      ) : (
        <Conversations chats={chats} list={chats.list} />
      )}
    </AppLayout>
  );
}

function Conversations({ chats, list }: { chats: ChatsModel; list: ConversationList }) {
  const rows = useReadable(list.rows);
  const failure = useReadable(list.failure);
  useEffect(() => list.need(), [list]);
  const [isChoosing, setIsChoosing] = useState(false);
  const [isSearching, setIsSearching] = useState(false);
  const isEmpty = rows?.length === 0;
  const newChat = (
    <Button variant="primary" small={!isEmpty} aria-haspopup="dialog" onClick={() => setIsChoosing(true)}>
      {chatWords.newChat}
    </Button>
  );
  return (
    <ListPage
      title={chatWords.listTitle}
      action={
        !isEmpty && (
          <>
            <IconButton
              label={chatWords.search}
              icon={<SearchIcon size={22} />}
              aria-haspopup="dialog"
              onClick={() => setIsSearching(true)}
            />
            {newChat}
            <BackToHome variant="ghost" />
          </>
        )
      }
    >
      {rows === null && failure === null && <SkeletonRows />}
      {rows === null && failure !== null && <EmptyState tall message={sentenceOf(failure)} />}
      {isEmpty && (
        <EmptyState tall message={chatWords.empty} hint={chatWords.emptyHint}>
          {newChat}
          <BackToHome variant="ghost" />
        </EmptyState>
      )}
      <Suspense>{isSearching && <SearchMessages chats={chats} onClose={() => setIsSearching(false)} />}</Suspense>
      <Suspense>{isChoosing && <NewChat onClose={() => setIsChoosing(false)} />}</Suspense>
      {rows !== null && !isEmpty && (
        <List label={chatWords.listTitle} bleed>
          {rows.map((row) => (
            <li key={row.pairId}>
              <Conversation row={row} />
            </li>
          ))}
        </List>
      )}
    </ListPage>
  );
}

function Conversation({ row: { other, last, presence, unread } }: { row: ConversationRow }) {
  const nowMs = useNow(useApp().serverNowMs);
  return (
    <Row
      roomy
      href={`/chat/${other.uid}`}
      lead={<Avatar id={other.uid} name={other.name} size="lg" badge={presence?.state} />}
      title={other.name}
      detail={
        last.state !== 'shown' ? (
          chatWords.messageDeleted
        ) : last.text === '' ? (
          <>
            <PictureIcon size={17} />
            <span>{chatWords.photo}</span>
          </>
        ) : (
          last.text
        )
      }
      when={<time dateTime={new Date(last.timestamp).toISOString()}>{formatWhen(last.timestamp, nowMs)}</time>}
      trail={unread > 0 && <Badge count={unread} words={homeWords.unreadChats} />}
    />
  );
}

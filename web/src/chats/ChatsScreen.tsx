/** The list of private conversations, newest first and live. */
import type { ConversationRow, PairId } from '@tunemate/protocol';
import { Fragment, type HTMLAttributes, useEffect, useRef, useState } from 'react';
import { useApp } from '../app-context.ts';
import type { ChatsModel } from './chats-model.ts';
import type { ConversationList } from './conversation-list.ts';
import { formatWhen } from '../words/dates.ts';
import { unreadPlaces } from '../shell/UnreadLink.tsx';
import { chatWords } from './chat-words.ts';
import { conversationWords, voiceText } from './conversation-words.ts';
import type { Waiting } from '../messages/outbox.ts';
import { sentenceOf } from '../words/errors.ts';
import { useBusy } from '../store/use-busy.ts';
import { useReadable } from '../store/use-readable.ts';
import { useToast } from '../ui/feedback/toasts.ts';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { ListPage } from '../ui/layout/ListPage.tsx';
import { useHold } from '../messages/long-press.ts';
import { MutedIcon, PinIcon } from '../ui/icons/chat-icons.tsx';
import { SearchIcon } from '../ui/icons/icons.tsx';
import { PlusIcon } from '../ui/icons/page-icons.tsx';
import { usePath } from '../store/address.ts';
import { lazyPart } from '../store/lazy-part.ts';
import { Badge } from '../ui/buttons/Badge.tsx';
import { Button, ButtonLink } from '../ui/buttons/Button.tsx';
import { List } from '../ui/lists/List.tsx';
import type { Elements } from '../ui/OwnText.tsx';
import { Row } from '../ui/lists/Row.tsx';
import { SkeletonRows } from '../ui/lists/Skeleton.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import { LastMessage } from './list/LastMessage.tsx';
import { Sign } from './list/Sign.tsx';
import { BackToHome } from '../shell/BackToHome.tsx';
import { useNow } from '../store/use-now.ts';
import { hasSpaceForTwo, paneStyle, twoStyle } from './has-space.ts';
import { t } from '../language/t.ts';

const SearchScreen = lazyPart(async () => (await import('./search/SearchScreen.tsx')).SearchScreen);
const ChatSheet = lazyPart(async () => (await import('./list/ChatActions.tsx')).ChatSheet);
const NewChat = lazyPart(async () => (await import('./NewChat.tsx')).NewChat);

/** The list, or the search in all of them, whose address begins as that of the list. */
export function ChatsScreen() {
  const chats = useReadable(useApp().chats);
  if (/.\/./.test(usePath())) return <SearchScreen fallback={<Loading />} />;
  return chats === null ? <Loading /> : <ListOrTwo chats={chats} />;
}

const Loading = () => (
  <AppLayout band="celadon" title={chatWords.bandTitle}>
    <ListPage title={chatWords.listTitle} action={<BackToHome variant="ghost" />}>
      <SkeletonRows />
    </ListPage>
  </AppLayout>
);

/** The list alone, or from 1200 px on beside the place of the chat that is chosen. */
function ListOrTwo({ chats }: { chats: ChatsModel }) {
  const isBeside = useReadable(hasSpaceForTwo);
  const rows = useReadable(chats.list.rows);
  const hasTwo = isBeside && rows !== null && rows.length > 0;
  return (
    <AppLayout band="celadon" title={chatWords.bandTitle} wide={hasTwo}>
      {/* The list stays the same one, so that a window of another size closes no dialog and changes no choice. */}
      <div style={hasTwo ? twoStyle : undefined}>
        <div style={hasTwo ? paneStyle : undefined}>
          <Conversations chats={chats} list={chats.list} />
        </div>
        {hasTwo && <EmptyState tall message={t`Choose a chat`} />}
      </div>
    </AppLayout>
  );
}

interface ConversationsProps {
  chats: ChatsModel;
  list: ConversationList;
  /** Beside an open chat: its path, whose row is marked. */
  openPath?: string | undefined;
}

export function Conversations({ chats, list, openPath }: ConversationsProps) {
  const rows = useReadable(list.rows);
  const failure = useReadable(list.failure);
  useEffect(() => list.need(), [list]);
  const [isChoosing, setIsChoosing] = useState(false);
  const isEmpty = rows?.length === 0;
  const newChat = (
    <Button variant="primary" icon={<PlusIcon size={18} />} aria-haspopup="dialog" onClick={() => setIsChoosing(true)}>
      {chatWords.newChat}
    </Button>
  );
  return (
    <ListPage
      title={chatWords.listTitle}
      isPart={openPath !== undefined}
      action={!isEmpty && <BackToHome variant="ghost" />}
    >
      {rows === null && failure === null && <SkeletonRows />}
      {rows === null && failure !== null && <EmptyState tall message={sentenceOf(failure)} />}
      {isEmpty && (
        <EmptyState tall message={chatWords.empty} hint={t`Begin one with a tunemate.`}>
          {newChat}
          <BackToHome variant="ghost" />
        </EmptyState>
      )}
      {isChoosing && <NewChat onClose={() => setIsChoosing(false)} />}
      {rows !== null && !isEmpty && <Rows {...{ chats, list, rows, openPath, newChat }} />}
    </ListPage>
  );
}

const apart = { borderTop: '1px solid var(--line)' } as const;
const line = { display: 'flex', flexWrap: 'wrap', gap: '8px', marginBottom: '12px' } as const;

/** A link that looks like the field to which it leads. */
const asField = {
  flex: '1 1 12ch',
  justifyContent: 'flex-start',
  padding: '0 14px',
  background: 'var(--well)',
  color: 'var(--text-3)',
  fontWeight: 'inherit',
} as const;

const segments = {
  display: 'flex',
  flex: 1,
  padding: '4px',
  borderRadius: 'var(--r-key)',
  background: 'var(--well)',
  boxShadow: 'inset 0 0 0 1.5px var(--line-strong)',
} as const;

const segment = (isChosen: boolean) =>
  ({ flex: 1, ...(isChosen && { background: 'var(--text)', color: 'var(--ground)' }) }) as const;

interface RowsProps extends ConversationsProps {
  rows: readonly ConversationRow[];
  newChat: Elements;
}

/** The chats of the list, those that are archived, or those with unread messages. */
function Rows({ chats, list, rows, openPath, newChat }: RowsProps) {
  const typing = useReadable(chats.typing);
  const failed = useReadable(chats.outbox.waiting).filter(({ failure }) => failure !== null);
  const [isUnreadOnly, setIsUnreadOnly] = useState(false);
  const [isArchive, setIsArchive] = useState(false);
  const [chosen, setChosen] = useState<PairId | null>(null);
  const archived = rows.filter((row) => row.isArchived).length;
  const listed = rows.filter((row) => row.isArchived === isArchive);
  const unread = listed.filter((row) => row.unread > 0);
  const shown = isUnreadOnly ? unread : listed;
  const chat = rows.find(({ pairId }) => pairId === chosen);
  return (
    <>
      <div style={line}>
        <ButtonLink href="/chats/search" style={asField} icon={<SearchIcon size={20} />}>
          {t`Search chats`}
        </ButtonLink>
        {newChat}
      </div>
      <div style={line}>
        <AllOrUnread {...{ isUnreadOnly }} unread={unread.length} onChoose={setIsUnreadOnly} />
        {(archived > 0 || isArchive) && (
          <Button variant="ghost" small onClick={() => setIsArchive(!isArchive)}>
            {isArchive ? t`Back to all chats` : chatWords.archived(archived)}
          </Button>
        )}
      </div>
      {shown.length === 0 && (
        <EmptyState
          message={isUnreadOnly ? t`No unread chats.` : isArchive ? t`No chat is archived.` : chatWords.empty}
        />
      )}
      {[false, true].map((isStranger) => {
        const some = shown.filter((row) => (row.isStranger ?? false) === isStranger);
        if (isStranger && some.length === 0) return null;
        return (
          <Fragment key={String(isStranger)}>
            {isStranger && <h2 style={{ margin: '16px 0 8px' }}>{chatWords.strangers}</h2>}
            <List label={isStranger ? chatWords.strangers : chatWords.listTitle} bleed>
              {some.map((row, at) => (
                <li key={row.pairId} style={at > 0 ? apart : undefined}>
                  <Conversation
                    row={row}
                    isTyping={typing.has(row.other.uid)}
                    failed={failed.findLast(({ uid }) => uid === row.other.uid)}
                    isOpen={openPath === pathOf(row)}
                    onMenu={() => setChosen(row.pairId)}
                  />
                </li>
              ))}
            </List>
          </Fragment>
        );
      })}
      <MoreChats list={list} />
      {chat && (
        <ChatSheet chats={chats} chat={{ ...chat, lastNumber: chat.last.number }} onClose={() => setChosen(null)} />
      )}
    </>
  );
}

interface AllOrUnreadProps {
  isUnreadOnly: boolean;
  unread: number;
  onChoose: (isUnreadOnly: boolean) => void;
}

function AllOrUnread({ isUnreadOnly, unread, onChoose }: AllOrUnreadProps) {
  return (
    <div style={segments}>
      {[false, true].map((isOnly) => (
        <Button
          key={String(isOnly)}
          variant="ghost"
          small
          style={segment(isOnly === isUnreadOnly)}
          aria-pressed={isOnly === isUnreadOnly}
          onClick={() => onChoose(isOnly)}
        >
          {isOnly ? chatWords.unread(unread) : t`All`}
        </Button>
      ))}
    </div>
  );
}

function MoreChats({ list }: { list: ConversationList }) {
  const more = useReadable(list.more);
  const { isBusy, run } = useBusy();
  const toast = useToast();
  if (more === 0) return null;
  const load = async (): Promise<void> => {
    const refusal = await list.loadMore();
    if (refusal) toast(sentenceOf(refusal));
  };
  return (
    <Button variant="ghost" small busy={isBusy} onClick={() => run(load)}>
      {chatWords.showMore(more)}
    </Button>
  );
}

/** The menu opens by a held press or a right click; the chat has the same actions in its own menu. */
function useMenu(open: () => void): HTMLAttributes<HTMLElement> {
  const wasHeld = useRef(false);
  const {
    onContextMenu,
    onPointerDown,
    onKeyDown: _enterOpensTheChat,
    ...hold
  } = useHold(() => {
    wasHeld.current = true;
    open();
  });
  return {
    ...hold,
    onContextMenu(event) {
      onContextMenu?.(event);
      // After a right click no click follows.
      wasHeld.current = false;
    },
    onPointerDown(event) {
      wasHeld.current = false;
      onPointerDown?.(event);
    },
    onClick(event) {
      // The press that opened the menu does not open the chat as well.
      if (wasHeld.current) event.preventDefault();
    },
  };
}

const HearsDisc = lazyPart(async () => (await import('../people/HearsDisc.tsx')).HearsDisc);

const pathOf = ({ other }: ConversationRow): string => `/chat/${other.uid}`;

const unreadWords = { color: 'var(--text)', fontWeight: 'var(--w-mid)' } as const;
/** When above what there is to know. */
const end = { display: 'grid', gap: '4px', justifyItems: 'end', minHeight: '48px' } as const;
const signs = { display: 'flex', gap: '8px', alignItems: 'center' } as const;

interface ConversationProps {
  row: ConversationRow;
  isTyping: boolean;
  /** The newest message to this person that was refused. */
  failed: Waiting | undefined;
  /** It is open beside the list. */
  isOpen: boolean;
  onMenu: () => void;
}

function Conversation({ row, isTyping, failed, isOpen, onMenu }: ConversationProps) {
  const { other, last, presence, unread, isPinned, isMuted } = row;
  const nowMs = useNow(useApp().serverNowMs);
  const gestures = useMenu(onMenu);
  const hears = useReadable(useApp().hearing).get(other.uid);
  const isUnread = unread > 0;
  const disc = <Avatar id={other.uid} name={other.name} size="lg" badge={presence?.state} />;
  return (
    <Row
      roomy
      gestures={gestures}
      isCurrent={isOpen}
      href={pathOf(row)}
      lead={hears?.untilMs === null ? <HearsDisc hears={hears} other={other} fallback={disc} /> : disc}
      title={<span style={isUnread ? { fontWeight: 'var(--w-heavy)' } : undefined}>{other.name}</span>}
      detail={
        <span style={isUnread && !isOpen ? unreadWords : undefined}>
          {failed ? <NotSent {...failed} /> : isTyping ? t`Typing…` : <LastMessage {...{ last, other }} />}
        </span>
      }
      trail={
        <span style={end}>
          <time className="meta" dateTime={new Date(last.timestamp).toISOString()}>
            {formatWhen(last.timestamp, nowMs)}
          </time>
          {(isPinned || isMuted || isUnread) && (
            <span style={signs}>
              {isPinned && <Sign icon={<PinIcon size={17} />} words={t`Pinned`} />}
              {isMuted && <Sign icon={<MutedIcon size={17} />} words={chatWords.muted} />}
              {isUnread && <Badge count={unread} words={unreadPlaces['/chats'].unread} />}
            </span>
          )}
        </span>
      }
    />
  );
}

function NotSent({ text, voice }: Waiting) {
  return `${conversationWords.notSent} ${voice ? voiceText(voice.durationMs) : text || chatWords.photo}`;
}

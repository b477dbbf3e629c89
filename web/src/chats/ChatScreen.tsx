/** One private conversation: the other person, the messages, and the message field. */
import { editableForMs } from '@tunemate/domain';
import type { PairId, Uid } from '@tunemate/protocol';
import { useCallback, useEffect, useMemo, useRef, useState, useEffectEvent } from 'react';
import { navigate, usePath, useSearch } from '../store/address.ts';
import { Link } from '../ui/Link.tsx';
import { useApp, useUser } from '../app-context.ts';
import { sentenceOf } from '../words/errors.ts';
import { useLongPress } from '../messages/long-press.ts';
import { usePersonActions, type PersonActions } from '../people/use-person-actions.ts';
import { usePageTitle } from '../shell/use-page-title.ts';
import { lazyPart } from '../store/lazy-part.ts';
import { useModel } from '../store/use-model.ts';
import { useReadable } from '../store/use-readable.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';
import { MutedIcon } from '../ui/icons/chat-icons.tsx';
import { BackIcon, SearchIcon } from '../ui/icons/icons.tsx';
import { MoreIcon } from '../ui/icons/page-icons.tsx';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { RoomBarSlot } from '../ui/layout/RoomBarSlot.tsx';
import type { Elements } from '../ui/OwnText.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import { Presence } from '../ui/records/Presence.tsx';
import { regainFocus } from '../ui/lost-focus.ts';
import styles from './ChatScreen.module.css';
import { Hears, HearsKeys, Strip } from './ChatHearing.tsx';
import { timerWords } from './timer-words.ts';
import { ConversationLog, type Goal } from './ConversationLog.tsx';
import { ImageView } from './ConversationEntry.tsx';
import { usePhotos, Writing } from './Writing.tsx';
import { chatWords } from './chat-words.ts';
import { hasSpaceForTwo, paneStyle } from './has-space.ts';
import { Sign } from './list/Sign.tsx';
import type { ChatsModel } from './chats-model.ts';
import type { ConversationModel } from './conversation-model.ts';
import {
  conversationItems,
  endOf,
  type ConversationItem,
  type MessageItem,
  type OpenConversation,
} from './conversation.ts';
import { withActs } from './acts/pending-acts.ts';
import { useMessageActs } from './acts/use-message-acts.ts';
import { useNow } from '../store/use-now.ts';
import { t } from '../language/t.ts';

/** `uid` as it is in the address; the server checks it. */
export function ChatScreen({ uid }: { uid: string }) {
  const chats = useReadable(useApp().chats);
  const isBeside = useReadable(hasSpaceForTwo);
  return (
    <AppLayout
      band="celadon"
      title={chatWords.bandTitle}
      wide
      bare
      sidebar={
        isBeside && (
          <aside className={styles.pane} style={paneStyle}>
            {chats && <ChatsPane chats={chats} />}
          </aside>
        )
      }
    >
      {chats === null ? <Loading /> : <Opening chats={chats} uid={uid} />}
    </AppLayout>
  );
}

function Opening({ chats, uid }: { chats: ChatsModel; uid: string }) {
  const model = useModel(useCallback(() => chats.open(uid as Uid), [chats, uid]));
  return model === null ? <Loading /> : <Opened chats={chats} model={model} />;
}

function Opened({ chats, model }: { chats: ChatsModel; model: ConversationModel }) {
  const state = useReadable(model.state);
  usePageTitle(state.status === 'open' ? state.conversation.other.name : t`Chat`);
  if (state.status === 'loading') return <Loading />;
  if (state.status === 'open') {
    const { conversation, isKept = false } = state;
    return <OpenChat {...{ chats, model, conversation, isKept }} />;
  }
  return (
    <NotOpen>
      <EmptyState message={t`This chat did not open`} hint={sentenceOf(state.refusal)} />
    </NotOpen>
  );
}

/** Without a connection it stays until there is one. */
const Loading = () => (
  <NotOpen>
    <LoadingScreen fill={false} />
  </NotOpen>
);

/** Laid out like the open chat. */
function NotOpen({ children }: { children: Elements }) {
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <BackToChats />
      </header>
      <div>
        <RoomBarSlot />
      </div>
      {children}
    </div>
  );
}

const ChatsPane = lazyPart(async () => (await import('./ChatsPane.tsx')).ChatsPane);
const TimerRows = lazyPart(async () => (await import('./list/TimerRows.tsx')).TimerRows);
const ChatSearch = lazyPart(async () => (await import('./search/ChatSearch.tsx')).ChatSearch);
const ChatActions = lazyPart(async () => (await import('./list/ChatActions.tsx')).ChatActions);
const PersonSheet = lazyPart(async () => (await import('../people/PersonSheet.tsx')).PersonSheet);

interface OpenChatProps {
  chats: ChatsModel;
  model: ConversationModel;
  conversation: OpenConversation;
  /** As this device stored it. */
  isKept: boolean;
}

function OpenChat({ chats, model, conversation: stored, isKept }: OpenChatProps) {
  const nowMs = useNow(useApp().serverNowMs);
  const pending = useReadable(chats.acts.acts);
  const conversation = withActs(stored, pending, chats.self);
  const { other, presence, isClosed, log, pairId, revision } = conversation;
  const isAway = conversation.newest !== null;
  const previewsOf = usePreviews(pairId);
  const unsent = useUnsent(chats, model, other.uid);
  const isTyping = useReadable(chats.typing).has(other.uid);
  const actions = usePersonActions(conversation);
  const photos = usePhotos(chats, other);
  const acts = useMessageActs(chats, conversation);
  const [shown, setShown] = useState<MessageItem | null>(null);
  const [goal, setGoal] = useGoal();
  const isInvitable = !isClosed && (conversation.isTunemate || conversation.isSoulmate);
  const names = useMemo(() => ({ self: chats.self, other: other.name }), [chats.self, other.name]);
  const edited = new Set(pending.filter(({ type }) => type === 'edit').map(({ number }) => number));
  const items = conversationItems(conversation, isAway ? [] : unsent, chats.self, edited);

  return (
    <>
      <div className={styles.page} onDragOver={photos.onDragOver} onDrop={photos.onDrop}>
        <Head {...{ chats, conversation, isTyping, actions, goal }} onGo={setGoal} />
        <div>
          <Strip other={other} />
          <RoomBarSlot />
        </div>
        {items.length === 0 ? (
          <EmptyState message={t`No messages yet.`} hint={isClosed ? undefined : t`Write the first one.`} />
        ) : (
          <ConversationLog
            model={model}
            items={items}
            hasEarlier={log.hasEarlierMessages}
            isAway={isAway}
            revision={revision}
            isCovered={shown !== null}
            goal={isKept ? null : goal}
            {...{ names, nowMs, isClosed, previewsOf }}
            {...acts.onRows}
            onShowImage={setShown}
            listener={isInvitable ? other : null}
          />
        )}
        <div>
          {acts.hidden !== null && <UndoBar key={acts.hidden} onUndo={acts.undo} onEnd={acts.endUndo} />}
          {isClosed ? (
            <p className={styles.closed}>{t`You can’t write to ${other.name} now.`}</p>
          ) : (
            <Writing
              {...{ chats, model, other, photos, pairId }}
              mode={acts.mode}
              isGone={(quoted) => log.messages.some(({ number, state }) => number === quoted && state !== 'shown')}
              onMode={acts.setMode}
              onEditLast={() => {
                const last = lastEditable(items, nowMs);
                if (last) acts.onRows.onAct('edit', last);
              }}
            />
          )}
        </div>
      </div>
      {acts.reported !== null && (
        <PersonSheet
          person={{ ...other, isOnline: presence && presence.state === 'online' }}
          reported={{ type: 'privateMessage', number: acts.reported }}
          onClose={acts.endReport}
        />
      )}
      {shown?.image && <ImageView image={shown.image} onClose={() => setShown(null)} />}
    </>
  );
}

/** The chat where its links have previews for this user. */
function usePreviews(pairId: PairId): PairId | null {
  const config = useReadable(useApp().session.config);
  return useUser().linkPreviews && config?.linkPreviews ? pairId : null;
}

/** Messages that the server does not have yet. A new one is shown, with the newest. */
function useUnsent({ outbox }: ChatsModel, model: ConversationModel, to: Uid) {
  const unsent = useReadable(outbox.waiting).filter(({ uid }) => uid === to);
  const last = unsent.at(-1)?.clientId;
  useEffect(() => {
    // Not for what another tab sends.
    if (last !== undefined && document.hasFocus()) model.returnToNewest();
  }, [last, model]);
  return unsent;
}

/** The message that the address names, or that was chosen since. */
function useGoal() {
  const named = new URLSearchParams(useSearch()).get('message') ?? '';
  return useState<Goal | null>(/^\d{1,9}$/.test(named) ? { number: Number(named) } : null);
}

function lastEditable(items: readonly ConversationItem[], nowMs: number): MessageItem | null {
  const own = (item: ConversationItem): item is MessageItem => item.type === 'message' && item.isMine;
  const last = items.findLast(own);
  if (!last || last.number === null || last.isDeleted || last.text === '') return null;
  return editableForMs(last.atMs, nowMs) > 0 ? last : null;
}

interface HeadProps extends Omit<ChatHeadProps, 'wasSearched' | 'onSearch'> {
  goal: Goal | null;
  /** Shows a message of this chat. */
  onGo: (goal: Goal) => void;
}

/** The head, or a search of the messages in its place. */
function Head({ goal, onGo, ...props }: HeadProps) {
  const { chats, conversation } = props;
  const [search, setSearch] = useState<'none' | 'open' | 'ended'>('none');
  if (search !== 'open') {
    return <ChatHead {...props} wasSearched={search === 'ended'} onSearch={() => setSearch('open')} />;
  }
  return (
    <ChatSearch
      {...{ chats, goal, onGo }}
      chat={conversation}
      onClose={() => setSearch('ended')}
      fallback={<header className={styles.head} />}
    />
  );
}

interface ChatHeadProps {
  chats: ChatsModel;
  conversation: OpenConversation;
  isTyping: boolean;
  actions: PersonActions;
  /** A search has ended: its key takes the focus. */
  wasSearched: boolean;
  onSearch: () => void;
}

/** The link back, and the other person, whose sheet opens from their name and from More. */
function ChatHead({ chats, conversation, isTyping, actions, wasSearched, onSearch }: ChatHeadProps) {
  const { other, presence, isSoulmate, pairId, timer } = conversation;
  const longPress = useLongPress(actions.toggleSoulmate);
  const { isBlockedByMe, isGone } = conversation;
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const openSheet = (): void => setIsSheetOpen(true);
  const closeSheet = (): void => setIsSheetOpen(false);
  const searchKey = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (wasSearched) searchKey.current?.focus();
  }, [wasSearched]);
  useEffect(() => chats.list.need(), [chats]);
  const isMuted = useReadable(chats.list.rows)?.find(({ pairId }) => pairId === conversation.pairId)?.isMuted;
  const lastNumber = endOf(conversation).messages.at(-1)?.number ?? 0;
  return (
    <>
      <header className={styles.head}>
        <BackToChats />
        <button
          type="button"
          className={styles.avatar}
          aria-label={(isSoulmate ? chatWords.avatarOfSoulmate : chatWords.avatar)(other.name)}
          {...longPress}
        >
          <Avatar id={other.uid} name={other.name} size="md" />
        </button>
        <div className={styles.who}>
          <h1>
            <button type="button" dir="auto" className={styles.name} aria-haspopup="dialog" onClick={openSheet}>
              {other.name}
            </button>
          </h1>
          {isTyping ? (
            <output className={styles.typing}>{t`Typing…`}</output>
          ) : (
            presence !== null && <Hears uid={other.uid} online={<Presence online={presence.state === 'online'} />} />
          )}
          {timer && timer.days !== null && <span className="meta">{` · ${timerWords.days(timer.days)}`}</span>}
        </div>
        <HearsKeys other={other} />
        {isMuted && <Sign icon={<MutedIcon size={20} />} words={chatWords.muted} />}
        <IconButton label={t`Search messages`} icon={<SearchIcon size={22} />} ref={searchKey} onClick={onSearch} />
        <IconButton label={t`More`} icon={<MoreIcon size={22} />} aria-haspopup="dialog" onClick={openSheet} />
      </header>
      {/* Beside the head, whose colours on phones are those of its band. */}
      {isSheetOpen && (
        <PersonSheet
          person={{ ...other, isOnline: presence && presence.state === 'online' }}
          chat={{ isBlockedByMe, isGone }}
          chatActions={
            lastNumber > 0 && (
              <>
                <TimerRows {...{ pairId, other, timer }} self={chats.self} />
                <Actions {...{ chats, conversation, lastNumber }} onClose={closeSheet} />
              </>
            )
          }
          onClose={closeSheet}
        />
      )}
    </>
  );
}

interface ActionsProps {
  chats: ChatsModel;
  conversation: OpenConversation;
  lastNumber: number;
  onClose: () => void;
}

/** What the user makes of the chat; a user who deletes it is back at the list. */
function Actions({ chats, conversation: { pairId, other }, lastNumber, onClose }: ActionsProps) {
  const address = usePath();
  const row = useReadable(chats.list.rows)?.find((each) => each.pairId === pairId);
  if (!row) return null;
  return (
    <ChatActions
      chats={chats}
      chat={{ ...row, other, lastNumber }}
      onClose={onClose}
      // A user who has left the chat meanwhile stays where they are.
      onCleared={() => location.pathname === address && navigate('/chats')}
    />
  );
}

function BackToChats() {
  return (
    <Link href="/chats" className={styles.back}>
      <BackIcon size={22} />
      <span>{t`Back`}</span>
    </Link>
  );
}

const undoMs = 5000;

/** Below the log for five seconds after a message was deleted for oneself; it waits under the pointer and the focus. */
function UndoBar({ onUndo, onEnd }: { onUndo: () => void; onEnd: () => void }) {
  const [isHeld, setIsHeld] = useState(false);
  const end = useEffectEvent(onEnd);
  const bar = useRef<HTMLDivElement>(null);
  // The message that had it is gone.
  useEffect(() => regainFocus(bar.current?.querySelector('button')), []);
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => end(), undoMs);
    return () => clearTimeout(timer);
  }, [isHeld]);
  return (
    <div
      ref={bar}
      className={styles.undo}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      // The focus that it took itself does not hold it.
      onFocus={({ relatedTarget }) => setIsHeld(relatedTarget !== null)}
      onBlur={() => setIsHeld(false)}
    >
      <output>{t`Message deleted for you`}</output>
      <Button variant="ghost" small onClick={onUndo}>
        {t`Undo`}
      </Button>
    </div>
  );
}

/** The open chat of a room: its log, the reactions to what plays, and the composer. Loaded soon after the room. */
import { beginningOf, editableForMs } from '@tunemate/domain';
import type { Result, RoomDocument, UserCard } from '@tunemate/protocol';
import { useEffect, useRef, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { useMessageKeys, MessageLog } from '../../messages/MessageLog.tsx';
import type { Now } from '../../store/use-now.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { type ChatActions, ChatEntry } from './ChatEntry.tsx';
import styles from './RoomChat.module.css';
import { RoomWriting, type RoomWritingMode } from './RoomWriting.tsx';
import { notStampedBecause, StampRow } from './StampRow.tsx';
import type { ChatBubble, ChatModel } from './chat-model.ts';
import { useEdits } from './use-edits.ts';
import { useGoTo } from './use-go-to.ts';
import { t } from '../../language/t.ts';

export interface OpenRoomChatProps {
  model: ChatModel;
  self: { uid: string };
  room: RoomDocument;
  bubbles: readonly ChatBubble[];
  nowMs: Now;
  /** State of the caller, so that the text stays when the chat is closed. */
  draft: string;
  onDraft: (draft: string) => void;
  /** The user pressed the author of a message, or Report. */
  onPerson: (person: UserCard, reportedMessage?: string) => void;
}

export function OpenRoomChat(props: OpenRoomChatProps) {
  const { model, self, room, bubbles: stored, nowMs, draft, onDraft, onPerson } = props;
  const log = useReadable(model.log);
  const { serverNowMs } = useApp();
  const [refused, setRefused] = useState('');
  const [mode, setMode] = useState<RoomWritingMode | null>(null);
  const latestDraft = useRef(draft);
  useEffect(() => {
    latestDraft.current = draft;
  });
  const { edited, edit } = useEdits(room, (text, sentence) => {
    setRefused(sentence);
    if (latestDraft.current === '') onDraft(text);
  });
  const bubbles = stored.map((bubble) => edited.get(bubble.id ?? '')?.(bubble) ?? bubble);
  const showRefusal = (request: Promise<Result<unknown>>): void =>
    void request.then((answer) => setRefused(answer.ok ? '' : notStampedBecause(answer.error)));
  const isOwnAndNew = ({ isMine, atMs }: ChatBubble): boolean => isMine && editableForMs(atMs, serverNowMs()) > 0;
  const mayEdit = (bubble: ChatBubble): boolean => isOwnAndNew(bubble) && bubble.id !== null && !bubble.isDeleted;
  const startEdit = ({ id, text, edits }: ChatBubble): void => {
    if (id !== null) setMode({ type: 'edit', id, text, draft: text, edits: edits ?? 0 });
  };
  return (
    <>
      <ChatMessages
        model={model}
        {...{ bubbles, nowMs }}
        hasEarlier={log.hasEarlierMessages}
        people={room.participants}
        selfUid={self.uid}
        onReply={({ id, author, text }) => {
          const { id: sender, name: senderName } = author;
          if (id !== null)
            setMode({ type: 'reply', quote: { id, sender, senderName, text: beginningOf(text), isGone: false } });
        }}
        onEdit={startEdit}
        mayEdit={mayEdit}
        onPerson={onPerson}
        onStamp={(id, stamp, isOn) => showRefusal(model.stamp(id, stamp, isOn))}
        onDelete={(id) => showRefusal(model.deleteMessage(id))}
        mayDelete={(bubble) => room.host === self.uid || isOwnAndNew(bubble)}
      />
      <div className={styles.reactions}>
        <StampRow label={t`React to what plays`} onPress={(stamp) => showRefusal(model.react(stamp))} />
        {refused !== '' && <p role="alert">{refused}</p>}
      </div>
      <RoomWriting
        {...{ model, self, room, draft, onDraft, mode }}
        onMode={setMode}
        onEditLast={() => {
          const last = bubbles.findLast(({ isMine }) => isMine);
          if (last && mayEdit(last)) startEdit(last);
        }}
        onEdit={edit}
      />
    </>
  );
}

/** Scrolling this close to the top loads the page before. */
const nearTopPx = 120;

/** The log is reversed: its scroll position is 0 at the newest message and falls towards the oldest. */
function isNearTop({ scrollTop, scrollHeight, clientHeight }: HTMLDivElement): boolean {
  return scrollHeight - clientHeight + scrollTop < nearTopPx;
}

interface ChatMessagesProps extends Omit<ChatActions, 'onQuote'> {
  bubbles: readonly ChatBubble[];
  hasEarlier: boolean;
}

function ChatMessages({ bubbles, hasEarlier, ...actions }: ChatMessagesProps) {
  const { model } = actions;
  const box = useRef<HTMLDivElement>(null);
  const earlier = useReadable(model.earlier);
  const newest = bubbles.at(-1);
  const ownNewest = newest?.isMine === true ? newest.key : null;
  useEffect(() => {
    // Scrolls to a message that the user has just sent.
    if (ownNewest !== null && box.current !== null) box.current.scrollTop = 0;
  }, [ownNewest]);
  useMessageKeys(box);
  const { lit, goTo } = useGoTo(model, box);
  return (
    <MessageLog
      label={t`Chat`}
      ref={box}
      onScroll={(event) => {
        if (hasEarlier && earlier === 'idle' && isNearTop(event.currentTarget)) void model.loadEarlier();
      }}
    >
      {hasEarlier && (
        <Button variant="ghost" small busy={earlier === 'loading'} onClick={() => void model.loadEarlier()}>
          {t`Earlier messages`}
        </Button>
      )}
      {bubbles.map((bubble) => (
        <ChatEntry
          key={bubble.key}
          bubble={bubble}
          isLast={bubble === newest}
          isLit={bubble.id !== null && bubble.id === lit}
          onQuote={goTo}
          {...actions}
        />
      ))}
    </MessageLog>
  );
}

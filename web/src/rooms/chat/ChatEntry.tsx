/** One message of the open log, with its stamps and its menu. */
import { beginningOf } from '@tunemate/domain';
import { type KeyboardEvent, memo, useRef, useState } from 'react';
import type { Refusal, StampCount, StampName, UserCard } from '@tunemate/protocol';
import { clockTime } from '../../words/dates.ts';
import { FailedMessage, MessageBubble } from '../../messages/MessageBubble.tsx';
import { useHold } from '../../messages/long-press.ts';
import { QuoteLine } from '../../messages/QuoteLine.tsx';
import { replyWords } from '../../messages/reply-words.ts';
import { isSameRow } from '../../messages/same-row.ts';
import { StampDrawing } from '../../ui/chat/StampDrawing.tsx';
import type { Now } from '../../store/use-now.ts';
import { classNames } from '../../ui/class-names.ts';
import { tryAgainIn } from '../../words/errors.ts';
import type { ChatBubble, ChatModel } from './chat-model.ts';
import { ChatText, type ChatTextProps, isNamed } from './ChatText.tsx';
import { deletedWords, roomSentences } from '../room-words.ts';
import { quoteName } from './RoomWriting.tsx';
import { stampWords } from './StampRow.tsx';
import styles from './RoomChat.module.css';
import { lazyPart } from '../../store/lazy-part.ts';
import { t } from '../../language/t.ts';

const MessageMenu = lazyPart(async () => (await import('./MessageMenu.tsx')).MessageMenu);

export interface ChatActions {
  nowMs: Now;
  model: ChatModel;
  people: ChatTextProps['people'];
  selfUid: string;
  onStamp: (messageId: string, stamp: StampName, isOn: boolean) => void;
  onReply: (bubble: ChatBubble) => void;
  onCopy: (bubble: ChatBubble) => void;
  onEdit: (bubble: ChatBubble) => void;
  mayEdit: (bubble: ChatBubble) => boolean;
  /** Goes to the message with this id. */
  onQuote: (messageId: string) => void;
  onPerson: (person: UserCard, reportedMessage?: string) => void;
  onDelete: (messageId: string) => void;
  /** Whether the user may delete it for all now. */
  mayDelete: (bubble: ChatBubble) => boolean;
}

interface ChatEntryProps extends ChatActions {
  bubble: ChatBubble;
  isLast: boolean;
  /** The user came to it by a quote a moment ago. */
  isLit: boolean;
}

export const ChatEntry = memo(function ChatEntry({ bubble, isLast, isLit, ...actions }: ChatEntryProps) {
  const { model, people, selfUid } = actions;
  const { id, isMine, isDeleted, author, starts, ends, atMs, waiting, isSending = false } = bubble;
  const failure = waiting?.failure ?? null;
  const [isOpen, setIsOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const isFixed = isDeleted || id === null;
  const hold = useKeys(
    bubble,
    actions,
    useHold(() => setIsOpen(true)),
  );
  const time = clockTime(atMs, actions.nowMs);
  const close = (): void => {
    setIsOpen(false);
    frame.current?.focus();
  };
  return (
    <>
      <MessageBubble
        mine={isMine}
        author={author}
        onAuthor={() => actions.onPerson(personOf(author))}
        starts={starts}
        ends={ends}
        time={{ text: time, dateTime: new Date(atMs).toISOString() }}
        timeOutside
        note={bubble.edits && !isDeleted ? replyWords.edited : undefined}
        tick={isSending || (waiting !== null && failure === null) ? 'sending' : undefined}
        look={isDeleted ? 'gone' : isForUser(bubble, people, selfUid) ? 'named' : undefined}
        frame={{
          ...(!isFixed && hold),
          ref: frame,
          role: 'article',
          'aria-label': `${author.name}, ${time}`,
          tabIndex: isLast ? 0 : -1,
          ...{ 'data-lit': isLit, 'data-id': id },
        }}
        footer={
          id !== null && (
            <>
              {bubble.stamps.length > 0 && (
                <Stamps stamps={bubble.stamps} onPress={(stamp, isOn) => actions.onStamp(id, stamp, isOn)} />
              )}
              {isOpen && !isDeleted && (
                <MessageMenu bubble={bubble} onClose={close} {...menuOf(id, bubble, actions, () => setIsOpen(false))} />
              )}
            </>
          )
        }
      >
        {isDeleted ? deletedWords(bubble) : <Content bubble={bubble} {...actions} />}
      </MessageBubble>
      {waiting !== null && failure !== null && (
        <FailedMessage
          reason={notSentBecause(failure)}
          retryLabel={t`Send again`}
          onRetry={() => model.retry(waiting.clientId)}
          onDiscard={() => model.discard(waiting.clientId)}
        />
      )}
    </>
  );
}, isSameRow('bubble'));

function menuOf(id: string, bubble: ChatBubble, actions: ChatActions, onLeave: () => void) {
  const { author, isMine } = bubble;
  const { onStamp, onReply, onCopy, onEdit, mayEdit, onPerson, onDelete, mayDelete } = actions;
  const afterLeaving = (act: () => void) => () => {
    onLeave();
    act();
  };
  return {
    onLeave,
    onStamp: (stamp: StampName, isOn: boolean) => onStamp(id, stamp, isOn),
    onReply: afterLeaving(() => onReply(bubble)),
    onCopy: () => onCopy(bubble),
    onEdit: mayEdit(bubble) ? afterLeaving(() => onEdit(bubble)) : undefined,
    onPerson: isMine ? undefined : afterLeaving(() => onPerson(personOf(author))),
    onReport: isMine ? undefined : afterLeaving(() => onPerson(personOf(author), id)),
    onDelete: mayDelete(bubble) ? afterLeaving(() => onDelete(id)) : undefined,
  };
}

/** Letters on the focused message do what its menu offers. */
function useKeys(bubble: ChatBubble, actions: ChatActions, hold: ReturnType<typeof useHold>) {
  const { onReply, onCopy, onEdit, mayEdit, onPerson, onDelete, mayDelete } = actions;
  const { id, isMine, isDeleted, author } = bubble;
  const acts: Readonly<Record<string, (() => void) | false>> = {
    r: () => onReply(bubble),
    c: () => onCopy(bubble),
    e: mayEdit(bubble) && (() => onEdit(bubble)),
    a: !isMine && (() => onPerson(personOf(author))),
    Delete: id !== null && mayDelete(bubble) && (() => onDelete(id)),
  };
  return {
    ...hold,
    onKeyDown(event: KeyboardEvent<HTMLElement>): void {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && event.target === event.currentTarget;
      const act = Object.hasOwn(acts, event.key) && acts[event.key];
      if (!isPlain || !act || isDeleted) return hold.onKeyDown?.(event);
      event.preventDefault();
      act();
    },
  };
}

/** It names the user, or answers a message of theirs. */
const isForUser = ({ isMine, text, reply }: ChatBubble, people: ChatActions['people'], selfUid: string): boolean =>
  !isMine && (reply?.sender === selfUid || isNamed(text, people, selfUid));

function Content({ bubble: { reply, text }, people, selfUid, onQuote }: ChatActions & { bubble: ChatBubble }) {
  return (
    <>
      {reply && (
        <QuoteLine
          name={quoteName(reply, selfUid)}
          text={reply.isGone ? replyWords.messageDeleted : beginningOf(reply.text)}
          isGone={reply.isGone}
          onPress={() => onQuote(reply.id)}
        />
      )}
      <ChatText text={text} people={people} />
    </>
  );
}

const { notSent } = roomSentences;

export function notSentBecause({ code, retryAfterMs }: Refusal): string {
  if (retryAfterMs !== undefined) return `${notSent} ${tryAgainIn(retryAfterMs)}`;
  if (code === 'input/invalid') return `${notSent} ${t`It holds characters that cannot be shown.`}`;
  return notSent;
}

const personOf = ({ id, name }: ChatBubble['author']): UserCard => ({ uid: id, name });

/** The count of each stamp; a press adds or removes the user's own. */
function Stamps({
  stamps,
  onPress,
}: {
  stamps: readonly StampCount[];
  onPress: (stamp: StampName, isOn: boolean) => void;
}) {
  return (
    <div className={styles.counts}>
      {stamps.map(({ stamp, count, isMine }) => (
        <button
          key={stamp}
          type="button"
          aria-pressed={isMine}
          aria-label={`${stampWords[stamp]}, ${count}`}
          className={classNames(styles.count, isMine && styles.isMine)}
          onClick={() => onPress(stamp, !isMine)}
        >
          <StampDrawing name={stamp} size={20} />
          <span>{count}</span>
        </button>
      ))}
    </div>
  );
}

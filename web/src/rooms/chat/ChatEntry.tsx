/** One message of the open log, with its stamps and its menu. */
import { Suspense, useRef, useState } from 'react';
import type { StampCount, StampName, UserCard } from '@tunemate/protocol';
import { clockTime } from '../../words/dates.ts';
import { FailedMessage, MessageBubble } from '../../messages/MessageBubble.tsx';
import { useHold } from '../../messages/long-press.ts';
import { StampDrawing } from '../../ui/chat/StampDrawing.tsx';
import { classNames } from '../../ui/class-names.ts';
import { type ChatBubble, type ChatModel, notSentBecause } from './chat-model.ts';
import { ChatText, type ChatTextProps, isNamed } from './ChatText.tsx';
import { roomSentences } from '../room-words.ts';
import { stampWords } from './StampRow.tsx';
import styles from './RoomChat.module.css';
import { lazyPart } from '../../store/lazy-part.ts';
import { t } from '../../language/t.ts';

const MessageMenu = lazyPart(async () => (await import('./MessageMenu.tsx')).MessageMenu);

export interface ChatActions {
  model: ChatModel;
  people: ChatTextProps['people'];
  selfUid: string;
  onStamp: (messageId: string, stamp: StampName, isOn: boolean) => void;
  onReply: (name: string) => void;
  onPerson: (person: UserCard, reportedMessage?: string) => void;
  onDelete: (messageId: string) => void;
  /** Whether the user may delete it for all now. */
  mayDelete: (bubble: ChatBubble) => boolean;
}

export function ChatEntry({ bubble, isLast, ...actions }: ChatActions & { bubble: ChatBubble; isLast: boolean }) {
  const { model, people, selfUid } = actions;
  const { id, isMine, isDeleted, author, starts, ends, text, atMs, waiting } = bubble;
  const failure = waiting?.failure ?? null;
  const [isOpen, setIsOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const isFixed = isDeleted || id === null;
  const hold = useHold(() => setIsOpen(true));
  const time = clockTime(atMs);
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
        tick={waiting !== null && failure === null ? 'sending' : undefined}
        look={isDeleted ? 'gone' : !isMine && isNamed(text, people, selfUid) ? 'named' : undefined}
        frame={{
          ...(!isFixed && hold),
          ref: frame,
          role: 'article',
          'aria-label': `${author.name}, ${time}`,
          tabIndex: isLast ? 0 : -1,
        }}
        footer={
          id !== null && (
            <>
              {bubble.stamps.length > 0 && (
                <Stamps stamps={bubble.stamps} onPress={(stamp, isOn) => actions.onStamp(id, stamp, isOn)} />
              )}
              {isOpen && !isDeleted && (
                <Suspense>
                  <MessageMenu
                    bubble={bubble}
                    onClose={close}
                    {...menuOf(id, bubble, actions, () => setIsOpen(false))}
                  />
                </Suspense>
              )}
            </>
          )
        }
      >
        {isDeleted ? roomSentences.messageDeleted : <ChatText text={text} people={people} />}
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
}

function menuOf(id: string, bubble: ChatBubble, actions: ChatActions, onLeave: () => void) {
  const { author, isMine } = bubble;
  const { onStamp, onReply, onPerson, onDelete, mayDelete } = actions;
  const afterLeaving = (act: () => void) => () => {
    onLeave();
    act();
  };
  return {
    onLeave,
    onStamp: (stamp: StampName, isOn: boolean) => onStamp(id, stamp, isOn),
    onReply: afterLeaving(() => onReply(author.name)),
    onPerson: isMine ? undefined : afterLeaving(() => onPerson(personOf(author))),
    onReport: isMine ? undefined : afterLeaving(() => onPerson(personOf(author), id)),
    onDelete: mayDelete(bubble) ? () => onDelete(id) : undefined,
  };
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

/** One item of an open chat: a day, the line above what is unread, or a message with what can be done about it. */
import type { Refusal } from '@tunemate/protocol';
import { sentenceOf, type Instead } from '../copy/sentences.ts';
import { FailedMessage } from '../messages/FailedMessage.tsx';
import { classNames } from '../ui/class-names.ts';
import { CopyIcon } from '../ui/icons/icons.tsx';
import { IconButton } from '../ui/keys/IconButton.tsx';
import { MessageBubble } from '../ui/talk/MessageBubble.tsx';
import { DayMark } from '../ui/talk/MessageLog.tsx';
import styles from './Conversation.module.css';
import { conversationWords } from './conversation-words.ts';
import type { ConversationItem, MessageItem } from './conversation-items.ts';
import { clockTime, dayLabel } from './day-label.ts';
import { imageAddress, shownSize } from './image-address.ts';
import { textParts } from './links.ts';

export interface EntryActs {
  readonly onCopy: (text: string) => void;
  readonly onShowImage: (item: MessageItem) => void;
  readonly onRetry: (clientId: string) => void;
  readonly onDiscard: (clientId: string) => void;
}

export interface ConversationEntryProps extends EntryActs {
  item: ConversationItem;
  nowMs: number;
}

export function ConversationEntry({ item, nowMs, ...acts }: ConversationEntryProps) {
  if (item.type === 'day') return <DayMark>{dayLabel(item.atMs, nowMs)}</DayMark>;
  if (item.type === 'unread') return <p className={styles.unread}>{conversationWords.unread}</p>;
  return <Message item={item} {...acts} />;
}

const instead: Instead = {
  'access/forbidden': conversationWords.cannotWrite,
  'access/not-found': conversationWords.goneMeanwhile,
};
const reasonOf = (refusal: Refusal): string => `${conversationWords.notSent} ${sentenceOf(refusal, instead)}`;

function Message({ item, onCopy, onShowImage, onRetry, onDiscard }: { item: MessageItem } & EntryActs) {
  const { isMine, text, image, waiting, atMs } = item;
  const failure = waiting?.failure ?? null;
  return (
    <>
      <MessageBubble
        mine={isMine}
        starts={item.starts}
        ends={item.ends}
        time={{ text: clockTime(atMs), dateTime: new Date(atMs).toISOString() }}
        tick={item.tick ?? undefined}
        act={
          text !== '' && (
            <IconButton
              className={classNames(styles.copy, isMine && styles.copyMine)}
              label={conversationWords.copy}
              icon={<CopyIcon size={18} />}
              tabIndex={-1}
              onClick={() => onCopy(text)}
            />
          )
        }
      >
        {image !== null && (
          <button type="button" className={styles.picture} onClick={() => onShowImage(item)}>
            <img src={imageAddress(image.imageId, 'preview')} alt={conversationWords.photo} {...shownSize(image)} />
          </button>
        )}
        {textParts(text).map((part, index) =>
          typeof part === 'string' ? (
            part
          ) : (
            <a key={`${String(index)} ${part.href}`} href={part.href} target="_blank" rel="noopener noreferrer">
              {part.words}
            </a>
          ),
        )}
      </MessageBubble>
      {waiting !== null && failure !== null && (
        <FailedMessage
          reason={reasonOf(failure)}
          retryLabel={conversationWords.retry}
          onRetry={() => onRetry(waiting.clientId)}
          onDiscard={() => onDiscard(waiting.clientId)}
        />
      )}
    </>
  );
}

/** One item of an open chat: a day, the divider above unread messages, or a message with its buttons. */
import type { Refusal } from '@tunemate/protocol';
import { Suspense, useRef, useState } from 'react';
import { sentenceOf, type Instead } from '../copy/errors.ts';
import { FailedMessage } from '../messages/FailedMessage.tsx';
import { LinkedText } from '../messages/LinkedText.tsx';
import { useHold } from '../messages/use-hold.ts';
import { classNames } from '../ui/class-names.ts';
import { CopyIcon } from '../ui/icons/icons.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { MessageBubble } from '../ui/chat/MessageBubble.tsx';
import { DayMark } from '../ui/chat/MessageLog.tsx';
import styles from './Conversation.module.css';
import { conversationCopy } from './conversation-copy.ts';
import type { ConversationItem, MessageItem } from './conversation-items.ts';
import { clockTime, dayLabel } from '../messages/day-label.ts';
import { imageAddress, shownSize } from './image-address.ts';
import { lazyPart } from '../store/lazy-part.ts';

const PrivateMenu = lazyPart(async () => (await import('./PrivateMenu.tsx')).PrivateMenu);

export interface EntryActions {
  readonly onCopy: (text: string) => void;
  readonly onShowImage: (item: MessageItem) => void;
  readonly onRetry: (clientId: string) => void;
  readonly onDiscard: (clientId: string) => void;
  /** A message of the other person is to be reported, by its number. */
  readonly onReport: (number: number) => void;
}

export interface ConversationEntryProps extends EntryActions {
  item: ConversationItem;
  nowMs: number;
  /** The one that the Tab key goes to. */
  isNewest: boolean;
}

export function ConversationEntry({ item, nowMs, isNewest, ...actions }: ConversationEntryProps) {
  if (item.type === 'day') return <DayMark>{dayLabel(item.atMs, nowMs)}</DayMark>;
  if (item.type === 'unread') return <p className={styles.unread}>{conversationCopy.unread}</p>;
  return <Message item={item} isNewest={isNewest} {...actions} />;
}

const instead: Instead = {
  'access/forbidden': conversationCopy.cannotWrite,
  'access/not-found': conversationCopy.goneMeanwhile,
};
const reasonOf = (refusal: Refusal): string => `${conversationCopy.notSent} ${sentenceOf(refusal, instead)}`;

type MessageProps = { item: MessageItem; isNewest: boolean } & EntryActions;

function Message({ item, isNewest, onReport, ...actions }: MessageProps) {
  const { onCopy, onShowImage, onRetry, onDiscard } = actions;
  const { isMine, number, text, image, waiting, atMs } = item;
  const failure = waiting?.failure ?? null;
  const frame = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const hold = useHold(() => setIsOpen(true));
  const label = conversationCopy.messageAt(clockTime(atMs), isMine);
  const close = (): void => {
    setIsOpen(false);
    frame.current?.focus();
  };
  const menu = {
    onCopy() {
      onCopy(text);
      close();
    },
    onReport() {
      setIsOpen(false);
      if (number !== null) onReport(number);
    },
  };
  return (
    <>
      <MessageBubble
        mine={isMine}
        starts={item.starts}
        ends={item.ends}
        time={{ text: clockTime(atMs), dateTime: new Date(atMs).toISOString() }}
        tick={item.tick ?? undefined}
        frame={{ ...hold, ref: frame, role: 'article', 'aria-label': label, tabIndex: isNewest ? 0 : -1 }}
        footer={
          isOpen && (
            <Suspense>
              <PrivateMenu
                label={label}
                onCopy={text === '' ? undefined : menu.onCopy}
                onReport={isMine ? undefined : menu.onReport}
                onClose={close}
                onLeave={() => setIsOpen(false)}
              />
            </Suspense>
          )
        }
        action={
          text !== '' && (
            <IconButton
              className={classNames(styles.copy, isMine && styles.copyMine)}
              label={conversationCopy.copy}
              icon={<CopyIcon size={18} />}
              tabIndex={-1}
              onClick={() => onCopy(text)}
            />
          )
        }
      >
        {image !== null && (
          <button type="button" className={styles.picture} onClick={() => onShowImage(item)}>
            <img src={imageAddress(image.imageId, 'preview')} alt={conversationCopy.photo} {...shownSize(image)} />
          </button>
        )}
        <LinkedText text={text} />
      </MessageBubble>
      {waiting !== null && failure !== null && (
        <FailedMessage
          reason={reasonOf(failure)}
          retryLabel={conversationCopy.retry}
          onRetry={() => onRetry(waiting.clientId)}
          onDiscard={() => onDiscard(waiting.clientId)}
        />
      )}
    </>
  );
}

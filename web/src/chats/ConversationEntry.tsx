/**
 * One item of an open chat: a day, the divider above unread messages, or a message with its buttons; and the view of
 * one image.
 */
import type { Refusal } from '@tunemate/protocol';
import { Suspense, useRef, useState } from 'react';
import { type Instead, sentenceOf } from '../words/errors.ts';
import { LinkedText } from '../messages/LinkedText.tsx';
import { FailedMessage, MessageBubble } from '../messages/MessageBubble.tsx';
import { DayMark } from '../messages/MessageLog.tsx';
import { clockTime, dayLabel } from '../words/dates.ts';
import { useHold } from '../messages/long-press.ts';
import type { ChatImage } from '../messages/outbox.ts';
import { lazyPart } from '../store/lazy-part.ts';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { classNames } from '../ui/class-names.ts';
import { useModalElement } from '../ui/dialogs/use-modal-element.ts';
import { CloseIcon, CopyIcon } from '../ui/icons/icons.tsx';
import styles from './Conversation.module.css';
import { conversationWords } from './conversation-words.ts';
import type { ConversationItem, MessageItem } from './conversation.ts';
import { imageAddress, shownSize } from './images.ts';

const PrivateMenu = lazyPart(async () => (await import('./PrivateMenu.tsx')).PrivateMenu);

export interface EntryActions {
  readonly onCopy: (text: string) => void;
  readonly onShowImage: (item: MessageItem) => void;
  readonly onRetry: (clientId: string) => void;
  readonly onDiscard: (clientId: string) => void;
  /** By the number of a message of the other person. */
  readonly onReport: (number: number) => void;
}

interface ConversationEntryProps extends EntryActions {
  item: ConversationItem;
  nowMs: number;
  /** The Tab stop of the log. */
  isNewest: boolean;
}

export function ConversationEntry({ item, nowMs, isNewest, ...actions }: ConversationEntryProps) {
  if (item.type === 'day') return <DayMark>{dayLabel(item.atMs, nowMs)}</DayMark>;
  if (item.type === 'unread') return <p className={styles.unread}>{conversationWords.unread}</p>;
  return <Message item={item} isNewest={isNewest} {...actions} />;
}

const instead: Instead = {
  'access/forbidden': conversationWords.cannotWrite,
  'access/not-found': conversationWords.goneMeanwhile,
};
const reasonOf = (refusal: Refusal): string => `${conversationWords.notSent} ${sentenceOf(refusal, instead)}`;

type MessageProps = { item: MessageItem; isNewest: boolean } & EntryActions;

function Message({ item, isNewest, onReport, ...actions }: MessageProps) {
  const { onCopy, onShowImage, onRetry, onDiscard } = actions;
  const { isMine, number, text, image, waiting, atMs } = item;
  const failure = waiting?.failure ?? null;
  const frame = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const hold = useHold(() => setIsOpen(true));
  const label = conversationWords.messageAt(clockTime(atMs), isMine);
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
        <LinkedText text={text} />
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

/** One image as large as the window allows, over the page. */
export function ImageView({ image, onClose }: { image: ChatImage; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useModalElement(dialog, onClose, { scrimCloses: true });
  return (
    <dialog ref={dialog} className={styles.view} aria-label={conversationWords.photo}>
      <img
        src={imageAddress(image.imageId, 'full')}
        alt={conversationWords.photo}
        width={image.width}
        height={image.height}
      />
      <IconButton
        className={styles.close}
        label={conversationWords.close}
        icon={<CloseIcon size={22} />}
        data-first-focus
        onClick={onClose}
      />
    </dialog>
  );
}

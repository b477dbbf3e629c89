/** The scrolling log of an open chat. Only the rows on the screen are in the page, so thousands of messages scroll as a
   few do. */
import { useEffect, useRef } from 'react';
import { useMessageKeys } from '../messages/use-message-keys.ts';
import { useReadable } from '../store/use-readable.ts';
import { ChevronDownIcon } from '../ui/icons/icons.tsx';
import { Button } from '../ui/buttons/Button.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { keyboardScroll } from '../ui/keyboard-scroll.ts';
import { useWatching } from '../ui/use-watching.ts';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import styles from './Conversation.module.css';
import { ConversationEntry, type EntryActions } from './ConversationEntry.tsx';
import type { ConversationItem } from './conversation-items.ts';
import type { ConversationModel } from './conversation-model.ts';
import { conversationCopy } from './conversation-copy.ts';
import { nearEndPx, useLogVirtualizer, type LogVirtualizer } from './use-log-virtualizer.ts';

/** With fewer items above, the page before is fetched. */
const fewAbove = 12;

interface RowsProps extends EntryActions {
  items: readonly ConversationItem[];
  nowMs: number;
}

export interface ConversationLogProps extends RowsProps {
  model: ConversationModel;
  hasEarlier: boolean;
}

export function ConversationLog({ model, items, hasEarlier, ...rest }: ConversationLogProps) {
  // The virtualizer changes under the same identity.
  'use no memo';
  const box = useRef<HTMLDivElement>(null);
  const earlier = useReadable(model.earlier);
  const { virtual, isPlaced, onScroll } = useLogVirtualizer(box, items);
  const first = virtual.getVirtualItems()[0]?.index ?? 0;
  const newest = items.at(-1);
  useSeen(model, lastSeenNumber(virtual, items));
  useShowSentMessage(virtual, newest);
  useMessageKeys(box);

  useEffect(() => {
    if (isPlaced && hasEarlier && earlier === 'idle' && first < fewAbove) void model.loadEarlier();
  }, [isPlaced, hasEarlier, earlier, first, model]);

  return (
    <div className={styles.thread}>
      <div
        ref={box}
        className={styles.log}
        role="log"
        aria-live="off"
        aria-label={conversationCopy.log}
        {...keyboardScroll}
        onScroll={onScroll}
      >
        {earlier === 'failed' && (
          <Button variant="ghost" small onClick={() => void model.loadEarlier()}>
            {conversationCopy.earlier}
          </Button>
        )}
        <Rows virtual={virtual} items={items} {...rest} />
      </div>
      <VisuallyHidden>
        {/* The log itself fills with old messages while scrolling; only what arrives is read out. */}
        <output>{newest?.type === 'message' && !newest.isMine ? newest.text : ''}</output>
      </VisuallyHidden>
      {items.length > 0 && !virtual.isAtEnd(nearEndPx) && (
        <IconButton
          className={styles.newest}
          label={conversationCopy.newest}
          icon={<ChevronDownIcon size={22} />}
          onClick={() => virtual.scrollToEnd()}
        />
      )}
    </div>
  );
}

function Rows({ virtual, items, nowMs, ...actions }: RowsProps & { virtual: LogVirtualizer }) {
  'use no memo';
  return (
    <div className={styles.items} style={{ height: `${String(virtual.getTotalSize())}px` }}>
      {virtual.getVirtualItems().map(({ key, index, start }) => {
        const item = items[index];
        return (
          item && (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={styles.item}
              style={{ transform: `translateY(${String(start)}px)` }}
            >
              <ConversationEntry item={item} nowMs={nowMs} isNewest={index === items.length - 1} {...actions} />
            </div>
          )
        );
      })}
    </div>
  );
}

/** Marks messages as read while the user can see them. */
function useSeen(model: ConversationModel, number: number | null): void {
  const isWatching = useWatching();
  useEffect(() => {
    if (isWatching && number !== null) model.seen(number);
  }, [isWatching, number, model]);
}

/** Scrolls to a message that the user sends, however far up they have read. */
function useShowSentMessage(virtual: LogVirtualizer, newest: ConversationItem | undefined): void {
  const sent = newest?.type === 'message' && newest.isMine ? newest.key : null;
  const known = useRef(sent);
  useEffect(() => {
    if (sent !== null && sent !== known.current) virtual.scrollToEnd();
    known.current = sent;
  }, [sent, virtual]);
}

/** The number of the last message of the other person that is on the screen. */
function lastSeenNumber(virtual: LogVirtualizer, items: readonly ConversationItem[]): number | null {
  const bottom = (virtual.scrollOffset ?? 0) + (virtual.scrollRect?.height ?? 0);
  const isTheirs = (item: ConversationItem | undefined) => item?.type === 'message' && !item.isMine;
  const last = virtual
    .getVirtualItems()
    .findLast(({ index, end }) => end <= bottom + nearEndPx / 2 && isTheirs(items[index]));
  const item = last && items[last.index];
  return item?.type === 'message' ? item.number : null;
}

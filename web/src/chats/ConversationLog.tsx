/** The scrolling log of an open chat. Only what is on the screen is in the page, so thousands of messages scroll as a few
   do; it stays at the newest unless somebody reads further up, and keeps their place when earlier ones arrive. */
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useReadable } from '../store/use-readable.ts';
import { ChevronDownIcon } from '../ui/icons/icons.tsx';
import { Button } from '../ui/buttons/Button.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { keyboardScroll } from '../ui/keyboard-scroll.ts';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import styles from './Conversation.module.css';
import { ConversationEntry, type EntryActions } from './ConversationEntry.tsx';
import type { ConversationItem } from './conversation-items.ts';
import type { ConversationModel } from './conversation-model.ts';
import { conversationCopy } from './conversation-copy.ts';
import { useWatching } from './use-watching.ts';

/** This close to the newest message counts as being there. */
const nearEndPx = 80;
/** With fewer items above, the page before is fetched. */
const fewAbove = 12;

export interface ConversationLogProps extends EntryActions {
  model: ConversationModel;
  items: readonly ConversationItem[];
  hasEarlier: boolean;
  nowMs: number;
}

export function ConversationLog({ model, items, hasEarlier, nowMs, ...actions }: ConversationLogProps) {
  // The virtualizer changes under the same identity.
  'use no memo';
  const box = useRef<HTMLDivElement>(null);
  const earlier = useReadable(model.earlier);
  const isWatching = useWatching();
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    getItemKey: (index) => items[index]?.key ?? index,
    estimateSize: () => 46,
    anchorTo: 'end',
    followOnAppend: 'auto',
    scrollEndThreshold: nearEndPx,
    overscan: 10,
    paddingStart: 16,
    paddingEnd: 16,
  });
  const shown = virtual.getVirtualItems();
  const first = shown[0]?.index ?? 0;
  const newest = items.at(-1);

  const wasAtEnd = useRef(true);
  const openAt = useEffectEvent(() => {
    keepWhatIsRead(virtual);
    const unread = items.findIndex(({ type }) => type === 'unread');
    if (unread < 0) virtual.scrollToEnd();
    else {
      wasAtEnd.current = false;
      virtual.scrollToIndex(unread, { align: 'start' });
    }
  });
  // Until the browser has told of that place, the log believes to be at its top.
  const [isPlaced, setIsPlaced] = useState(false);
  useLayoutEffect(() => {
    openAt();
    const frame = requestAnimationFrame(() => setIsPlaced(true));
    return () => cancelAnimationFrame(frame);
  }, []);

  // A keyboard that opens takes height away from above: what was at the end stays there. The virtualizer tells of a new
  // height only when other rows come into sight with it.
  useEffect(() => {
    const log = box.current;
    if (log === null) return;
    const resized = new ResizeObserver(() => {
      if (wasAtEnd.current) log.scrollTop = log.scrollHeight;
    });
    resized.observe(log);
    return () => resized.disconnect();
  }, []);

  const userStreamNewest = newest?.type === 'message' && newest.isMine ? newest.key : null;
  const knownUserSeq = useRef(userStreamNewest);
  useEffect(() => {
    // Whoever writes wants to see it, however far up they have read.
    if (userStreamNewest !== null && userStreamNewest !== knownUserSeq.current) virtual.scrollToEnd();
    knownUserSeq.current = userStreamNewest;
  }, [userStreamNewest, virtual]);

  useEffect(() => {
    if (isPlaced && hasEarlier && earlier === 'idle' && first < fewAbove) void model.loadEarlier();
  }, [isPlaced, hasEarlier, earlier, first, model]);

  const bottom = (virtual.scrollOffset ?? 0) + (virtual.scrollRect?.height ?? 0);
  const lastSeen = shown.findLast(({ index, end }) => end <= bottom + nearEndPx / 2 && isTheirs(items[index]));
  const seenNumber = numberOf(lastSeen === undefined ? undefined : items[lastSeen.index]);
  useEffect(() => {
    if (isWatching && seenNumber !== null) model.seen(seenNumber);
  }, [isWatching, seenNumber, model]);

  return (
    <div className={styles.thread}>
      <div
        ref={box}
        className={styles.log}
        role="log"
        aria-live="off"
        aria-label={conversationCopy.log}
        {...keyboardScroll}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          wasAtEnd.current = scrollHeight - scrollTop - clientHeight < nearEndPx;
        }}
      >
        {earlier === 'failed' && (
          <Button variant="ghost" small onClick={() => void model.loadEarlier()}>
            {conversationCopy.earlier}
          </Button>
        )}
        <div className={styles.items} style={{ height: `${String(virtual.getTotalSize())}px` }}>
          {shown.map(({ key, index, start }) => {
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
                  <ConversationEntry item={item} nowMs={nowMs} {...actions} />
                </div>
              )
            );
          })}
        </div>
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

/** Heights are guessed until they are seen: whoever turns back finds the line they came from where it has to be. */
function keepWhatIsRead(virtual: Virtualizer<HTMLDivElement, Element>): void {
  virtual.shouldAdjustScrollPositionOnItemSizeChange = ({ start }, _change, { scrollDirection, scrollRect }) => {
    const top = virtual.scrollOffset ?? 0;
    return start < (scrollDirection === 'backward' ? top + (scrollRect?.height ?? 0) : top);
  };
}

function isTheirs(item: ConversationItem | undefined): boolean {
  return item?.type === 'message' && !item.isMine;
}

function numberOf(item: ConversationItem | undefined): number | null {
  return item?.type === 'message' ? item.number : null;
}

/**
 * The scrolling log of an open chat. Only the rows on the screen are in the page, so thousands of messages scroll as a
 * few do.
 */
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, type UIEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useMessageKeys } from '../messages/MessageLog.tsx';
import { useReadable } from '../store/use-readable.ts';
import { useSteady } from '../messages/use-steady.ts';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import { Button } from '../ui/buttons/Button.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { ChevronDownIcon } from '../ui/icons/inside-icons.tsx';
import { keyboardScroll } from '../ui/keyboard-scroll.ts';
import { useWatching } from '../shell/use-watching.ts';
import { openVoice } from './voice/open-voice.ts';
import styles from './Conversation.module.css';
import { ConversationEntry, type EntryActions, fetchMessageActions } from './ConversationEntry.tsx';
import type { ConversationModel } from './conversation-model.ts';
import { conversationWords, voiceText } from './conversation-words.ts';
import type { ConversationItem, MessageItem } from './conversation.ts';
import { t } from '../language/t.ts';

/** With fewer items above, the page before is fetched; with fewer below, the one after. */
const fewAbove = 12;

interface RowsProps extends EntryActions {
  items: readonly ConversationItem[];
  lit: number | null;
}

interface ConversationLogProps extends Omit<RowsProps, 'lit' | 'onQuote'> {
  model: ConversationModel;
  hasEarlier: boolean;
  /** The newest messages are not among the items. */
  isAway: boolean;
  /** Of the chat: reactions up to it are on the screen. */
  revision: number;
  /** By a picture: nothing of the log is seen. */
  isCovered: boolean;
  /** The message that the user came for. */
  goal: Goal | null;
}

/** A new one goes there again. */
export interface Goal {
  readonly number: number;
}

export function ConversationLog(props: ConversationLogProps) {
  const { model, items, hasEarlier, isAway, revision, isCovered, goal, ...rest } = props;
  const box = useRef<HTMLDivElement>(null);
  const earlier = useReadable(model.earlier);
  const { virtual, isPlaced, onScroll } = useLogVirtualizer(box, items, isAway);
  const first = virtual.getVirtualItems()[0]?.index ?? 0;
  const isNearLast = (virtual.getVirtualItems().at(-1)?.index ?? 0) >= items.length - fewAbove;
  const newest = items.at(-1);
  useSeen(model, isCovered ? null : lastSeenNumber(virtual, items), isCovered ? 0 : revision);
  useShowSentMessage(virtual, newest);
  useMessageKeys(box);
  useEffect(fetchMessageActions, []);
  useEffect(() => () => openVoice.stop(), []);
  const { lit, goTo, isGoing } = useGoTo({ model, box, virtual, items }, goal !== null);
  const steady = useSteady({ onQuote: goTo });

  const goToGoal = useEffectEvent(goTo);
  useEffect(() => {
    if (isPlaced && goal !== null) goToGoal(goal.number);
  }, [isPlaced, goal]);

  usePages(model, { first: items.length > 0 && isPlaced && !isGoing ? first : null, isNearLast, hasEarlier, isAway });

  return (
    <div className={styles.thread}>
      <div
        ref={box}
        className={styles.log}
        role="log"
        aria-live="off"
        aria-label={t`Messages`}
        {...keyboardScroll}
        onScroll={onScroll}
      >
        {earlier === 'failed' && (
          <Button variant="ghost" small onClick={() => void model.loadEarlier()}>
            {t`Earlier messages`}
          </Button>
        )}
        <Rows virtual={virtual} items={items} lit={lit} {...steady} {...rest} />
      </div>
      <Arrivals items={items} />
      {items.length > 0 && (isAway || !virtual.isAtEnd(nearEndPx)) && (
        <IconButton
          className={styles.newest}
          label={t`Jump to newest`}
          icon={<ChevronDownIcon size={22} />}
          onClick={() => {
            model.returnToNewest();
            // Once the newest messages are the items.
            requestAnimationFrame(() => virtual.scrollToEnd());
          }}
        />
      )}
    </div>
  );
}

/** After a lost connection many may have come at once. */
const mostSpoken = 5;

/** The log itself fills with old messages while scrolling; only what arrives is read out, each message once. */
function Arrivals({ items }: { items: readonly ConversationItem[] }) {
  const last = items.findLast(isTheirs)?.number ?? 0;
  const [{ from, upTo }, setSpoken] = useState({ from: last, upTo: last });
  if (last > upTo) setSpoken({ from: upTo, upTo: last });
  const arrived = items.filter(isTheirs).filter(({ number }) => (number ?? 0) > from);
  return (
    <VisuallyHidden>
      <output aria-atomic={false}>
        {arrived.slice(-mostSpoken).map((item) => (
          <span key={item.key} dir="auto">
            {spokenOf(item)}
          </span>
        ))}
      </output>
    </VisuallyHidden>
  );
}

const isTheirs = (item: ConversationItem): item is MessageItem => item.type === 'message' && !item.isMine;

function spokenOf({ voice, image, text, isDeleted }: MessageItem): string {
  if (isDeleted) return conversationWords.messageDeleted;
  if (voice !== null) return voiceText(voice.durationMs);
  return text === '' && image !== null ? conversationWords.photo : text;
}

function Rows({ virtual, items, lit, ...actions }: RowsProps & { virtual: LogVirtualizer }) {
  // A line that says who set the timer may stand behind it.
  const newest = items.findLastIndex(({ type }) => type === 'message');
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
              <ConversationEntry
                item={item}
                isNewest={index === newest}
                isLit={lit !== null && item.type === 'message' && item.number === lit}
                {...actions}
              />
            </div>
          )
        );
      })}
    </div>
  );
}

interface Edges extends Pick<ConversationLogProps, 'hasEarlier' | 'isAway'> {
  /** Of the rows in the page; null while the log is not at rest. */
  first: number | null;
  isNearLast: boolean;
}

/** Loads the page before what is shown, and while the newest messages are not there the page after it. */
function usePages(model: ConversationModel, { first, isNearLast, hasEarlier, isAway }: Edges): void {
  const earlier = useReadable(model.earlier);
  const wantsEarlier = first !== null && hasEarlier && first < fewAbove;
  useEffect(() => {
    if (wantsEarlier && earlier === 'idle') void model.loadEarlier();
  }, [wantsEarlier, earlier, model]);
  const wantsLater = first !== null && isAway && isNearLast;
  useEffect(() => {
    if (wantsLater) void model.loadLater();
  }, [wantsLater, model]);
}

const litMs = 1000;
const afterScrollMs = 80;
const goTries = 50;

interface GoToParts extends Pick<ConversationLogProps, 'model' | 'items'> {
  box: RefObject<HTMLDivElement | null>;
  virtual: LogVirtualizer;
}

/** Goes to the message with a number: loads what is around it, scrolls, focuses and outlines it. */
function useGoTo({ model, box, virtual, items }: GoToParts, begins: boolean) {
  const [lit, setLit] = useState<Goal | null>(null);
  const [isGoing, setIsGoing] = useState(begins);
  const latest = useRef(items);
  useLayoutEffect(() => {
    latest.current = items;
  });
  const scrollTo = useEffectEvent((number: number): void => {
    const index = latest.current.findIndex((item) => item.type === 'message' && item.number === number);
    if (index >= 0) virtual.scrollToIndex(index, { align: 'center' });
  });
  useEffect(() => {
    if (lit === null) return undefined;
    let tries = 0;
    let end: ReturnType<typeof setTimeout> | undefined;
    scrollTo(lit.number);
    // The row is in the page once the log has scrolled, and takes the focus once the dialog over it is gone.
    const arrival = setInterval(() => {
      const row = box.current?.querySelector<HTMLElement>(`[data-number="${String(lit.number)}"]`);
      row?.focus();
      // On a busy device the dialog of a search can outlast any number of tries.
      if (document.querySelector('dialog:modal') === null) tries += 1;
      const hasArrived = row !== null && document.activeElement === row;
      if (!hasArrived && tries < goTries) return row ? undefined : scrollTo(lit.number);
      clearInterval(arrival);
      setIsGoing(false);
      end = setTimeout(() => setLit(null), litMs);
      return undefined;
    }, afterScrollMs);
    return () => {
      clearInterval(arrival);
      clearTimeout(end);
    };
  }, [lit, box]);

  async function goTo(number: number): Promise<void> {
    // Pages that come while the log scrolls would move the message to another index.
    setIsGoing(true);
    await model.reach(number);
    await new Promise(requestAnimationFrame);
    if (latest.current.some((item) => item.type === 'message' && item.number === number)) setLit({ number });
    else setIsGoing(false);
  }
  return { isGoing, lit: lit && lit.number, goTo: (number: number) => void goTo(number) };
}

/** Marks messages as read while the user can see them. */
function useSeen(model: ConversationModel, number: number | null, revision: number): void {
  const isWatching = useWatching();
  useEffect(() => {
    // Reactions are seen with any message: also by a person who only wrote.
    if (isWatching && (number !== null || revision > 0)) model.seen(number ?? 0);
  }, [isWatching, number, revision, model]);
}

/** Scrolls to a message that the user sends, however far up they have read. */
function useShowSentMessage(virtual: LogVirtualizer, newest: ConversationItem | undefined): void {
  const sent = newest?.type === 'message' && newest.isMine ? newest.key : null;
  const known = useRef(sent);
  useEffect(() => {
    // What another tab sends leaves the user where they read.
    if (sent !== null && sent !== known.current && document.hasFocus()) virtual.scrollToEnd();
    known.current = sent;
  }, [sent, virtual]);
}

/** The number of the last message of the other person that is on the screen. */
function lastSeenNumber(virtual: LogVirtualizer, items: readonly ConversationItem[]): number | null {
  const bottom = (virtual.scrollOffset ?? 0) + (virtual.scrollRect?.height ?? 0);
  const last = virtual.getVirtualItems().findLast(({ index, end }) => {
    const item = items[index];
    return item && isTheirs(item) && end <= bottom + nearEndPx / 2;
  });
  const item = last && items[last.index];
  return item?.type === 'message' ? item.number : null;
}

/** This close to the newest message counts as being there. */
const nearEndPx = 80;

type LogVirtualizer = Virtualizer<HTMLDivElement, Element>;

/**
 * The virtual list and its scroll position: at the first unread message when the chat opens, then at the newest unless
 * the user scrolls up. It keeps that position when earlier messages arrive.
 */
function useLogVirtualizer(box: RefObject<HTMLDivElement | null>, items: readonly ConversationItem[], isAway: boolean) {
  // Also where the last page before the newest messages has come.
  const wasAway = useRef(isAway);
  useLayoutEffect(() => {
    wasAway.current = isAway;
  });
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    getItemKey: (index) => items[index]?.key ?? index,
    estimateSize: () => 46,
    anchorTo: 'end',
    followOnAppend: isAway || wasAway.current ? false : 'auto',
    scrollEndThreshold: nearEndPx,
    overscan: 10,
    paddingStart: 16,
    paddingEnd: 16,
  });
  const wasAtEnd = useRef(true);
  const openAt = useEffectEvent(() => {
    keepPlaceOnResize(virtual);
    const unread = items.findIndex(({ type }) => type === 'unread');
    if (unread < 0) virtual.scrollToEnd();
    else {
      wasAtEnd.current = false;
      virtual.scrollToIndex(unread, { align: 'start' });
    }
  });
  /** False until the browser reports the first scroll position: until then the virtualizer assumes the top. */
  const [isPlaced, setIsPlaced] = useState(false);
  useLayoutEffect(() => {
    openAt();
    const frame = requestAnimationFrame(() => setIsPlaced(true));
    return () => cancelAnimationFrame(frame);
  }, []);
  useEndOnResize(box, wasAtEnd);
  return {
    virtual,
    isPlaced,
    onScroll({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent<HTMLDivElement>): void {
      wasAtEnd.current = scrollHeight - scrollTop - clientHeight < nearEndPx;
    },
  };
}

/**
 * An on-screen keyboard that opens makes the log lower: a log at its end stays there. The virtualizer reports a new
 * height only when it brings other rows into sight.
 */
function useEndOnResize(box: RefObject<HTMLDivElement | null>, wasAtEnd: RefObject<boolean>): void {
  useEffect(() => {
    const log = box.current;
    if (log === null) return;
    const resized = new ResizeObserver(() => {
      if (!wasAtEnd.current) return;
      const toEnd = (): void => void (log.scrollTop = log.scrollHeight);
      toEnd();
      // Where a row changes in the same frame, the virtualizer scrolls once more, from where the log was before.
      requestAnimationFrame(toEnd);
    });
    resized.observe(log);
    return () => resized.disconnect();
  }, [box, wasAtEnd]);
}

/** Heights are estimates until a row is measured: a correction above what the user reads must not move it. */
function keepPlaceOnResize(virtual: LogVirtualizer): void {
  virtual.shouldAdjustScrollPositionOnItemSizeChange = ({ start }, _change, { scrollDirection, scrollRect }) => {
    const top = virtual.scrollOffset ?? 0;
    return start < (scrollDirection === 'backward' ? top + (scrollRect?.height ?? 0) : top);
  };
}

/** The scrolling log of the room's chat, and the arrow keys of any chat's log. */
import { type ReactNode, type Ref, type RefObject, type UIEventHandler, useEffect, useState } from 'react';
import { keyboardScroll } from '../ui/keyboard-scroll.ts';
import { useKeyDown } from '../ui/use-key-down.ts';
import styles from './MessageLog.module.css';

/** Children are `MessageBubble`s and `DayMark`s, oldest first. */
interface MessageLogProps {
  label: string;
  /** The key of the first message: what is loaded before it is not read out. */
  first: string | undefined;
  ref?: Ref<HTMLDivElement> | undefined;
  onScroll?: UIEventHandler<HTMLDivElement> | undefined;
  children: ReactNode;
}

/** Screen readers read the attribute of a region a moment after it has changed. */
const quietMs = 1000;

export function MessageLog({ label, first, ref, onScroll, children }: MessageLogProps) {
  const [known, setKnown] = useState(first);
  useEffect(() => {
    const timer = setTimeout(setKnown, quietMs, first);
    return () => clearTimeout(timer);
  }, [first]);
  const live = known === undefined || known === first ? undefined : 'off';
  return (
    <div
      ref={ref}
      className={styles.log}
      role="log"
      aria-label={label}
      aria-live={live}
      {...keyboardScroll}
      onScroll={onScroll}
    >
      <div className={styles.messages}>{children}</div>
    </div>
  );
}

/** The date between messages of different days. */
export function DayMark({ children }: { children: string }) {
  return <p className={styles.day}>{children}</p>;
}

/** Arrow keys move from message to message of a log, once one of them has the focus. */
export function useMessageKeys(box: RefObject<HTMLElement | null>): void {
  useKeyDown(box, (event) => box.current && goOn(event, box.current));
}

function goOn(event: KeyboardEvent, log: HTMLElement): void {
  const { key, target } = event;
  if ((key !== 'ArrowUp' && key !== 'ArrowDown') || !(target instanceof Element)) return;
  if (target.getAttribute('role') !== 'article') return;
  const entries = [...log.querySelectorAll<HTMLElement>('[role=article]')];
  const next = entries[entries.findIndex((entry) => entry === target) + (key === 'ArrowUp' ? -1 : 1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** The scrolling log of a conversation: newest at the bottom, and it stays there when more arrives. */
import type { ReactNode, Ref, UIEventHandler } from 'react';
import { keyboardScroll } from '../keyboard-scroll.ts';
import styles from './MessageLog.module.css';

/** Children are `MessageBubble`s and `DayMark`s, oldest first. */
export interface MessageLogProps {
  label: string;
  ref?: Ref<HTMLDivElement> | undefined;
  onScroll?: UIEventHandler<HTMLDivElement> | undefined;
  children: ReactNode;
}

/** A live log that can be scrolled with the keyboard. */
export function MessageLog({ label, ref, onScroll, children }: MessageLogProps) {
  return (
    <div ref={ref} className={styles.log} role="log" aria-label={label} {...keyboardScroll} onScroll={onScroll}>
      <div className={styles.messages}>{children}</div>
    </div>
  );
}

/** The date between messages of different days. */
export function DayMark({ children }: { children: string }) {
  return <p className={styles.day}>{children}</p>;
}

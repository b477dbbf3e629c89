/** A chat under a bar of the band ink: its last lines while closed, log and composer while open. */
import { useId, type ReactNode } from 'react';
import { Badge } from '../buttons/Badge.tsx';
import { ChevronDownIcon, ChevronUpIcon, MessageIcon } from '../icons/inside-icons.tsx';
import { keyboardScroll } from '../keyboard-scroll.ts';
import styles from './ChatDock.module.css';

/** `lines` are `MessageLine`s, oldest first; `children` are a `MessageLog` and a `Composer`. */
interface ChatDockProps {
  label: string;
  open: boolean;
  onToggle: () => void;
  closedWords: string;
  openWords: string;
  /** Names the closed log, e.g. `Last 10 messages`. */
  linesLabel: string;
  lines: ReactNode;
  /** On the bar while closed: a number, and words for it. */
  badge?: { count: number; words: string } | undefined;
  children: ReactNode;
}

export function ChatDock(props: ChatDockProps) {
  const { label, open, onToggle, closedWords, openWords, linesLabel, lines, badge, children } = props;
  const id = useId();
  return (
    <section className={styles.dock} aria-label={label}>
      <button type="button" className={styles.bar} aria-expanded={open} aria-controls={id} onClick={onToggle}>
        {open ? <ChevronDownIcon /> : <MessageIcon size={18} />}
        <span>{open ? openWords : closedWords}</span>
        {!open && badge !== undefined && <Badge {...badge} onBand />}
        {!open && <ChevronUpIcon />}
      </button>
      <div id={id} className={styles.content}>
        {open ? (
          children
        ) : (
          <div className={styles.lines} role="log" aria-label={linesLabel} {...keyboardScroll}>
            <div>{lines}</div>
          </div>
        )}
      </div>
    </section>
  );
}

/**
 * Below a chat whose search was pressed on a message: which of the messages found it is, and the keys to the others. The
 * words are marked in the log as long as it is there.
 */
import { markedParts } from '@tunemate/domain';
import { useEffect } from 'react';
import { useApp } from '../../app-context.ts';
import { useNow } from '../../store/use-now.ts';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { CloseIcon } from '../../ui/icons/icons.tsx';
import { ChevronDownIcon, ChevronUpIcon } from '../../ui/icons/inside-icons.tsx';
import { ownSheet } from '../../ui/own-sheet.ts';
import { t } from '../../language/t.ts';
import { clockTime, dayLabel } from '../../words/dates.ts';
import type { Goal } from '../ConversationLog.tsx';
import sheet from './FoundBar.css?inline';

const styles = ownSheet('found', sheet);

interface FoundBarProps {
  goal: Required<Goal>;
  /** Null ends the search. */
  onGo: (goal: Goal | null) => void;
}

export function FoundBar({ goal: { number, found }, onGo }: FoundBarProps) {
  const { messages, query } = found;
  const nowMs = useNow(useApp().serverNowMs);
  useMarks(query);
  const at = messages.findIndex((each) => each.number === number);
  const atMs = messages[at]?.timestamp;
  /** The newest is the first. */
  const step = (label: string, icon: typeof ChevronUpIcon, by: 1 | -1) => {
    const Icon = icon;
    const to = messages[at + by]?.number;
    return (
      <IconButton
        label={label}
        icon={<Icon size={22} />}
        aria-disabled={to === undefined || undefined}
        onClick={() => to !== undefined && onGo({ number: to, found })}
      />
    );
  };
  return (
    <div className={styles.bar} {...group}>
      <output>
        <b>{t`${at + 1} of ${messages.length}`}</b>
        {atMs !== undefined && <span className="meta">{whenOf(dayLabel(atMs, nowMs), clockTime(atMs, nowMs))}</span>}
      </output>
      {step(t`The one before`, ChevronUpIcon, 1)}
      {step(t`The one after`, ChevronDownIcon, -1)}
      <IconButton label={t`End the search`} icon={<CloseIcon />} onClick={() => onGo(null)} />
    </div>
  );
}

/** 'Today, 14:23' */
const whenOf = (day: string, time: string) => t`${day}, ${time}`;

const group = { role: 'group', 'aria-label': t`Messages found` } as const;

/** Marks the words without a change to the page: rows of the log come and go as it scrolls. */
function useMarks(query: string): void {
  useEffect(() => {
    const log = document.querySelector('[role=log]');
    if (log === null || !('highlights' in CSS)) return undefined;
    const mark = (): void => {
      const [theirs, mine] = [new Highlight(), new Highlight()];
      for (const bubble of log.querySelectorAll('[data-number] > p[id] > span:first-child')) {
        const marks = bubble.closest('[data-mine]') === null ? theirs : mine;
        for (const range of rangesIn(bubble, query)) marks.add(range);
      }
      CSS.highlights.set('found', theirs);
      CSS.highlights.set('found-mine', mine);
    };
    mark();
    const observer = new MutationObserver(mark);
    observer.observe(log, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      CSS.highlights.delete('found');
      CSS.highlights.delete('found-mine');
    };
  }, [query]);
}

function rangesIn(element: Element, query: string): Range[] {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const ranges: Range[] = [];
  while (texts.nextNode()) {
    const node = texts.currentNode;
    let from = 0;
    for (const { text, isFound } of markedParts(node.textContent ?? '', query)) {
      const range = document.createRange();
      range.setStart(node, from);
      range.setEnd(node, (from += text.length));
      if (isFound) ranges.push(range);
    }
  }
  return ranges;
}

/**
 * A long list or grid that renders only what is in sight. Arrow keys, Home, End and Page keys move the focus from row to row,
 * and letters go to the first row of that letter.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react';
import { useKeyDown } from '../ui/use-key-down.ts';
import styles from './Library.module.css';

interface VirtualRowsProps {
  label: string;
  count: number;
  rowHeight: number;
  /** Side by side in a row; one where it is left out. */
  columns?: number;
  /** Called with the first and last row in sight. */
  onSight: (first: number, last: number) => void;
  startAt?: number;
  /** The row that gets the focus where nothing has it, because Back leads to it; null for none. */
  returnTo?: number | null;
  /** Where a typed letter leads; null when no row begins with it. */
  indexOfLetter?: (letter: string) => number | null;
  /** Draws a row; its first button gets the focus. */
  children: (index: number) => ReactNode;
}

const pageRows = 8;

export function VirtualRows(props: VirtualRowsProps) {
  const {
    label,
    count,
    rowHeight,
    columns = 1,
    onSight,
    startAt = 0,
    returnTo = null,
    indexOfLetter,
    children,
  } = props;
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    lanes: columns,
  });
  const rows = virtual.getVirtualItems();
  const first = rows[0]?.index ?? 0;
  const last = rows.at(-1)?.index ?? -1;
  const reportSight = useEffectEvent(onSight);
  useEffect(() => {
    if (last >= first) reportSight(first, last);
  }, [first, last]);
  const hasRows = count > 0;
  useEffect(() => {
    if (hasRows) virtual.scrollToIndex(startAt, { align: 'start' });
  }, [virtual, startAt, hasRows]);

  const focusOn = useRowFocus(box);
  useReturn(hasRows ? returnTo : null, focusOn);
  function focusRow(index: number): void {
    const target = Math.max(0, Math.min(count - 1, index));
    virtual.scrollToIndex(target, { align: 'auto' });
    focusOn(target);
  }

  useKeyDown(box, (event) => {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-row]');
    if (row === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = Number(row.dataset['row']);
    const letter =
      event.key.length === 1 && event.key !== ' ' ? (indexOfLetter?.(event.key.toUpperCase()) ?? null) : null;
    const to = moves[event.key]?.(at, count, columns) ?? letter;
    if (to === null || to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    focusRow(to);
  });

  return (
    <div ref={box} className={styles.scroll}>
      <ul aria-label={label} className={styles.rows} style={{ height: virtual.getTotalSize() }}>
        {rows.map(({ index, key, start, lane }) => (
          <li
            key={key}
            data-row={index}
            aria-setsize={count}
            aria-posinset={index + 1}
            className={styles.row}
            style={{
              height: rowHeight,
              width: `${String(100 / columns)}%`,
              insetInlineStart: `${String((100 * lane) / columns)}%`,
              transform: `translateY(${String(start)}px)`,
            }}
          >
            {children(index)}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface Goal {
  readonly index: number;
  /** What had the focus. */
  readonly from: Element | null;
}

/** Puts the focus on a row, which may have to be drawn first, and on its key, which may have to be fetched. */
function useRowFocus(box: RefObject<HTMLElement | null>): (index: number) => void {
  const goal = useRef<Goal | null>(null);
  function arrive(): void {
    const row = box.current?.querySelector<HTMLElement>(`[data-row="${String(goal.current?.index)}"]`);
    if (!row) return;
    const key = row.querySelector('button');
    if (key !== null) goal.current = null;
    row.tabIndex = -1;
    (key ?? row).focus({ preventScroll: true });
  }
  useLayoutEffect(() => {
    if (goal.current === null) return;
    const now = document.activeElement;
    // The row that had it may be gone; a user who went elsewhere meanwhile stays there.
    if (now === document.body || now === goal.current.from || now?.matches('[data-row]') === true) arrive();
    else goal.current = null;
  });
  return (index) => {
    goal.current = { index, from: document.activeElement };
    arrive();
  };
}

/** Puts the focus on this row once it is known, where nothing has it. */
function useReturn(to: number | null, focusOn: (index: number) => void): void {
  const goBack = useEffectEvent(focusOn);
  useEffect(() => {
    if (to !== null && document.activeElement === document.body) goBack(to);
  }, [to]);
}

const moves: Readonly<Record<string, (at: number, count: number, columns: number) => number | null>> = {
  ArrowDown: (at, count, columns) => Math.min(count - 1, at + columns),
  ArrowUp: (at, _count, columns) => (at < columns ? at : at - columns),
  ArrowRight: (at, _count, columns) => (columns > 1 ? at + 1 : null),
  ArrowLeft: (at, _count, columns) => (columns > 1 ? at - 1 : null),
  PageDown: (at, _count, columns) => at + pageRows * columns,
  PageUp: (at, _count, columns) => at - pageRows * columns,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

/** A list without bullets; `grid` fills two or more columns when there is room; `bleed` lets the rows' own padding hang
   out, so their words line up with a heading above. */
import type { ReactNode, Ref } from 'react';
import { classNames } from '../class-names.ts';
import styles from './List.module.css';

/** Children are `<li>` elements. */
interface ListProps {
  label?: string | undefined;
  ordered?: boolean | undefined;
  grid?: boolean | undefined;
  bleed?: boolean | undefined;
  listRef?: Ref<HTMLElement> | undefined;
  children: ReactNode;
}

export function List({ label, ordered, grid, bleed, listRef, children }: ListProps) {
  const Tag = ordered ? 'ol' : 'ul';
  return (
    <Tag
      ref={listRef as Ref<HTMLOListElement & HTMLUListElement>}
      aria-label={label}
      className={classNames(styles.list, grid && styles.grid, bleed && styles.bleed)}
    >
      {children}
    </Tag>
  );
}

/** A list without bullets; `bleed` lets the rows' own padding hang out, so their words line up with a heading above. */
import type { ReactNode, Ref } from 'react';
import { classNames } from '../class-names.ts';
import styles from './List.module.css';

/** Children are `<li>` elements. */
export interface ListProps {
  label?: string | undefined;
  ordered?: boolean | undefined;
  bleed?: boolean | undefined;
  listRef?: Ref<HTMLElement> | undefined;
  children: ReactNode;
}

export function List({ label, ordered, bleed, listRef, children }: ListProps) {
  const Tag = ordered ? 'ol' : 'ul';
  return (
    <Tag
      ref={listRef as Ref<HTMLOListElement & HTMLUListElement>}
      aria-label={label}
      className={classNames(styles.list, bleed && styles.bleed)}
    >
      {children}
    </Tag>
  );
}

/** A row that expands to a group of joined buttons. The list decides which row is open. */
import { useId, type ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { ChevronDownIcon, ChevronUpIcon } from '../icons/inside-icons.tsx';
import styles from './ExpandableRow.module.css';
import rowStyles from './Row.module.css';
import type { Elements } from '../OwnText.tsx';

/** `children` are buttons, shown only while open. */
interface ExpandableRowProps {
  lead: Elements;
  title: string;
  detail?: ReactNode;
  /** At the right end, before the arrow. */
  trail?: Elements;
  open: boolean;
  onToggle: () => void;
  children: ReactNode;
}

export function ExpandableRow({ lead, title, detail, trail, open, onToggle, children }: ExpandableRowProps) {
  const id = useId();
  return (
    <div className={classNames(styles.item, open && styles.open)}>
      <button
        type="button"
        className={classNames(rowStyles.row, rowStyles.pressable)}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={onToggle}
      >
        {lead}
        <span className={rowStyles.words}>
          <strong dir="auto">{title}</strong>
          {detail && <span className="meta">{detail}</span>}
        </span>
        {trail}
        {open ? <ChevronUpIcon /> : <ChevronDownIcon />}
      </button>
      {open && (
        <div id={id} className={styles.body}>
          {children}
        </div>
      )}
    </div>
  );
}

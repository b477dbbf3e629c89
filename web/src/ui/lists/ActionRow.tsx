/** One thing that can be done, as a row: icon, words, and a line below them that says its condition. What can't be done
   keeps its place and says why. */
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import styles from './ActionRow.module.css';

export interface ActionRowProps {
  icon: ReactNode;
  label: string;
  /** What it does or needs. */
  detail?: string | undefined;
  /** Why it can't be done now; null when it can. */
  whyNot?: string | null;
  danger?: boolean | undefined;
  onPress: () => void;
}

export function ActionRow({ icon, label, detail, whyNot = null, danger, onPress }: ActionRowProps) {
  const below = whyNot ?? detail;
  return (
    <button
      type="button"
      className={classNames(styles.row, danger && styles.danger)}
      aria-disabled={whyNot !== null || undefined}
      onClick={() => {
        if (whyNot === null) onPress();
      }}
    >
      {icon}
      <span>
        <strong>{label}</strong> {below !== undefined && <small>{below}</small>}
      </span>
    </button>
  );
}

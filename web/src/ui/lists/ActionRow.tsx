/** An action as a row: icon, label, and its condition below. An action that is disabled stays and shows the reason. */
import { classNames } from '../class-names.ts';
import styles from './ActionRow.module.css';
import type { Elements } from '../OwnText.tsx';

interface ActionRowProps {
  icon: Elements;
  label: string;
  detail?: string | undefined;
  /** Why the action is disabled; null when it is not. */
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
        <strong>{label}</strong>
        <span> </span>
        {below !== undefined && <small>{below}</small>}
      </span>
    </button>
  );
}

/** An on/off switch that acts at once. */
import { classNames } from '../class-names.ts';
import styles from './Switch.module.css';

/** `label` stands at the left and is the accessible name. */
interface SwitchProps {
  label: string;
  /** A second line, read with the label. */
  detail?: string | undefined;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Switch({ label, detail, checked, onChange }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      className={styles.line}
      onClick={() => onChange(!checked)}
    >
      <span className={styles.label}>
        <span>{label}</span>
        {detail && <small>{detail}</small>}
      </span>
      <span className={classNames(styles.track, checked && styles.on)} aria-hidden="true">
        <span className={styles.knob} />
      </span>
    </button>
  );
}

/** One choice that is on or off, as a row with a square mark. */
import styles from './CheckRow.module.css';

interface CheckRowProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function CheckRow({ label, checked, onChange }: CheckRowProps) {
  return (
    <label className={styles.row}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span>{label}</span>
    </label>
  );
}

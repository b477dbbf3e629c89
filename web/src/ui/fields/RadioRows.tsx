/** Radio buttons as rows with a round mark. */
import { useId } from 'react';
import styles from './RadioRows.module.css';

interface RadioRow<Value extends string> {
  value: Value;
  label: string;
  detail?: string | undefined;
  /** Of the label, where it is not the page's. */
  language?: string;
}

interface RadioRowsProps<Value extends string> {
  title: string;
  rows: readonly RadioRow<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}

const rowStyle = { position: 'relative' } as const;
/** The whole row is what is pressed, and not only the mark, of which a band may cover a half. */
const overRow = {
  position: 'absolute',
  inset: 0,
  width: '100%',
  height: '100%',
  margin: 0,
  opacity: 0,
  cursor: 'inherit',
} as const;

export function RadioRows<Value extends string>({ title, rows, value, onChange }: RadioRowsProps<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.rows}>
      <legend>{title}</legend>
      {rows.map((row) => (
        <label key={row.value} className={styles.row} style={rowStyle}>
          <input
            type="radio"
            name={name}
            style={overRow}
            checked={row.value === value}
            onChange={() => onChange(row.value)}
          />
          <span aria-hidden="true" />
          <span>
            <span lang={row.language}>{row.label}</span>
            {row.detail !== undefined && <small>{row.detail}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

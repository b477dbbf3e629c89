/** Radio buttons as rows. */
import { useId, type ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import styles from './Choices.module.css';

export interface Choice<Value extends string> {
  value: Value;
  lead: ReactNode;
  title: string;
  detail?: string | undefined;
  /** `detail` gives the reason. */
  disabled?: boolean | undefined;
}

/** `framed` draws each row as a card of 64 px; without it they are rows of a list, which scrolls. */
interface ChoicesProps<Value extends string> {
  label: string;
  choices: readonly Choice<Value>[];
  value: Value | null;
  onChange: (value: Value) => void;
  framed?: boolean | undefined;
}

export function Choices<Value extends string>({ label, choices, value, onChange, framed }: ChoicesProps<Value>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={framed ? styles.cards : styles.list}>
      {choices.map((choice) => (
        <label key={choice.value} className={classNames(styles.choice, framed && styles.card)}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            disabled={choice.disabled}
            onChange={() => onChange(choice.value)}
          />
          <span className={styles.lead}>{choice.lead}</span>
          <span className={styles.words}>
            <strong dir="auto">{choice.title}</strong>
            {choice.detail !== undefined && <small>{choice.detail}</small>}
          </span>
        </label>
      ))}
    </div>
  );
}

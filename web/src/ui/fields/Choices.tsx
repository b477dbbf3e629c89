/** A few choices of which one is taken, as rows: arrow keys go from one to the next, as with any radio buttons. */
import { useId, type ReactNode } from 'react';
import { CheckIcon } from '../icons/icons.tsx';
import { classNames } from '../class-names.ts';
import styles from './Choices.module.css';

export interface Choice<Value extends string> {
  value: Value;
  lead: ReactNode;
  title: string;
  detail?: string | undefined;
  /** Stays in its place but can't be taken; `detail` says why. */
  disabled?: boolean | undefined;
}

/** `framed` draws each row as a card of 64 px; without it they are rows of a list, which scrolls. */
export interface ChoicesProps<Value extends string> {
  label: string;
  choices: readonly Choice<Value>[];
  value: Value | null;
  onChange: (value: Value) => void;
  framed?: boolean | undefined;
}

/** A radio group. */
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
            <strong>{choice.title}</strong>
            {choice.detail !== undefined && <small>{choice.detail}</small>}
          </span>
          {!framed && choice.value === value && <CheckIcon />}
        </label>
      ))}
    </div>
  );
}

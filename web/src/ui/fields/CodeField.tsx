/** The wide input for a short code, which it makes upper-case, without spaces and at most `maxLength` long. */
import { bare } from '@tunemate/protocol';
import { useId } from 'react';
import { classNames } from '../class-names.ts';
import { Field } from './Field.tsx';
import styles from './Field.module.css';

interface CodeFieldProps {
  label: string;
  value: string;
  onChange: (code: string) => void;
  placeholder: string;
  maxLength: number;
}

/** Pasted codes bring white space and marks that nobody sees, which must not take the place of characters. */
export const readCode = (typed: string, maxLength: number): string =>
  bare(typed.replaceAll(/\s/g, '')).toUpperCase().slice(0, maxLength);

export function CodeField({ label, value, onChange, placeholder, maxLength }: CodeFieldProps) {
  const id = useId();
  return (
    <Field id={id} label={label}>
      {(wiring) => (
        <input
          {...wiring}
          placeholder={placeholder}
          type="text"
          className={classNames(styles.input, styles.code)}
          value={value}
          onChange={(event) => onChange(readCode(event.target.value, maxLength))}
          autoCapitalize="characters"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
        />
      )}
    </Field>
  );
}

/** The wide input for a short code, which it makes upper-case, without spaces and at most `maxLength` long. */
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
          onChange={(event) => onChange(event.target.value.replaceAll(/\s/g, '').toUpperCase().slice(0, maxLength))}
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

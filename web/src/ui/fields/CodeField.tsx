/** The wide input for a short code. Its user reads the code out of what is typed or pasted. */
import { useId } from 'react';
import { classNames } from '../class-names.ts';
import { Field } from './Field.tsx';
import styles from './Field.module.css';

interface CodeFieldProps {
  label: string;
  value: string;
  onChange: (typed: string) => void;
  placeholder: string;
}

export function CodeField({ label, value, onChange, placeholder }: CodeFieldProps) {
  const id = useId();
  return (
    <Field id={id} label={label}>
      {(wiring) => (
        <input
          {...wiring}
          placeholder={placeholder}
          type="text"
          dir="ltr"
          className={classNames(styles.input, styles.code)}
          value={value}
          onChange={(event) => onChange(event.target.value)}
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

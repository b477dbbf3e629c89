/** A password input with a button that shows the typed text. */
import { useId, useState } from 'react';
import { EyeIcon, EyeOffIcon } from '../icons/icons.tsx';
import { IconButton } from '../buttons/IconButton.tsx';
import { classNames } from '../class-names.ts';
import { Field } from './Field.tsx';
import type { TextFieldProps } from './TextField.tsx';
import styles from './Field.module.css';
import { t } from '../../language/t.ts';

/** Set `autoComplete` to `current-password` or `new-password`. */
export function PasswordField({ label, hideLabel, hint, error, ...rest }: Omit<TextFieldProps, 'type'>) {
  const id = useId();
  const [shown, setShown] = useState(false);
  return (
    <Field id={id} label={label} hideLabel={hideLabel} hint={hint} error={error}>
      {(wiring) => (
        <div className={styles.wrap}>
          <input
            {...rest}
            {...wiring}
            type={shown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            className={classNames(styles.input, styles.withEnd)}
          />
          <IconButton
            label={shown ? t`Hide password` : t`Show password`}
            icon={shown ? <EyeOffIcon size={22} /> : <EyeIcon size={22} />}
            onClick={() => setShown(!shown)}
          />
        </div>
      )}
    </Field>
  );
}

/** A one-line text input with its label and error. */
import { useId, type InputHTMLAttributes, type Ref } from 'react';
import { Field, type FieldProps, fieldDirection } from './Field.tsx';
import styles from './Field.module.css';

/** Native input attributes pass through (`value`, `onChange`, `autoComplete`, `required`…). */
export interface TextFieldProps
  extends
    Omit<InputHTMLAttributes<HTMLInputElement>, 'id'>,
    Pick<FieldProps, 'label' | 'hideLabel' | 'hint' | 'error'> {
  ref?: Ref<HTMLInputElement> | undefined;
}

export function TextField({ label, hideLabel, hint, error, ...rest }: TextFieldProps) {
  const id = useId();
  return (
    <Field id={id} label={label} hideLabel={hideLabel} hint={hint} error={error}>
      {(wiring) => (
        <input type="text" dir={fieldDirection(rest.value)} {...rest} {...wiring} className={styles.input} />
      )}
    </Field>
  );
}

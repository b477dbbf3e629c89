/** The frame of every input: label above, error below, and the ids that join them for screen readers. */
import { AlertIcon } from '../icons/icons.tsx';
import { classNames } from '../class-names.ts';
import { VisuallyHidden } from '../VisuallyHidden.tsx';
import styles from './Field.module.css';
import type { Elements } from '../OwnText.tsx';

/** Spread it on the input. */
interface FieldWiring {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

export interface FieldProps {
  id: string;
  label: string;
  /** Only for screen readers: where a heading or icon already shows it. */
  hideLabel?: boolean | undefined;
  hint?: string | undefined;
  /** The sentence below; its presence marks the input invalid. */
  error?: string | undefined;
  children: (wiring: FieldWiring) => Elements;
}

export function Field({ id, label, hideLabel, hint, error, children }: FieldProps) {
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const described = classNames(hint && hintId, error && errorId);
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {hideLabel ? <VisuallyHidden>{label}</VisuallyHidden> : label}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described || undefined })}
      {hint && (
        <p id={hintId} className={styles.hint}>
          {hint}
        </p>
      )}
      {/* Mounted before the error, so that screen readers announce it. */}
      <div role="alert">
        {error && (
          <p id={errorId} className={styles.error}>
            <AlertIcon size={18} />
            <span>{error}</span>
          </p>
        )}
      </div>
    </div>
  );
}

/** Of a field for words of any language. Empty, 'auto' would lay its placeholder from left to right in every language. */
export const fieldDirection = (value: unknown): string => (value === '' ? document.dir || 'ltr' : 'auto');
